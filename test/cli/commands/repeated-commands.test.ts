import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newFolder } from "../../support/folder.ts";
import { openGatehouse } from "../../support/gatehouse.ts";
import { withScope } from "../../support/scope.ts";
import { invitation, makeWorld, type World } from "../../support/world.ts";
import { gatehouse, type Ran } from "../command-line.ts";

describe("commands that an operator runs a second time, beside a running Gatehouse", () => {
  withScope((closeLater) => {
    let world: World;
    let directory: string;
    let run: (...words: string[]) => Promise<Ran>;

    beforeAll(async () => {
      const product = await openGatehouse(closeLater);
      run = (...words) => gatehouse([...words, "--data-directory", product.dataDirectory]);
      directory = newFolder("gatehouse-again-");
      world = await makeWorld(product);
      await product.platform.inviteUser(invitation(world.tenantId, "pia@harbour.example"));
    });

    it("rotate-secret says which secret a third one ends, and does it only with --yes in a script (R-X202)", async () => {
      const rotate = ["applications", "rotate-secret", world.application.id];
      expect(await run(...rotate, "--keep-previous", "7d")).toMatchObject({ exitCode: 0 });
      const { exitCode, stdout, stderr } = await run(...rotate);
      expect([exitCode, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/The application has two valid secrets: [\s\S]+ends the one before now[\s\S]+Add --yes/);
      expect((await run(...rotate, "--yes")).stdout).toMatch(/^secret +ghs_/m);
      expect((await run(...rotate, "--end-previous")).exitCode).toBe(0);
      expect((await run(...rotate, "--keep-previous", "0")).exitCode).toBe(0);
    });

    it("rotate-secret says its longest time in days", async () => {
      const { exitCode, stderr } = await run(
        "applications",
        "rotate-secret",
        world.application.id,
        "--keep-previous",
        "40d",
      );
      expect(exitCode).toBe(1);
      expect(stderr).toContain("--keep-previous must be 0 to 2592000 seconds (30 days)");
    });

    it("api-keys revoke of a label that was revoked says since when, with exit code 2", async () => {
      await run("integrations", "create", "--name", "Paytide");
      await run("api-keys", "issue", "--integration", "Paytide", "--label", "nightly");
      expect((await run("api-keys", "revoke", "nightly")).exitCode).toBe(0);
      for (const narrowed of [[], ["--integration", "Paytide"]]) {
        const { exitCode, stderr } = await run("api-keys", "revoke", "nightly", ...narrowed);
        expect(exitCode).toBe(2);
        expect(stderr).toMatch(/The API key nightly of Paytide \([^)]+\) is revoked already, since \d{4}-/);
      }
      expect((await run("api-keys", "revoke", "weekly")).stderr).toContain("There is no API key named weekly.");
    });

    it("api-keys revoke of a label that two integrations have names the flag that narrows it", async () => {
      for (const integration of ["Tidepay", "Quay"]) {
        await run("integrations", "create", "--name", integration);
        await run("api-keys", "issue", "--integration", integration, "--label", "daily");
      }
      const { exitCode, stderr } = await run("api-keys", "revoke", "daily");
      expect(exitCode).toBe(2);
      expect(stderr).toContain("Give --integration, or the id of one:");
      expect((await run("api-keys", "revoke", "daily", "--integration", "Quay")).exitCode).toBe(0);
    });

    it("people disable says that a person was disabled already", async () => {
      const disable = ["people", "disable", "pia@harbour.example"];
      expect((await run(...disable)).stderr).toContain("can no longer sign in anywhere");
      expect((await run(...disable)).stderr).toContain("was disabled already");
      expect((await run("people", "enable", "pia@harbour.example")).stderr).toContain(
        "A sign-in needs a seat and a password, too",
      );
    });

    it("onboard says that nothing was made, and where a file is, that everything is there", async () => {
      const file = join(directory, "pier.env");
      expect((await run("onboard", "Pier", "--instance", world.instanceId)).stderr).toContain(
        "Secrets are shown this once",
      );
      const again = await run("onboard", "Pier", "--instance", world.instanceId);
      expect(again.stderr.replaceAll("\n", " ")).toContain("Pier was onboarded before; no secret was made");
      expect(again.stderr).not.toContain("Secrets are shown this once");
      expect(again.stdout).toContain("for another one: gatehouse api-keys issue --integration Pier");
      await writeFile(file, "");
      const there = await run("onboard", "Pier", "--instance", world.instanceId, "--hand-over", file);
      expect(there.exitCode).toBe(2);
      expect(there.stderr).toContain("it exists already, and there is an integration Pier");
    });

    it("audit list takes names of objects and actors", async () => {
      const ofTenant = await run("audit", "list", "--object", "Harbour Bakery", "--json");
      expect(JSON.parse(ofTenant.stdout).entries).toContainEqual(
        expect.objectContaining({ action: "tenant.create", object: world.tenantId }),
      );
      const ambiguous = await run("audit", "list", "--object", "Marigold");
      expect([ambiguous.exitCode, ambiguous.stdout]).toEqual([2, ""]);
      expect(ambiguous.stderr).toMatch(/^ {2}app_\w+ +Marigold +application$/m);
      expect(ambiguous.stderr).toMatch(/^ {2}integration_\w+ +Marigold +integration$/m);
      expect((await run("audit", "list", "--actor", "Harbour Bakery")).stderr).toContain("There are no such entries.");
    });

    it.each([
      ["--object", "Maren Nobody", "named Maren Nobody"],
      ["--actor", "Harbour Payroll", "named Harbour Payroll"],
      ["--action", "people.disable", "person.disable"],
      ["--action", "aplication.*", "application.*"],
    ])("audit list refuses %s %s, which does not exist, with exit code 2", async (flag, value, words) => {
      const { exitCode, stderr } = await run("audit", "list", flag, value);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(words);
    });
  });
});
