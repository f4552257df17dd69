import { customRoleName, unknownRole } from "../../../src/workforce/tenants/access-role-name.ts";

describe("the name of a role that is made for one user (R-E3, R-X45)", () => {
  it.each<[title: string, shared: string, taken: string[], name: string]>([
    ["says what it comes from", "Admin", ["Admin"], "Admin (custom)"],
    ["counts", "Admin", ["Admin (custom)"], "Admin (custom 2)"],
    ["counts on", "Admin", ["Admin (custom)", "Admin (custom 2)", "Admin (custom 3)"], "Admin (custom 4)"],
    ["does not pile up", "Admin (custom)", ["Admin (custom)"], "Admin (custom 2)"],
    ["does not pile up after counting", "Admin (custom 12)", ["Admin (custom 12)"], "Admin (custom)"],
    ["keeps what only looks alike", "Admin (customer)", [], "Admin (customer) (custom)"],
    ["is 200 characters long at most", "x".repeat(200), [], `${"x".repeat(191)} (custom)`],
    ["never halves a character", `${"x".repeat(190)}🥐`, [], `${"x".repeat(190)} (custom)`],
  ])("%s", (_, shared, taken, name) => {
    expect(customRoleName(shared, new Set(taken))).toBe(name);
  });
});

describe("the refusal of an unknown role (R-G17)", () => {
  it("lists the roles there are, the first twenty of many", () => {
    const names = Array.from({ length: 22 }, (_, number) => `Role ${number}`);
    expect(unknownRole(names.slice(0, 20)).message).toMatch(/It has: Role 0, .*, Role 18, Role 19\.$/);
    expect(unknownRole(names).message).toMatch(/It has: Role 0, .*, Role 18, Role 19 and 2 more\.$/);
  });

  it("fits into what a refused call may say, however many and long they are", () => {
    const { message } = unknownRole(Array.from({ length: 3_000 }, () => "役".repeat(200)));
    // HTTP/2 takes 64 KiB of headers; a refusal that is longer arrives as a fault of ours.
    expect(encodeURIComponent(message).length).toBeLessThan(48 * 1024);
  });
});
