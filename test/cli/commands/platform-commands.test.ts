import { stripVTControlCharacters } from "node:util";
import type {
  CreateTenantRequest,
  InviteUserRequest,
  OnboardWorkerRequest,
} from "../../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { type Person, type User, UserStatus } from "../../../generated/proto/gatehouse/workforce/v1/workforce.ts";
import { withScope } from "../../support/scope.ts";
import { idOf, openStub, type StubGatehouse } from "../command-line.ts";

const AT = new Date("2026-11-20T10:54:03.412Z");
const INSTANCES = [
  { id: idOf("instance", "E"), name: "Europe", createdAt: AT },
  { id: idOf("instance", "N"), name: "North America", createdAt: AT },
];
const PERSON: Person = {
  id: idOf("person"),
  workerProfileId: idOf("profile"),
  email: "maren.dahl@nordlicht.example",
  emailVerified: false,
  firstName: "Maren",
  lastName: null,
  disabled: false,
  createdAt: AT,
};
const USER: User = {
  id: idOf("user"),
  tenantId: idOf("client"),
  person: PERSON,
  status: UserStatus.INVITED,
  managerId: null,
  role: { id: 7, name: "Admin" },
  createdAt: AT,
};

describe("what the platform's commands print", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;

    beforeAll(async () => {
      stub = await openStub(closeLater, {
        platform: {
          // A page each.
          listInstances: async ({ after }) => {
            const [instance, other] = INSTANCES.slice(INSTANCES.findIndex(({ id }) => id === after?.id) + 1);
            const next = other === undefined || instance === undefined ? null : { createdAt: AT, id: instance.id };
            return { instances: instance === undefined ? [] : [instance], next };
          },
          createInstance: async ({ name }) => ({ instance: { id: idOf("instance"), name, createdAt: AT } }),
          createTenant: async ({ instanceId, name, address }) => ({
            tenant: { id: idOf("client"), instanceId, name, address, createdAt: AT },
          }),
          listTenantsOfInstance: async ({ instanceId }) => ({
            tenants:
              instanceId === INSTANCES[0]?.id
                ? [
                    {
                      id: idOf("client"),
                      instanceId,
                      name: "Nordlicht",
                      address: { city: "Hamburg", isoCountryCode: "DE" },
                      createdAt: AT,
                    },
                  ]
                : [],
            next: null,
          }),
          inviteUser: async () => ({ user: USER }),
          disableUser: async () => ({ user: { ...USER, status: UserStatus.INACTIVE } }),
          onboardWorker: async (request) => ({
            worker: { ...request, id: idOf("worker"), person: PERSON, createdAt: AT, endedAt: null },
          }),
          createUnit: async (request) => ({ unit: { ...request, id: idOf("unit"), createdAt: AT } }),
        },
      });
    });

    const lastRequest = <T>() => stub.received.at(-1)?.request as T;

    it("lists the tenants of all pages", async () => {
      const names = ["Nordlicht", "Nordwind", "Südlicht"];
      const tenants = names.map((name, at) => ({
        id: idOf("client", "ABC"[at]),
        instanceId: INSTANCES[0]?.id ?? "",
        name,
        createdAt: AT,
      }));
      const paged = await openStub(closeLater, {
        platform: {
          listInstances: async () => ({ instances: INSTANCES.slice(0, 1), next: null }),
          listTenantsOfInstance: async ({ after }) => {
            const at = after === null ? 0 : tenants.findIndex(({ id }) => id === after?.id) + 1;
            const [tenant] = tenants.slice(at);
            const next = at < 2 ? { createdAt: AT, id: tenant?.id ?? "" } : null;
            return { tenants: tenant === undefined ? [] : [{ ...tenant, address: null }], next };
          },
        },
      });
      const { stdout } = await paged.run(["tenants", "list", "--json"]);
      expect((JSON.parse(stdout) as { tenants: { name: string }[] }).tenants.map(({ name }) => name)).toEqual(names);
    });

    it("prints one thing as a card; the result and the next step go to standard error", async () => {
      const ran = await stub.run(["instances", "create", "--name", "Europe"]);
      expect(ran).toEqual({
        exitCode: 0,
        stdout: `id       ${idOf("instance")}\nname     Europe\ncreated  2026-11-20 10:54 UTC\n`,
        stderr: [
          "The instance is created.\n\n",
          `Next: gatehouse tenants create --instance ${idOf("instance")} --name …`,
          ` --socket-directory ${stub.socketDirectory}\n`,
        ].join(""),
      });
    });

    it("is quiet with --quiet", async () => {
      const { stdout, stderr } = await stub.run(["instances", "create", "--name", "Europe", "--quiet"]);
      expect(stdout).toContain("Europe");
      expect(stderr).toBe("");
    });

    it("prints one JSON document and nothing else with --json, wherever that flag is", async () => {
      for (const words of [
        ["--json", "instances", "list"],
        ["instances", "--json", "list"],
        ["instances", "list", "--json"],
      ]) {
        const { stdout, stderr } = await stub.run(words);
        expect(stderr).toBe("");
        expect(JSON.parse(stdout)).toEqual({
          instances: INSTANCES.map(({ id, name }) => ({ id, name, createdAt: "2026-11-20T10:54:03.412Z" })),
        });
      }
    });

    it("lists in aligned columns, and in blocks where the terminal is narrow", async () => {
      const wide = await stub.run(["instances", "list"], { columns: 80 });
      expect(wide.stdout.split("\n")[1]).toBe(`Europe         ${INSTANCES[0]?.id}  2026-11-20 10:54 UTC`);
      const narrow = await stub.run(["instances", "list"], { columns: 40 });
      expect(stripVTControlCharacters(narrow.stdout)).toContain(`name     Europe\nid       ${INSTANCES[0]?.id}\n`);
    });

    it("uses colours on a terminal only, and none with NO_COLOR", async () => {
      const words = ["instances", "list"];
      process.env.TERM = "xterm-256color";
      // Node takes a CI that it does not know for one without colours.
      delete process.env.CI;
      const [terminal, file] = [await stub.run(words, { columns: 80 }), await stub.run(words)];
      process.env.NO_COLOR = "1";
      const asked = await stub.run(words, { columns: 80 }).finally(() => delete process.env.NO_COLOR);
      expect(terminal.stdout).not.toBe(file.stdout);
      expect(stripVTControlCharacters(terminal.stdout)).toBe(file.stdout);
      expect(asked.stdout).toBe(file.stdout);
    });

    it.each(["Auftrag-für-München", "\t"])("refuses a request id that no call can carry: %j", async (given) => {
      const { exitCode, stderr } = await stub.run(["instances", "create", "--name", "Europe", "--request-id", given]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("letters, digits and signs of ASCII")]);
    });

    it("sends a new request id unless one is given, and names the call after it (R-G18)", async () => {
      await stub.run(["instances", "create", "--name", "a"]);
      const [first] = [lastRequest<{ requestId: string }>().requestId];
      await stub.run(["instances", "create", "--name", "a"]);
      expect(first).toMatch(/^req_[A-Za-z0-9]{21}$/);
      expect(lastRequest<{ requestId: string }>().requestId).not.toBe(first);
      await stub.run(["instances", "create", "--name", "a", "--request-id", "mine-4711"]);
      expect(stub.received.at(-1)).toMatchObject({ request: { requestId: "mine-4711" }, requestId: "mine-4711" });
    });

    it("takes an instance by id or by name", async () => {
      await stub.run(["tenants", "create", "--instance", "north america", "--name", "Cedar"]);
      expect(lastRequest<CreateTenantRequest>().instanceId).toBe(INSTANCES[1]?.id);
      const calls = stub.received.length;
      await stub.run(["tenants", "create", "--instance", idOf("instance", "X"), "--name", "Cedar"]);
      expect(lastRequest<CreateTenantRequest>().instanceId).toBe(idOf("instance", "X"));
      expect(stub.received.length).toBe(calls + 1);
    });

    it("lists the instances when none has the name", async () => {
      expect(await stub.run(["tenants", "list", "--instance", "Asia"])).toEqual({
        exitCode: 2,
        stdout: "",
        stderr: `gatehouse: There is no instance named Asia.\nThere are: Europe, North America (gatehouse instances list --socket-directory ${stub.socketDirectory})\n`,
      });
    });

    it("makes a tenant with its address", async () => {
      const words = ["--address1", "Speicherkai 12", "--postal-code", "20457", "--city", "Hamburg", "--country", "DE"];
      const { stdout } = await stub.run([
        "tenants",
        "create",
        "--instance",
        "Europe",
        "--name",
        "Nordlicht",
        "--json",
        ...words,
      ]);
      const address = {
        address1: "Speicherkai 12",
        address2: null,
        postalCode: "20457",
        city: "Hamburg",
        zoneCode: null,
        isoCountryCode: "DE",
      };
      expect(lastRequest<CreateTenantRequest>()).toMatchObject({ name: "Nordlicht", address });
      expect(JSON.parse(stdout)).toEqual({
        id: idOf("client"),
        instanceId: INSTANCES[0]?.id,
        name: "Nordlicht",
        address,
        createdAt: "2026-11-20T10:54:03.412Z",
      });
    });

    it("says so when a list is empty, and names the first command", async () => {
      const { exitCode, stdout, stderr } = await stub.run(["tenants", "list", "--instance", "North America"]);
      expect([exitCode, stdout]).toEqual([0, ""]);
      expect(stderr).toContain("The instance has no tenants yet.");
      expect(stderr).toContain("gatehouse tenants create --instance 'North America' --name …");
    });

    it("invites a user, and names the next step for the password", async () => {
      const words = `users invite --tenant ${idOf("client")} --email maren.dahl@nordlicht.example --role Admin --email-verified --signed-in-before`;
      const { stdout, stderr } = await stub.run(words.split(" "));
      expect(lastRequest<InviteUserRequest>()).toMatchObject({
        tenantId: idOf("client"),
        email: "maren.dahl@nordlicht.example",
        firstName: null,
        lastName: null,
        roleName: "Admin",
        invitedByUserId: null,
        emailVerified: true,
        signedInBefore: true,
      });
      expect(stdout).toContain(
        "status     INVITED\nperson     Maren\ne-mail     maren.dahl@nordlicht.example (not verified)\n",
      );
      expect(stderr).toContain(`Next: gatehouse people invite ${PERSON.id}`);
    });

    it("changes a user's state by its id", async () => {
      const { stdout, stderr } = await stub.run(["users", "disable", USER.id, "--json"]);
      expect(stub.received.at(-1)).toMatchObject({ path: "DisableUser", request: { userId: USER.id } });
      expect(JSON.parse(stdout)).toMatchObject({
        id: USER.id,
        status: "INACTIVE",
        person: { email: PERSON.email, firstName: "Maren", lastName: null },
        role: { id: 7, name: "Admin" },
        managerId: null,
      });
      expect(stderr).toBe("");
    });

    it("onboards a worker with every repeatable flag", async () => {
      const [unit, other] = [idOf("unit", "A"), idOf("unit", "B")];
      const words = `workers onboard --tenant ${idOf("client")} --email e@f.example --first-name Ole --last-name Hansen --job-title Baker`;
      await stub.run([
        ...words.split(" "),
        "--job-title",
        "First aider",
        "--unit",
        unit,
        "--unit",
        other,
        "--primary-unit",
        other,
      ]);
      expect(lastRequest<OnboardWorkerRequest>()).toMatchObject({
        jobTitles: ["Baker", "First aider"],
        unitIds: [unit, other],
        primaryUnitId: other,
        locationId: null,
        phone: null,
        emailVerified: false,
      });
    });

    it("omits from a unit the values that were not given", async () => {
      await stub.run([
        "units",
        "create",
        "--tenant",
        idOf("client"),
        "--unit-type",
        idOf("unittype"),
        "--name",
        "Ovens",
      ]);
      expect(lastRequest()).toMatchObject({ name: "Ovens", unitCode: null, description: null, parentUnitId: null });
    });
  });
});
