import { isSessionOver } from "../../../src/sign-on/sessions/sessions.ts";

const ENTERED = new Date("2026-06-30T08:00:00Z");
const at = (ms: number) => new Date(ENTERED.getTime() + ms);

describe("whether a session is over by what workforce says of the person (R-X93)", () => {
  it.each([
    ["never disabled", { disabled: false }, false],
    ["never disabled, as the wire has it", { disabled: false, enabledAt: null }, false],
    ["disabled", { disabled: true }, true],
    ["disabled again", { disabled: true, enabledAt: at(-1) }, true],
    ["enabled again before the password was entered", { disabled: false, enabledAt: at(-1) }, false],
    ["enabled again at that instant", { disabled: false, enabledAt: at(0) }, false],
    ["enabled again after", { disabled: false, enabledAt: at(1) }, true],
  ])("%s", (_, person, over) => {
    expect(isSessionOver({ authenticatedAt: ENTERED }, person)).toBe(over);
  });
});
