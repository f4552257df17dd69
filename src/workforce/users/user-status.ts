import type { SeatStatus } from "../people/seat.ts";

/** The states of a user (spec §2.6). */
export type UserStatus = SeatStatus | "DELETED";

/** What moves a user from one state to another. */
export type UserAction = "signIn" | "enable" | "disable" | "delete";

/** Every move there is (spec §3, R-G17); one that ends where it began changes nothing, one that is missing is refused. */
const MOVES: Readonly<Record<UserAction, Readonly<Partial<Record<UserStatus, UserStatus>>>>> = {
  signIn: { INVITED: "ACTIVE", ACTIVE: "ACTIVE" },
  enable: { INACTIVE: "ACTIVE", ACTIVE: "ACTIVE" },
  disable: { ACTIVE: "INACTIVE", INACTIVE: "INACTIVE" },
  delete: { INVITED: "DELETED", ACTIVE: "DELETED", INACTIVE: "DELETED", DELETED: "DELETED" },
};

/** The state that a seat begins in: INVITED, or ACTIVE when the platform asserts that its first sign-in happened elsewhere (R-G17). */
export const firstStatus = (signedInBefore: boolean): UserStatus => (signedInBefore ? "ACTIVE" : "INVITED");

/** The state after the action; `undefined` when the action is not possible in this state. */
export const statusAfter = (action: UserAction, status: UserStatus): UserStatus | undefined => MOVES[action][status];

/** Why an action is not possible, and what is. */
export function whyImpossible(action: UserAction, status: UserStatus): string {
  if (status === "DELETED")
    return "The user is deleted for good. Invite the same e-mail address again to make a new user.";
  if (status === "INVITED")
    return `An invited user cannot be ${PARTICIPLES[action]}: the first sign-in makes the user active. To take the invitation back, delete the user.`;
  return `A user with status ${status} cannot be ${PARTICIPLES[action]}.`;
}

const PARTICIPLES: Readonly<Record<UserAction, string>> = {
  signIn: "signed in",
  enable: "enabled",
  disable: "disabled",
  delete: "deleted",
};
