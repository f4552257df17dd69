import type { SignInObstacle } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { type DescribedPerson, SeatState } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";

/** When something was done, and by whom. */
interface Deed {
  readonly at: Date;
  readonly actor: string;
}

interface SignInFacts {
  readonly person: Pick<DescribedPerson, "personId" | "disabled" | "erased" | "seats">;
  readonly hasPassword: boolean;
  /** How the person was disabled, or erased, where that is recorded. */
  readonly disabling: Deed | undefined;
  /** Until then attempts with the address are not checked. */
  readonly openAt: Date | undefined;
}

/**
 * Everything that keeps a person from signing in, the most important first.
 */
export function signInObstacles({ person, hasPassword, disabling, openAt }: SignInFacts): SignInObstacle[] {
  const { personId, disabled, erased, seats } = person;
  if (erased)
    return [
      {
        ...NO_DEED,
        check: "person.erased",
        finding: "The person is erased: only ids are left.",
        advice:
          "It cannot be undone. Invite somebody who comes back as a new person: gatehouse users invite, or gatehouse workers onboard.",
        command: [],
        since: disabling?.at ?? null,
        actor: disabling?.actor ?? null,
      },
    ];
  const obstacles: SignInObstacle[] = [];
  if (disabled)
    obstacles.push({
      ...NO_DEED,
      check: "person.disabled",
      finding: "The person is disabled and cannot sign in anywhere.",
      ...endingWith("To let the person in again:", ["people", "enable", personId]),
      since: disabling?.at ?? null,
      actor: disabling?.actor ?? null,
    });
  if (!seats.some(({ admits }) => admits)) {
    const inactive = seats.find(({ state }) => state === SeatState.INACTIVE);
    obstacles.push({
      ...NO_DEED,
      check: "seat.none",
      finding: `The person has no seat to sign in with: ${seats.length === 0 ? "neither a user nor a worker" : "every user is disabled or deleted, and no worker is employed"}. Applications get access_denied.`,
      ...(inactive === undefined
        ? { advice: "Give the person a seat: gatehouse users invite, or gatehouse workers onboard.", command: [] }
        : endingWith("To give the seat back:", ["users", "enable", inactive.id])),
    });
  }
  if (!hasPassword)
    obstacles.push({
      ...NO_DEED,
      check: "password.none",
      finding: "The person has no password yet.",
      ...endingWith("Make a link by which the person sets one:", ["people", "invite", personId]),
    });
  if (openAt !== undefined)
    obstacles.push({
      ...NO_DEED,
      check: "sign_in.throttled",
      finding:
        "Too many sign-ins with this e-mail address have failed; further ones are not checked for a while. A browser in which the person has signed in before does not wait.",
      ...endingWith("The wait ends by itself. If the password is forgotten:", ["people", "reset", personId]),
      until: openAt,
    });
  return obstacles;
}

/** An advice that ends with a command, without a full stop behind it, so that it can be copied. @param command its words. */
const endingWith = (sentence: string, command: string[]): Pick<SignInObstacle, "advice" | "command"> => ({
  advice: `${sentence} gatehouse ${command.join(" ")}`,
  command,
});

const NO_DEED = { since: null, actor: null, until: null };
