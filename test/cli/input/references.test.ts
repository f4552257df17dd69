import { ApplicationKind } from "../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { type Gatehouse, openGatehouse } from "../../support/gatehouse.ts";
import { withScope } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { applicationRequest, makeWorld, onboarding, present, type World } from "../../support/world.ts";
import { gatehouse, type Ran } from "../command-line.ts";

/** What a program reads of a refusal. */
interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly reason: string;
    readonly fix: string | null;
    readonly candidates?: readonly { readonly id: string; readonly name: string; readonly details: string[] }[];
  };
}

eachStore((store, open) => {
  withScope((closeLater) => {
    let world: World;
    let run: (...words: string[]) => Promise<Ran>;
    /** What each command that is advised needs to find the same Gatehouse. */
    let where: string;
    let twinId: string;
    let workerId: string;

    const install = async () =>
      openGatehouse(closeLater, store === "postgres" ? { storeUrl: (await open([])).location } : {});
    const commandsOf =
      ({ dataDirectory }: Gatehouse) =>
      (...words: string[]) =>
        gatehouse([...words, "--data-directory", dataDirectory]);

    beforeAll(async () => {
      const peers = await install();
      where = ` --data-directory ${peers.dataDirectory}`;
      run = commandsOf(peers);
      world = await makeWorld(peers);
      const asia = present((await peers.platform.createInstance({ requestId: "", name: "Asia" })).instance).id;
      const address = { address1: null, address2: null, postalCode: null, city: "Osaka", zoneCode: null };
      const twin = {
        requestId: "",
        instanceId: asia,
        name: "Tea House",
        address: { ...address, isoCountryCode: null },
      };
      await peers.platform.createTenant(twin);
      twinId = present((await peers.platform.createTenant({ ...twin, instanceId: world.instanceId })).tenant).id;
      const { worker } = await peers.platform.onboardWorker(onboarding(world.tenantId, "tomas@harbour.example"));
      workerId = present(worker).id;
      await peers.platform.onboardWorker(onboarding(world.tenantId, "ines@harbour.example", { firstName: "Ines" }));
      await peers.platform.createUnitType({
        requestId: "",
        tenantId: world.tenantId,
        name: "Team",
        units: [
          { name: "Ovens", unitCode: "OV", parent: null },
          { name: "Counter", parent: null },
        ],
      });
      await peers.platform.createLocation({ requestId: "", tenantId: world.tenantId, name: "Quay Street" });
      const connect = { requestId: "", integrationId: world.integrationId, instanceId: asia, configured: true };
      await peers.workforce.connectIntegration(connect);
      await peers.signOn.createApplication(
        applicationRequest(world.instanceId, { name: "Time clock", kind: ApplicationKind.WEB }),
      );
      await peers.webhooks.createSubscription({
        label: "payroll",
        instanceIntegrationId: world.instanceIntegrationId,
        endpointUrl: "https://hooks.example/in",
        eventTypes: ["*"],
        tenantIds: [world.tenantId],
      });
    });

    const errorOf = ({ stderr }: Ran): ErrorDocument["error"] => (JSON.parse(stderr) as ErrorDocument).error;

    it.each([
      ["too long", ["tenants", "update", "n".repeat(255), "--city", "Delft"], "tenant_not_found"],
      ["with a control character", ["people", "show", "Maren\u0007Dahl"], "person_not_found"],
    ])("a text that no name can be, %s, names nothing, and is blamed on no flag", async (_, words, reason) => {
      const refused = await run(...words, "--json");
      expect([refused.exitCode, errorOf(refused).reason]).toEqual([2, reason]);
    });

    describe("a thing given by its name (R-X194)", () => {
      it.each([
        ["a tenant by its name", ["tenants", "show", "harbour bakery"], /^name +Harbour Bakery$/m],
        ["a user by e-mail address", ["users", "show", "MAREN.dahl@harbour.example"], /^person +Maren Dahl$/m],
        [
          "a user by name, in a tenant by name",
          ["users", "show", "Maren Dahl", "--tenant", "Harbour Bakery"],
          /^tenant +Harbour Bakery$/m,
        ],
        ["a worker by e-mail address", ["workers", "show", "tomas@harbour.example"], /^person +Tomas Lindqvist$/m],
        [
          "a person by e-mail address",
          ["people", "update", "ines@harbour.example", "--first-name", "Inés"],
          /^name +Inés Lindqvist$/m,
        ],
        ["an application by its name", ["applications", "show", "time clock"], /^redirect URIs .* → Europe$/m],
        [
          "a subscription by its label",
          ["deliveries", "list", "--subscription", "payroll", "--state", "cancelled"],
          /^$/,
        ],
        [
          "a unit by its code",
          ["units", "update", "ov", "--tenant", "Harbour Bakery", "--description", "Hot"],
          /^unit type +Team$/m,
        ],
        [
          "a unit type by its name",
          ["unit-types", "rename", "team", "--tenant", "Harbour Bakery", "--name", "Team"],
          /^tenant +Harbour Bakery$/m,
        ],
        [
          "units and location of a worker",
          [
            "workers",
            "update",
            "tomas@harbour.example",
            "--unit",
            "Ovens",
            "--unit",
            "Counter",
            "--primary-unit",
            "Counter",
            "--location",
            "quay street",
          ],
          /^units +Ovens\n +Counter\nprimary unit +Counter\nlocation +Quay Street$/m,
        ],
        [
          "an instance integration as its list shows it",
          ["integrations", "configure", "Marigold on Asia"],
          /^instance +Asia$/m,
        ],
        ["an instance integration by its instance", ["integrations", "configure", "asia"], /^integration +Marigold$/m],
        [
          "an instance integration of an integration",
          ["integrations", "configure", "Europe", "--integration", "Marigold"],
          /^instance +Europe$/m,
        ],
        [
          "an access role by its number or name",
          ["users", "assign-role", "maren.dahl@harbour.example", "--role", "Admin"],
          /^role +Admin$/m,
        ],
        [
          "a manager by e-mail address, or none",
          ["users", "assign-manager", "maren.dahl@harbour.example", "--none"],
          /^manager +–$/m,
        ],
      ])("is %s", async (_, words, shown) => {
        const { exitCode, stdout, stderr } = await run(...words);
        expect([exitCode, stderr.includes("gatehouse: ")]).toEqual([0, false]);
        expect(stdout).toMatch(shown);
      });

      it("is a key by its label, which is free again when it is revoked", async () => {
        const words = ["api-keys", "revoke", "spare", "--integration", "Marigold"];
        await run("api-keys", "issue", "--integration", "Marigold", "--label", "spare");
        expect((await run(...words)).exitCode).toBe(0);
        expect((await run(...words)).exitCode).toBe(2);
        await run("api-keys", "issue", "--integration", "Marigold", "--label", "spare");
        expect((await run(...words)).exitCode).toBe(0);
      });

      it("is a subscription's instance integration and its tenants", async () => {
        const made = await run(
          ...["subscriptions", "create", "--label", "by-name", "--instance-integration", "Marigold on Europe"],
          ...["--endpoint-url", "https://hooks.example/in", "--tenant", "Harbour Bakery"],
        );
        expect(made.stdout).toMatch(/^instance integration +Marigold on Europe$/m);
        expect(made.stdout).toMatch(/^tenants +Harbour Bakery$/m);
        const table = (await run("subscriptions", "list")).stdout;
        expect(table).toMatch(/^LABEL +ID +INSTANCE INTEGRATION +STATE/);
        expect(table).toMatch(/^by-name +subscription_\w+ +Marigold on Europe +pending/m);
      });
    });

    describe("an ambiguous name (R-X194)", () => {
      it("changes nothing, and lists the candidates with what distinguishes them", async () => {
        const before = (await run("tenants", "list", "--json")).stdout;
        const { exitCode, stdout, stderr } = await run("tenants", "update", "Tea House", "--city", "Kobe");
        expect([exitCode, stdout]).toEqual([2, ""]);
        expect(stderr).toMatch(
          /^gatehouse: 2 tenants fit Tea House; nothing was changed\.\nGive the id of one:\n {2}client_\w{21} {2}Tea House {2}Asia, Osaka\n {2}client_\w{21} {2}Tea House {2}Europe, Osaka\n$/,
        );
        expect((await run("tenants", "list", "--json")).stdout).toBe(before);
      });

      it("is an object for a program", async () => {
        const ran = await run("users", "list", "--tenant", "tea house", "--json");
        expect(ran.exitCode).toBe(2);
        expect(errorOf(ran)).toMatchObject({
          code: "FAILED_PRECONDITION",
          reason: "tenant_ambiguous",
          candidates: [{ details: ["Asia", "Osaka"] }, { id: twinId, name: "Tea House", details: ["Europe", "Osaka"] }],
        });
      });

      it("is bounded: ten candidates, and the command that lists all", async () => {
        for (let count = 0; count < 11; count++)
          await run("tenants", "create", "--instance", "Asia", "--name", "Kiosk");
        const { exitCode, stderr } = await run("tenants", "show", "Kiosk");
        expect(exitCode).toBe(2);
        expect(stderr).toContain("More than 10 tenants fit Kiosk; nothing was changed.");
        expect(stderr.match(/^ {2}client_/gm)).toHaveLength(10);
        expect(stderr.endsWith(`  and more: gatehouse tenants list${where}\n`)).toBe(true);
      });

      it("is an instance integration by an integration that has several", async () => {
        const { exitCode, stderr } = await run("integrations", "unconfigure", "Marigold");
        expect(exitCode).toBe(2);
        expect(stderr).toContain("2 instance integrations fit Marigold; nothing was changed.");
        expect(stderr).toMatch(/installation_\w{21} {2}Marigold on Asia$/m);
      });
    });

    describe("an unknown name, with exit code 2 and the command that lists what there is (R-X194)", () => {
      it.each([
        ["tenants show Third", "There is no tenant named Third.", "gatehouse tenants list"],
        ["users list --tenant Third", "There is no tenant named Third.", "gatehouse tenants list"],
        [
          "users show no@harbour.example",
          "There is no user with the e-mail address no@harbour.example.",
          "gatehouse users list --tenant <tenant>",
        ],
        [
          "users show Maren",
          "Maren is not the id of a user, and names are looked for in one tenant.",
          "gatehouse users list --tenant <tenant>",
        ],
        ["people show Maren", "There is no person named Maren.", "gatehouse users list --tenant <tenant>"],
        [
          "people invite no@harbour.example",
          "There is no person with the e-mail address no@harbour.example.",
          "gatehouse users list --tenant <tenant>",
        ],
        [
          "people disable no@harbour.example",
          "There is no person with the e-mail address no@harbour.example.",
          "gatehouse users list --tenant <tenant>",
        ],
        [
          "passwords set --person no@harbour.example",
          "There is no person with the e-mail address no@harbour.example.",
          "gatehouse users list --tenant <tenant>",
        ],
        ["applications show Marigold2", "There is no application named Marigold2.", "gatehouse applications list"],
        ["deliveries list --subscription none", "There is no subscription named none.", "gatehouse subscriptions list"],
        ["deliveries show 1", "There is no delivery named 1.", "gatehouse deliveries list"],
        [
          "units update Nowhere --tenant harbour --name X",
          "There is no tenant named harbour.",
          "gatehouse tenants list",
        ],
        ["api-keys revoke none", "There is no API key named none.", "gatehouse api-keys list"],
        [
          "integrations configure Africa",
          "There is no instance integration named Africa.",
          "(gatehouse integrations list)",
        ],
        [
          "integrations connect --integration None --instance Europe",
          "There is no integration named None.",
          "There is: Marigold (gatehouse integrations list)",
        ],
      ])("%s", async (words, message, list) => {
        const { exitCode, stdout, stderr } = await run(...words.split(" "));
        expect([exitCode, stdout]).toEqual([2, ""]);
        expect(stderr).toContain(`gatehouse: ${message}\n`);
        expect(stderr.replace(where, "")).toContain(list);
      });

      it("names the tenant that the list is of", async () => {
        const words = ["units", "update", "Nowhere", "--tenant", "Harbour Bakery", "--name", "X"];
        expect((await run(...words)).stderr).toBe(
          `gatehouse: There is no unit named Nowhere.\nSee what there is: gatehouse units list --tenant 'Harbour Bakery'${where}\n`,
        );
      });

      it("leaves an id of the right form to the command, which refuses it with exit code 1", async () => {
        const { exitCode, stderr } = await run("tenants", "show", "client_AAAAAAAAAAAAAAAAAAAAA");
        expect(exitCode).toBe(1);
        expect(stderr).toContain("There is no tenant client_AAAAAAAAAAAAAAAAAAAAA.");
      });

      it.each(["'", "%", "_", "\\", "💶", "Robert'); drop table workforce_tenants;--", " "])(
        "%j is one of them",
        async (name) => {
          expect((await run("tenants", "show", name)).exitCode).toBe(2);
        },
      );
    });

    describe("what belongs together", () => {
      it("lists have ids beside names with --ids, too", async () => {
        expect((await run("tenants", "list", "--ids")).stdout).toMatch(/ Asia \(instance_\w{21}\) /);
        const units = await run("units", "list", "--tenant", "Harbour Bakery", "--ids");
        expect(units.stdout).toMatch(/ Team \(unittype_\w{21}\) /);
      });

      it("is shown by name; with --ids the ids beside it; in JSON as ids", async () => {
        expect((await run("workers", "show", workerId)).stdout).toMatch(/^tenant +Harbour Bakery$/m);
        expect((await run("workers", "show", workerId, "--ids")).stdout).toMatch(
          new RegExp(`^tenant +Harbour Bakery \\(${world.tenantId}\\)$`, "m"),
        );
        const { tenantId } = JSON.parse((await run("workers", "show", workerId, "--json")).stdout) as {
          tenantId: string;
        };
        expect(tenantId).toBe(world.tenantId);
      });

      it("lists the tenants of every instance with its name, unless one is given", async () => {
        expect((await run("tenants", "list")).stdout).toMatch(/^Harbour Bakery +client_\w+ +Europe +– +–$/m);
        expect((await run("tenants", "list", "--instance", "Europe")).stdout).not.toContain("INSTANCE");
      });

      it("has its lengths of time in words", async () => {
        expect((await run("applications", "show", "Time clock")).stdout).toMatch(
          /lifetimes +authorization code 10 minutes\n +access token 1 hour\n +ID token 1 hour\n +refresh token 30 days unused, 180 days in all$/m,
        );
      });
    });

    describe("two names that differ in another letter than A to Z (R-X194)", () => {
      it("are two: a to z count like A to Z, every other letter as it is", async () => {
        // An installation of its own: other tests list every integration of the suite's.
        const there = commandsOf(await install());
        for (const name of ["Äpfel", "äpfel"]) {
          expect(await there("integrations", "create", "--name", name)).toMatchObject({ exitCode: 0 });
          const issued = await there("api-keys", "issue", "--integration", name, "--label", name);
          expect(issued).toMatchObject({ exitCode: 0 });
        }
        const listed = await there("api-keys", "list", "--integration", "ÄPFEL");
        expect(listed).toMatchObject({ exitCode: 0 });
        expect(listed.stdout).toContain("Äpfel");
        expect(listed.stdout).not.toContain("äpfel");
      });
    });
  });
});
