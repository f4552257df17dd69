import type {
  AssignManagerRequest,
  EditUserPermissionsRequest,
  ListUsersOfTenantRequest,
  UpdateAccessRoleRequest,
  UpdateInstanceRequest,
  UpdatePersonRequest,
  UpdateTenantRequest,
} from "../../../generated/proto/gatehouse/workforce/v1/platform.ts";
import {
  type AccessRoleDefinition,
  AccessRoleKind,
  type Person,
  type User,
  UserStatus,
} from "../../../generated/proto/gatehouse/workforce/v1/workforce.ts";
import { withScope } from "../../support/scope.ts";
import { idOf, openStub, type StubGatehouse } from "../command-line.ts";

const AT = new Date("2026-11-20T10:54:03.412Z");
const PERSON: Person = {
  id: idOf("person"),
  workerProfileId: idOf("profile"),
  email: "maren.dahl@nordlicht.example",
  emailVerified: true,
  firstName: "Maren",
  lastName: "Dahl",
  disabled: false,
  createdAt: AT,
};
const USER: User = {
  id: idOf("user"),
  tenantId: idOf("client"),
  person: PERSON,
  status: UserStatus.ACTIVE,
  managerId: null,
  role: { id: 7, name: "Admin" },
  createdAt: AT,
};
const OTHER: User = { ...USER, id: idOf("user", "B"), role: null };
const TENANT = { id: idOf("client"), instanceId: idOf("instance"), name: "Nordlicht", address: null, createdAt: AT };
const ROLE: AccessRoleDefinition = {
  role: { id: 12, name: "Payroll" },
  tenantId: idOf("client"),
  kind: AccessRoleKind.CUSTOM,
  permissions: ["payroll.read", "payroll.write"],
};
/** Named like the number of the other one. */
const NUMBERED: AccessRoleDefinition = { ...ROLE, role: { id: 13, name: "12" }, permissions: [] };

describe("commands that show and change", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;

    beforeAll(async () => {
      stub = await openStub(closeLater, {
        platform: {
          listInstances: async () => ({
            instances: [{ id: idOf("instance"), name: "Europe", createdAt: AT }],
            next: null,
          }),
          updateInstance: async ({ name }) => ({ instance: { id: idOf("instance"), name, createdAt: AT } }),
          updateTenant: async () => ({ tenant: TENANT }),
          readTenant: async () => ({ tenant: TENANT }),
          readPerson: async () => ({ person: PERSON }),
          updatePerson: async () => ({ person: PERSON }),
          disablePerson: async () => ({ person: { ...PERSON, disabled: true } }),
          enablePerson: async () => ({ person: PERSON }),
          readUser: async () => ({ user: USER }),
          // Two pages, and a tenant without users.
          listUsersOfTenant: async ({ tenantId, after }) =>
            after === null && tenantId === TENANT.id
              ? { users: [USER], next: { createdAt: AT, id: USER.id } }
              : { users: after === null ? [] : [OTHER], next: null },
          assignManager: async ({ managerId = null }) => ({ user: { ...USER, managerId } }),
          assignRole: async () => ({ user: USER }),
          editUserPermissions: async () => ({ user: USER, role: ROLE }),
          createAccessRole: async () => ({ role: ROLE }),
          updateAccessRole: async () => ({ role: ROLE }),
          // Two pages.
          listAccessRolesOfTenant: async ({ after }) =>
            typeof after === "number"
              ? { roles: [NUMBERED], next: null }
              : { roles: [ROLE], next: ROLE.role?.id ?? null },
        },
      });
    });

    const lastRequest = <T>() => stub.received.at(-1)?.request as T;
    const run = (words: string) => stub.run(words.split(" "));

    it("renames an instance that is given by id or by name", async () => {
      const { stdout } = await run("instances rename europe --name Europa");
      expect(lastRequest<UpdateInstanceRequest>()).toMatchObject({
        instanceId: idOf("instance"),
        updateMask: ["name"],
        name: "Europa",
      });
      expect(stdout).toContain("name     Europa\n");
    });

    it("names in an update only the given values; an empty value clears a field", async () => {
      await stub.run(["tenants", "update", TENANT.id, "--city", "Hamburg", "--zone", ""]);
      expect(lastRequest<UpdateTenantRequest>()).toMatchObject({
        tenantId: TENANT.id,
        updateMask: ["address.city", "address.zone_code"],
        address: { city: "Hamburg", zoneCode: "", address1: null },
      });
      await stub.run(["people", "update", PERSON.id, "--last-name", "", "--no-email-verified"]);
      expect(lastRequest<UpdatePersonRequest>()).toMatchObject({
        personId: PERSON.id,
        updateMask: ["last_name", "email_verified"],
        lastName: "",
        emailVerified: false,
      });
      await run(`people update ${PERSON.id} --email dahl@nordlicht.example --email-verified`);
      expect(lastRequest<UpdatePersonRequest>()).toMatchObject({
        updateMask: ["email", "email_verified"],
        email: "dahl@nordlicht.example",
        emailVerified: true,
      });
    });

    it.each([
      ["tenants update t", "--name, --address1"],
      ["people update p", "--email, --first-name, --last-name, --email-verified"],
      ["roles update Payroll --tenant t", "--name, --permission"],
    ])("refuses “%s” without a change before it calls services", async (words, flags) => {
      const calls = stub.received.length;
      const { exitCode, stderr } = await run(words);
      expect([exitCode, stub.received.length]).toEqual([2, calls]);
      expect(stderr).toContain("No change was given.");
      expect(stderr).toContain(`Give at least one of ${flags}`);
    });

    it("shows a tenant, a user, and a person by id or address", async () => {
      expect((await run(`tenants show ${TENANT.id}`)).stdout).toContain("name      Nordlicht\n");
      expect((await run(`users show ${USER.id}`)).stdout).toContain("role       Admin\n");
      const { stdout } = await run(`people show --person ${PERSON.id}`);
      expect(lastRequest()).toEqual({ key: { $case: "personId", value: PERSON.id } });
      expect(stdout).toBe(
        [
          `id              ${PERSON.id}\n`,
          "name            Maren Dahl\n",
          "e-mail          maren.dahl@nordlicht.example\n",
          "sign-in         enabled\n",
          `worker profile  ${PERSON.workerProfileId}\n`,
          "created         2026-11-20 10:54 UTC\n",
        ].join(""),
      );
      await run("people show --email Maren.Dahl@nordlicht.example");
      expect(lastRequest()).toEqual({ key: { $case: "email", value: "Maren.Dahl@nordlicht.example" } });
    });

    it.each([
      [PERSON.id, { $case: "personId", value: PERSON.id }],
      ["maren.dahl@nordlicht.example", { $case: "email", value: "maren.dahl@nordlicht.example" }],
    ])("shows a person named as for a link: %s", async (person, key) => {
      await run(`people show ${person}`);
      expect(lastRequest()).toEqual({ key });
    });

    it.each(["people show", "people show --person p --email e", "people show p --email e", "people show p --person p"])(
      "requires one person: %s",
      async (words) => {
        const { exitCode, stderr } = await run(words);
        expect(exitCode).toBe(2);
        expect(stderr).toContain("Name one person: an id, an e-mail address or a name, or --person, or --email.");
      },
    );

    it.each([
      ["users assign-manager u", "--manager or --none"],
      ["users assign-role u --role Admin --none", "--role or --none"],
      ["users edit-permissions u", "--permission or --none"],
    ])("requires one of two flags: %s", async (words, flags) => {
      const { exitCode, stderr } = await run(words);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`Either ${flags} must be given, and not both.`);
    });

    it("disables and enables people, and names the command that undoes it", async () => {
      const { stdout, stderr } = await run(`people disable ${PERSON.id}`);
      expect(stdout).toContain("sign-in         disabled\n");
      expect(stderr).toContain(`Next: gatehouse people explain ${PERSON.id}`);
      expect((await run(`people enable ${PERSON.id} --json`)).stdout).toContain('"disabled": false');
    });

    it("lists users from page to page", async () => {
      const { stdout } = await run(`users list --tenant ${TENANT.id} --deleted --json`);
      expect(JSON.parse(stdout).users.map(({ id }: User) => id)).toEqual([USER.id, OTHER.id]);
      expect(lastRequest<ListUsersOfTenantRequest>()).toMatchObject({
        tenantId: TENANT.id,
        includeDeleted: true,
        after: { createdAt: AT, id: USER.id },
      });
      const table = (await run(`users list --tenant ${TENANT.id}`)).stdout.split("\n");
      expect(table[1]).toBe(`Maren Dahl  maren.dahl@nordlicht.example  ACTIVE  Admin  ${USER.id}`);
      expect((await run(`users list --tenant ${idOf("client", "B")}`)).stderr).toContain(
        "The tenant has no users yet.",
      );
    });

    it("assigns a manager, a role, or none", async () => {
      const { stdout } = await run(`users assign-manager ${USER.id} --manager ${OTHER.id}`);
      expect(lastRequest<AssignManagerRequest>()).toMatchObject({ userId: USER.id, managerId: OTHER.id });
      expect(stdout).toContain(`manager    ${OTHER.id}\n`);
      await run(`users assign-manager ${USER.id} --none`);
      expect(lastRequest<AssignManagerRequest>().managerId).toBeNull();
      await run(`users assign-role ${USER.id} --role Admin`);
      expect(lastRequest()).toMatchObject({ userId: USER.id, roleName: "Admin" });
      await run(`users assign-role ${USER.id} --none`);
      expect(lastRequest()).toMatchObject({ userId: USER.id, roleName: null });
    });

    it("edits one user's permissions, and shows the role that this made", async () => {
      const { stdout } = await run(
        `users edit-permissions ${USER.id} --permission payroll.write --permission payroll.read`,
      );
      expect(lastRequest<EditUserPermissionsRequest>()).toMatchObject({
        userId: USER.id,
        permissions: ["payroll.write", "payroll.read"],
        roleName: null,
      });
      expect(stdout).toContain("permissions  payroll.read\n             payroll.write\n");
      await run(`users edit-permissions ${USER.id} --none --role-name Nothing`);
      expect(lastRequest<EditUserPermissionsRequest>()).toMatchObject({ permissions: [], roleName: "Nothing" });
    });

    it("lists and makes access roles", async () => {
      expect((await run(`roles list --tenant ${TENANT.id}`)).stdout).toBe(
        [
          "NAME     KIND    ID  PERMISSIONS\n",
          "Payroll  CUSTOM  12  payroll.read payroll.write\n",
          "12       CUSTOM  13  –\n",
        ].join(""),
      );
      await run(`roles create --tenant ${TENANT.id} --name Payroll --permission payroll.read`);
      expect(lastRequest()).toMatchObject({ tenantId: TENANT.id, name: "Payroll", permissions: ["payroll.read"] });
    });

    it("accepts a role by name, else by number, and lists the roles when none matches", async () => {
      const updated = async (role: string) => {
        await run(`roles update ${role} --tenant ${TENANT.id} --name Wages`);
        return lastRequest<UpdateAccessRoleRequest>().accessRoleId;
      };
      expect([await updated("Payroll"), await updated("12"), await updated("13")]).toEqual([12, 13, 13]);
      const both = await run(`roles update Payroll --tenant ${TENANT.id} --permission payroll.read --no-permissions`);
      expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining("contradict each other")]);
      await run(`roles update Payroll --tenant ${TENANT.id} --no-permissions`);
      expect(lastRequest<UpdateAccessRoleRequest>()).toMatchObject({ updateMask: ["permissions"], permissions: [] });
      expect(await run(`roles update Boss --tenant ${TENANT.id} --name Chief`)).toEqual({
        exitCode: 2,
        stdout: "",
        stderr: `gatehouse: The tenant has no access role Boss.\nThere are: Payroll, 12 (gatehouse roles list --tenant ${TENANT.id} --socket-directory ${stub.socketDirectory})\n`,
      });
    });
  });
});
