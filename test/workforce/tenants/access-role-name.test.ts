import { customRoleName } from "../../../src/workforce/tenants/access-role-name.ts";

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
