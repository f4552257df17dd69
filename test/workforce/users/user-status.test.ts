import {
  statusAfter,
  type UserAction,
  type UserStatus,
  whyImpossible,
} from "../../../src/workforce/users/user-status.ts";

describe("the states of a user (spec §3, R-G17)", () => {
  const table: readonly [UserAction, UserStatus, UserStatus | undefined][] = [
    ["signIn", "INVITED", "ACTIVE"],
    ["signIn", "ACTIVE", "ACTIVE"],
    ["signIn", "INACTIVE", undefined],
    ["signIn", "DELETED", undefined],
    ["enable", "INVITED", undefined],
    ["enable", "ACTIVE", "ACTIVE"],
    ["enable", "INACTIVE", "ACTIVE"],
    ["enable", "DELETED", undefined],
    ["disable", "INVITED", undefined],
    ["disable", "ACTIVE", "INACTIVE"],
    ["disable", "INACTIVE", "INACTIVE"],
    ["disable", "DELETED", undefined],
    ["delete", "INVITED", "DELETED"],
    ["delete", "ACTIVE", "DELETED"],
    ["delete", "INACTIVE", "DELETED"],
    ["delete", "DELETED", "DELETED"],
  ];

  it.each(table)("%s of a user that is %s: %s", (action, before, after) => {
    expect(statusAfter(action, before)).toBe(after);
  });

  it.each(table.filter(([, , after]) => after === undefined))(
    "%s of a user that is %s is refused with advice",
    (action, before) => {
      expect(whyImpossible(action, before)).toMatch(/^[A-Z].*\.$/);
    },
  );
});
