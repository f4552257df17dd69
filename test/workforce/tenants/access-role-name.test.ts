import type { TenantId } from "../../../src/runtime/basis/ids.ts";
import type { NumberedPage } from "../../../src/workforce/page.ts";
import type { AccessRoleDefinition } from "../../../src/workforce/tenants/access-role.ts";
import { customRoleName, unknownRoleOf } from "../../../src/workforce/tenants/access-role-name.ts";

const TENANT = "client_000000000000000000000" as TenantId;

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
    ["follows one that is taken", "Admin", ["Admin (custom)", "Admin (custom 3)"], "Admin (custom 2)"],
  ])("%s", async (_, shared, taken, name) => {
    expect(await customRoleName(shared, async (one) => taken.includes(one))).toBe(name);
  });

  it("is found by a few questions, however many are taken", async () => {
    const asked: string[] = [];
    const name = await customRoleName("Admin", async (one) => {
      asked.push(one);
      return Number(/\d+/.exec(one)?.[0] ?? 1) <= 100_000;
    });
    expect([name, asked.length < 40]).toEqual(["Admin (custom 100001)", true]);
  });
});

describe("the refusal of an unknown role (R-G17)", () => {
  /** A tenant with roles of these names. */
  const rolesOf = (names: readonly string[]) => ({
    listPage: async (_: TenantId, { limit }: NumberedPage) =>
      names.slice(0, limit + 1).map((name, id) => ({ role: { id, name } }) as AccessRoleDefinition),
    count: async () => names.length,
  });

  it("lists the roles there are, the first twenty of many", async () => {
    const names = Array.from({ length: 22 }, (_, number) => `Role ${number}`);
    const { message: few } = await unknownRoleOf(rolesOf(names.slice(0, 20)), TENANT);
    expect(few).toMatch(/It has: Role 0, .*, Role 18, Role 19\.$/);
    const { message: many } = await unknownRoleOf(rolesOf(names), TENANT);
    expect(many).toMatch(/It has: Role 0, .*, Role 18, Role 19 and 2 more\.$/);
  });

  it("fits into what a refused call may say, however many and long they are", async () => {
    const names = Array.from({ length: 3_000 }, () => "役".repeat(200));
    const { message } = await unknownRoleOf(rolesOf(names), TENANT);
    // HTTP/2 takes 64 KiB of headers; a refusal that is longer arrives as a fault of ours.
    expect(encodeURIComponent(message).length).toBeLessThan(48 * 1024);
  });
});
