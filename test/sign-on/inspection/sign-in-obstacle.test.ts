import { signInObstacles } from "../../../src/sign-on/inspection/sign-in-obstacle.ts";

const PERSON = { personId: "person_AqnsKVwhGnkg841xUstKP", disabled: true, erased: false, seats: [] };
const NOTHING = { hasPassword: false, disabling: undefined, openAt: undefined };

describe("what keeps a person from signing in (R-X197)", () => {
  it("of an erased person says that alone, and advises nothing that would be refused", () => {
    const at = new Date("2026-06-30T08:15:27.412Z");
    const disabling = { at, actor: "platform:jo" };
    const obstacles = signInObstacles({ ...NOTHING, person: { ...PERSON, erased: true }, disabling });
    expect(obstacles).toMatchObject([{ check: "person.erased", since: at, actor: "platform:jo" }]);
    expect(obstacles[0]?.advice).not.toContain("enable");
  });

  it("of a disabled person says every other obstacle too", () => {
    const checks = signInObstacles({ ...NOTHING, person: PERSON }).map(({ check }) => check);
    expect(checks).toEqual(["person.disabled", "seat.none", "password.none"]);
  });
});
