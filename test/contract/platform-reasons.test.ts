import { SeatKind } from "../../generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { platformContract } from "../../src/portal/reference/bundles.ts";
import { failuresOf } from "../../src/portal/reference/grpc-contract.ts";
import { onSqlite } from "../support/stores.ts";
import { ines, openTenant, refusal, there } from "../workforce/workforce-fixture.ts";

const CONTRACT = platformContract();

/** A tenant with a user of each state that matters here, a worker, and a user of another tenant. */
async function openStaff(...opened: Parameters<typeof openTenant>) {
  const { workforce, instanceId, tenantId } = await openTenant(...opened);
  const { platform } = workforce;
  const user = async (email: string, roleName?: string) => (await workforce.user(tenantId, email, { roleName })).id;
  const [boss, report, deleted] = [
    await user("boss@x.example", "Admin"),
    await user("ines@x.example"),
    await user("d@x.example"),
  ];
  await platform.assignManager({ requestId: "", userId: report, managerId: boss });
  await platform.deleteUser({ requestId: "", userId: deleted });
  const elsewhere = (await workforce.user((await workforce.tenant(instanceId)).id, "else@x.example")).id;
  const worker = await platform.onboardWorker({ ...ines, tenantId, email: "worker@x.example" });
  const personId = there(there(worker.worker).person).id;
  return { platform, tenantId, boss, report, deleted, elsewhere, personId, requestId: "" };
}
type Staff = Awaited<ReturnType<typeof openStaff>>;

onSqlite((open) => {
  describe("the comment of a method of the platform (R-X207)", () => {
    it.each<[string, string, (staff: Staff) => Promise<unknown>]>([
      ["EnableUser", "user_status", ({ platform, ...s }) => platform.enableUser({ ...s, userId: s.report })],
      ["DisableUser", "user_status", ({ platform, ...s }) => platform.disableUser({ ...s, userId: s.report })],
      ["AssignManager", "user_status", ({ platform, ...s }) => platform.assignManager({ ...s, userId: s.deleted })],
      [
        "AssignManager",
        "manager_not_eligible",
        ({ platform, ...s }) => platform.assignManager({ ...s, userId: s.report, managerId: s.elsewhere }),
      ],
      [
        "AssignManager",
        "manager_cycle",
        ({ platform, ...s }) => platform.assignManager({ ...s, userId: s.boss, managerId: s.report }),
      ],
      ["AssignRole", "user_status", ({ platform, ...s }) => platform.assignRole({ ...s, userId: s.deleted })],
      [
        "EditUserPermissions",
        "user_status",
        ({ platform, ...s }) => platform.editUserPermissions({ ...s, userId: s.deleted, permissions: [] }),
      ],
      [
        "EditUserPermissions",
        "user_without_role",
        ({ platform, ...s }) => platform.editUserPermissions({ ...s, userId: s.report, permissions: [] }),
      ],
      [
        "EditUserPermissions",
        "access_role_exists",
        ({ platform, ...s }) =>
          platform.editUserPermissions({ ...s, userId: s.boss, permissions: ["payroll.read"], roleName: "Owner" }),
      ],
      [
        "UpdateAccessRole",
        "access_role_exists",
        async ({ platform, ...s }) => {
          const { roles } = await platform.listAccessRolesOfTenant({ tenantId: s.tenantId, limit: 1 });
          const accessRoleId = there(there(roles[0]).role).id;
          return platform.updateAccessRole({
            ...s,
            accessRoleId,
            updateMask: ["name"],
            name: "Admin",
            permissions: [],
          });
        },
      ],
      [
        "UpdatePerson",
        "names_needed",
        ({ platform, ...s }) =>
          platform.updatePerson({ ...s, updateMask: ["first_name"], email: "", emailVerified: false }),
      ],
      [
        "SetLastLoginContext",
        "seat_not_usable",
        ({ platform, ...s }) => platform.setLastLoginContext({ ...s, kind: SeatKind.USER }),
      ],
    ])("%s names the reason %s, for which it refuses", async (method, reason, ask) => {
      const staff = await openStaff(open);
      const refused = await refusal(ask(staff));
      expect(refused.reason).toBe(reason);
      const failure = failuresOf(CONTRACT).find((one) => one.reason === reason);
      expect(failure).toMatchObject({ status: refused.code, named: expect.arrayContaining([method]) });
    });

    it("says how much an import of all or nothing takes, and what becomes of more", () => {
      const { fields } = CONTRACT.messages["gatehouse.workforce.v1.ImportStart"] ?? { fields: [] };
      const said = String(fields.find(({ name }) => name === "all_or_nothing")?.says);
      expect(["50,000 lines", "64 MiB", "too_many_lines"].filter((bound) => !said.includes(bound))).toEqual([]);
    });
  });
});
