import { signInObstacles } from "../../../src/sign-on/inspection/sign-in-obstacle.ts";

const PERSON = { personId: "person_AqnsKVwhGnkg841xUstKP", disabled: true, erased: false, seats: [] };
const SEAT = {
  ...{ kind: "SEAT_KIND_USER" as const, tenantId: "client_A", tenantName: "Third Bakery" },
  ...{ instanceId: "instance_A", instanceName: "Europe" },
};
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

  it("ends with each whole command, and carries its words beside the sentence; a command without its id is only mentioned", () => {
    const { personId } = PERSON;
    const inactive = { id: "user_AqnsKVwhGnkg841xUstKP", state: "SEAT_STATE_INACTIVE" as const, admits: false };
    const person = { ...PERSON, seats: [{ ...SEAT, ...inactive }] };
    const found = [
      ...signInObstacles({ ...NOTHING, person, openAt: new Date() }),
      ...signInObstacles({ ...NOTHING, person: PERSON }),
    ];
    for (const { advice, command } of found.filter((one) => one.command.length > 0))
      expect(advice.endsWith(`: gatehouse ${command.join(" ")}`)).toBe(true);
    expect(found.map(({ check, command }) => [check, command.join(" ")])).toEqual([
      ["person.disabled", `people enable ${personId}`],
      ["seat.none", `users enable ${inactive.id}`],
      ["password.none", `people invite ${personId}`],
      ["sign_in.throttled", `people reset ${personId}`],
      ["person.disabled", `people enable ${personId}`],
      ["seat.none", ""],
      ["password.none", `people invite ${personId}`],
    ]);
  });
});
