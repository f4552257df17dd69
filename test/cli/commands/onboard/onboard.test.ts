import { execFile } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { betweenCommits } from "../../../support/between-commits.ts";
import { newFolder } from "../../../support/folder.ts";
import { type Gatehouse, openGatehouse } from "../../../support/gatehouse.ts";
import { call } from "../../../support/http.ts";
import { withScope } from "../../../support/scope.ts";
import { gatehouse, type Ran, type RunOptions } from "../../command-line.ts";

const REDIRECT_URI = "https://quay.example/callback";
const ENDPOINT = "https://quay.example/events";
const EVERYTHING = ["--redirect-uri", REDIRECT_URI, "--endpoint-url", ENDPOINT];

/** The values that a shell gets from the file. */
async function sourced(file: string): Promise<Readonly<Record<string, string>>> {
  const script = 'set -a; . "$1"; set +a; exec env';
  const { stdout } = await promisify(execFile)("sh", ["-ec", script, "sh", file], {
    env: { PATH: process.env.PATH ?? "" },
  });
  return Object.fromEntries(stdout.split("\n").map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

describe("gatehouse onboard, beside a running Gatehouse", () => {
  withScope((closeLater) => {
    let product: Gatehouse;
    let folder: string;
    let file: string;
    const run = (words: readonly string[], options?: RunOptions) =>
      gatehouse([...words, "--data-directory", product.dataDirectory], options);
    const json = async (...words: readonly string[]) => JSON.parse((await run([...words, "--json"])).stdout);
    const integrationsNamed = async (name: string) =>
      (await json("integrations", "list")).integrations.filter((one: { name: string }) => one.name === name);

    /** Meanwhile the store takes no subscription, so that the last step fails after everything was checked. */
    async function withoutSubscriptions<T>(work: () => Promise<T>): Promise<T> {
      const store = new BetterSqlite3(join(product.dataDirectory, "gatehouse.sqlite"), { timeout: 0 });
      await betweenCommits(() =>
        store.exec(
          "create trigger none_now before insert on webhooks_subscriptions begin select raise(abort, 'none now'); end",
        ),
      );
      try {
        return await work();
      } finally {
        await betweenCommits(() => store.exec("drop trigger none_now"));
        store.close();
      }
    }

    beforeAll(async () => {
      product = await openGatehouse(closeLater);
      await run(["instances", "create", "--name", "Europe"]);
    });
    beforeEach(async () => {
      folder = newFolder("gh-onboard-");
      file = join(folder, "hand-over.env");
    });

    it("makes everything and a file with which an integrator's shell works (R-X201, R-X203)", async () => {
      const name = "Quay's Payroll";
      const { exitCode, stdout, stderr } = await run(["onboard", name, ...EVERYTHING, "--hand-over", file]);
      expect([exitCode, stderr]).toEqual([
        0,
        expect.stringContaining(
          `Next: hand it over, with the address of the guides: ${product.url}/docs/guides/quickstart`,
        ),
      ]);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const values = await sourced(file);
      expect(values).toMatchObject({
        ISSUER: product.url,
        GATEWAY_URL: product.url,
        INSTANCE_INTEGRATION_ID: expect.stringMatching(/^installation_/),
        APPLICATION_ID: expect.stringMatching(/^app_/),
        APPLICATION_SECRET: expect.stringMatching(/^ghs_/),
        REDIRECT_URI,
        SUBSCRIPTION_ENDPOINT: ENDPOINT,
        WEBHOOK_SECRET: expect.stringMatching(/^whsec_/),
      });
      for (const secret of ["API_KEY", "APPLICATION_SECRET", "WEBHOOK_SECRET"])
        expect(`${stdout}${stderr}`).not.toContain(values[secret]);
      const answer = await call(product.url, `/v1/instance-integrations/${values.INSTANCE_INTEGRATION_ID}/clients`, {
        headers: { "x-api-key": values.API_KEY ?? "" },
      });
      expect(answer.status).toBe(200);
      const actions = (await json("audit", "list")).entries.map(({ action }: { action: string }) => action);
      expect(actions).toEqual(
        expect.arrayContaining(["integration.create", "apiKey.issue", "application.create", "subscription.create"]),
      );
    });

    it("refuses a file that exists before it makes anything (R-X203)", async () => {
      await writeFile(file, "mine");
      const { exitCode, stderr } = await run(["onboard", "Late", ...EVERYTHING, "--hand-over", file]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${file} cannot be written: it exists already.`)]);
      expect(await readFile(file, "utf8")).toBe("mine");
      expect(await integrationsNamed("Late")).toEqual([]);
    });

    it("makes nothing when anything is refused, and names every flag at once (R-X201)", async () => {
      const words = ["onboard", "Wrong", "--redirect-uri", "/callback", "--endpoint-url", "ftp://wrong.example"];
      const more = ["--event-type", "user.vanished", "--subscription-label", "No Slug", "--key-label", ""];
      const { exitCode, stdout, stderr } = await run([...words, ...more, "--hand-over", file]);
      expect([exitCode, stdout]).toEqual([1, ""]);
      const flags = [...stderr.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag);
      expect(flags.toSorted()).toEqual(
        ["--endpoint-url", "--event-type", "--key-label", "--redirect-uri", "--subscription-label"].toSorted(),
      );
      expect(await integrationsNamed("Wrong")).toEqual([]);
      expect(await readdir(folder)).toEqual([]);
    });

    it("refuses a name that its application cannot have before it makes an integration of it (R-X201)", async () => {
      const name = "n".repeat(101);
      const { exitCode, stderr } = await run(["onboard", name, "--redirect-uri", REDIRECT_URI]);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("  <name> must have 1 to 100 characters")]);
      expect(await integrationsNamed(name)).toEqual([]);
      expect((await run(["onboard", name, "--no-application"])).exitCode).toBe(0);
    });

    it("leaves no unfinished file when nothing was made: the right name may have it (R-X203)", async () => {
      const { exitCode, stderr } = await run(["onboard", "n".repeat(201), "--hand-over", file]);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("  <name> must have at most 200 characters")]);
      expect(await readdir(folder)).toEqual([]);
      expect((await run(["onboard", "Nettle", "--hand-over", file])).exitCode).toBe(0);
    });

    it("says what is made when a step is refused, and goes on when run again, with every secret (R-X201)", async () => {
      const words = ["onboard", "Lantern", ...EVERYTHING, "--hand-over", file];
      const refused = await withoutSubscriptions(() => run(words));
      expect(refused.exitCode).toBe(1);
      expect(refused.stdout).toMatch(/^integration +integration_\w+ \(made\)$/m);
      expect(refused.stdout).toMatch(/^application +app_\w+ \(made\)$/m);
      expect(refused.stderr).toContain("This much is made. Run the same command again, and it goes on from here.");
      const { exitCode, stdout } = await run(words);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^application +app_\w+ \(was there\)$/m);
      expect(stdout).toMatch(/^subscription +subscription_\w+ \(made\)$/m);
      expect(stdout).not.toContain("for another one");
      expect(await sourced(file)).toMatchObject({
        API_KEY: expect.stringMatching(/^ghk_/),
        APPLICATION_SECRET: expect.stringMatching(/^ghs_/),
        WEBHOOK_SECRET: expect.stringMatching(/^whsec_/),
      });
      expect(await integrationsNamed("Lantern")).toHaveLength(1);
      expect((await json("api-keys", "list", "--integration", "Lantern")).apiKeys).toHaveLength(1);
    });

    it("hands over what is made now, when what an interrupted run had made was ended meanwhile (R-X203)", async () => {
      const words = ["onboard", "Buoy", ...EVERYTHING, "--hand-over", file];
      const interrupted = await withoutSubscriptions(() => run([...words, "--json"]));
      const { apiKey, application } = JSON.parse(interrupted.stdout);
      await run(["api-keys", "revoke", apiKey.id]);
      await run(["applications", "delete", application.id, "--yes"]);
      const again = await json(...words);
      expect([again.apiKey.made, again.application.made]).toEqual([true, true]);
      const values = await sourced(file);
      const answer = await call(product.url, "/v1/instance-integrations", {
        headers: { "x-api-key": values.API_KEY ?? "" },
      });
      expect(answer.status).toBe(200);
      expect(values.APPLICATION_ID).toBe(again.application.id);
      const token = await call(product.url, "/auth/introspect", {
        form: { token: "any", client_id: values.APPLICATION_ID ?? "", client_secret: values.APPLICATION_SECRET ?? "" },
      });
      expect([token.status, token.json()]).toEqual([200, { active: false }]);
      const lines = (await readFile(file, "utf8")).split("\n");
      expect(lines.filter((line) => line.startsWith("API_KEY="))).toHaveLength(1);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    });

    it("shows the secrets that were made, once, when a step is refused and there is no file", async () => {
      const { exitCode, stdout } = await withoutSubscriptions(() =>
        run(["onboard", "Beacon", ...EVERYTHING, "--json"]),
      );
      expect(exitCode).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        complete: false,
        subscription: null,
        values: { API_KEY: expect.stringMatching(/^ghk_/), APPLICATION_SECRET: expect.stringMatching(/^ghs_/) },
      });
    });

    it("makes nothing twice, and names the commands for secrets that were shown before (R-X201)", async () => {
      const first = await json("onboard", "Harbour", ...EVERYTHING);
      const { exitCode, stdout } = await run(["onboard", "harbour", ...EVERYTHING, "--hand-over", file]);
      expect(exitCode).toBe(0);
      expect(stdout).not.toContain("(made)");
      const directory = `--data-directory ${product.dataDirectory}`;
      expect(stdout).toContain(
        `for another one: gatehouse applications rotate-secret ${first.application.id} ${directory}\n`,
      );
      expect(stdout).toContain("for another one: gatehouse api-keys issue --integration harbour --label …");
      const values = await sourced(file);
      expect(values.APPLICATION_ID).toBe(first.application.id);
      expect(values).not.toHaveProperty("API_KEY");
      expect(await readFile(file, "utf8")).toContain("# API_KEY was shown when it was made");
      expect(await readFile(file, "utf8")).not.toContain(directory);
      const again = await json("onboard", "Harbour", ...EVERYTHING, "--key-label", "second");
      expect(again).toMatchObject({ apiKey: { made: true }, values: { API_KEY: expect.stringMatching(/^ghk_/) } });
    });

    it("says of what was there that it is disabled or paused, and what makes it active", async () => {
      await run(["onboard", "Dusk", ...EVERYTHING]);
      const first = await json("onboard", "Dusk", ...EVERYTHING);
      expect([first.application.state, first.subscription.state]).toEqual([undefined, undefined]);
      await run(["applications", "disable", first.application.id]);
      await run(["subscriptions", "pause", first.subscription.id]);
      const { exitCode, stdout } = await run(["onboard", "Dusk", ...EVERYTHING]);
      expect(exitCode).toBe(0);
      const directory = `--data-directory ${product.dataDirectory}`;
      expect(stdout).toContain(
        `it is disabled, and sign-ins with it are refused; to enable it: gatehouse applications enable ${first.application.id} ${directory}\n`,
      );
      expect(stdout).toContain(
        `it is paused, and gets no events; to make it active: gatehouse subscriptions resume dusk-europe ${directory}\n`,
      );
      const again = await json("onboard", "Dusk", ...EVERYTHING);
      expect([again.application.state, again.subscription.state]).toEqual(["disabled", "paused"]);
    });

    it.each([
      ["--event-type", ["--event-type", "user.*"], "--endpoint-url"],
      ["--subscription-label", ["--subscription-label", "shore"], "--endpoint-url"],
      ["--kind", ["--kind", "native"], "--redirect-uri"],
    ])("refuses %s without what it is about, and makes nothing", async (flag, words, needed) => {
      const { exitCode, stdout, stderr } = await run(["onboard", "Shore", ...words]);
      expect([exitCode, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(`gatehouse: ${flag} is about `);
      expect(stderr).toContain(`Give ${needed}, or leave ${flag} out.`);
      expect(await integrationsNamed("Shore")).toEqual([]);
    });

    it("finds its key by the label as every name is compared, and no key that has expired (R-X194, R-X201)", async () => {
      const key = async (label: string) => (await json("onboard", "Tide", "--key-label", label)).apiKey;
      const { id } = await key(" Nightly ");
      expect(await key(" Nightly ")).toMatchObject({ id, made: false });
      expect(await key("nightly")).toMatchObject({ id, made: false });
      const issued = await json("api-keys", "issue", "--integration", "Tide", "--label", "weekly");
      const store = new BetterSqlite3(join(product.dataDirectory, "gatehouse.sqlite"), { timeout: 0 });
      const expire = "update workforce_api_keys set expires_at = created_at where id = ?";
      await betweenCommits(() => store.prepare(expire).run(issued.id));
      store.close();
      const again = await key("weekly");
      expect([again.made, again.id === issued.id]).toEqual([true, false]);
    });

    it.each<[string, readonly string[], string]>([
      [
        "an application with other redirect URIs",
        ["--redirect-uri", "https://other.example/"],
        "Add it: gatehouse applications redirect-uris add app_",
      ],
      ["an application of another kind", ["--redirect-uri", REDIRECT_URI, "--kind", "native"], "Give its --kind"],
      [
        "a subscription of another endpoint",
        ["--endpoint-url", "https://other.example/"],
        "Give another --subscription-label",
      ],
    ])("refuses %s of that name, and changes nothing", async (_, words, fix) => {
      await run(["onboard", "Mill", ...EVERYTHING]);
      const { exitCode, stdout, stderr } = await run(["onboard", "Mill", ...words, "--key-label", "new"]);
      expect([exitCode, stdout, stderr]).toEqual([2, "", expect.stringContaining(fix)]);
      expect((await json("api-keys", "list", "--integration", "Mill")).apiKeys).toHaveLength(1);
    });

    it.each([
      ["--no-application", "--redirect-uri", REDIRECT_URI],
      ["--no-application", "--kind", "native"],
      ["--no-subscription", "--endpoint-url", ENDPOINT],
      ["--no-subscription", "--event-type", "user.*"],
      ["--no-subscription", "--subscription-label", "both"],
    ])("refuses %s beside %s, and makes nothing", async (none, flag, value) => {
      const { exitCode, stdout, stderr } = await run(["onboard", "Both", none, flag, value]);
      expect([exitCode, stdout, stderr]).toEqual([
        2,
        "",
        `gatehouse: ${flag} and ${none} contradict each other.\nGive one of them.\n`,
      ]);
      expect(await integrationsNamed("Both")).toEqual([]);
    });

    it("asks at a terminal for what no flag says (R-X202)", async () => {
      const typed = `${REDIRECT_URI}\nbrowser\n${ENDPOINT}\nuser.* client.*\n${file}\n`;
      const { exitCode, stderr } = await run(["onboard", "Typed"], { stdin: typed, typed: true });
      expect(exitCode).toBe(0);
      expect(stderr).toContain("Kind of application (web, browser, native) [web]: ");
      const values = await sourced(file);
      expect(values).toMatchObject({ REDIRECT_URI, SUBSCRIPTION_ENDPOINT: ENDPOINT });
      expect(values).not.toHaveProperty("APPLICATION_SECRET");
      const { subscriptions } = await json("subscriptions", "list");
      expect(subscriptions).toContainEqual(
        expect.objectContaining({ label: "typed-europe", eventTypes: ["user.*", "client.*"] }),
      );
    });

    it("makes nothing when the questions are broken off (R-X202)", async () => {
      const { exitCode, stderr } = await run(["onboard", "Broken"], { stdin: `${REDIRECT_URI}\n`, typed: true });
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Nothing was changed.")]);
      expect(await integrationsNamed("Broken")).toEqual([]);
    });

    it("never asks in a script: without flags it makes an integration and its key (R-X202)", async () => {
      const made = await json("onboard", "Reader");
      expect(made).toMatchObject({ complete: true, application: null, subscription: null, apiKey: { made: true } });
    });

    it("says the scopes of the key: as asked for, else read, and webhooks with a subscription", async () => {
      const scopesOf = async (name: string, ...words: string[]) =>
        (await json("onboard", name, ...words)).apiKey.scopes;
      expect(await scopesOf("Scopes 1", "--no-subscription")).toEqual(["read"]);
      expect(await scopesOf("Scopes 2", "--endpoint-url", ENDPOINT)).toEqual(["read", "webhooks"]);
      expect(await scopesOf("Scopes 3", "--endpoint-url", ENDPOINT, "--scope", "read")).toEqual(["read"]);
      expect(await scopesOf("Scopes 4", "--scope", "webhooks", "read")).toEqual(["read", "webhooks"]);
      const { stdout } = await run(["onboard", "Scopes 4"]);
      expect(stdout).toMatch(/^API key +\w+ \(was there\)\n +its scopes: read webhooks\n/m);
      const help = (await run(["onboard", "--help"])).stdout.replaceAll(/\s+/g, " ");
      expect(help).toContain("(default: read, and webhooks with a subscription)");
    });

    it("refuses a key of that label with other scopes than are asked for, and changes nothing", async () => {
      await run(["onboard", "Narrow", "--scope", "read"]);
      const { exitCode, stderr } = await run(["onboard", "Narrow", "--scope", "read", "webhooks", ...EVERYTHING]);
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringMatching(/with the scopes read\. .*\n.*another --key-label/),
      ]);
      expect((await run(["onboard", "Narrow", "--scope", "write"])).exitCode).toBe(2);
      expect((await json("applications", "list")).applications).not.toContainEqual(
        expect.objectContaining({ name: "Narrow" }),
      );
    });

    it.each<NodeJS.Signals>(["SIGINT", "SIGTERM", "SIGHUP"])(
      "finishes its step on %s, says what is made, and goes on later (R-X201)",
      async (signal) => {
        const words = ["onboard", `Ended by ${signal}`, ...EVERYTHING, "--hand-over", file];
        const running = run(words);
        // Arrives while the first step waits for its answer.
        process.once("newListener", (event) => void (event === "SIGINT" && setImmediate(() => process.emit(signal))));
        const { exitCode, stderr } = await running;
        expect([exitCode, stderr]).toEqual([1, expect.stringContaining("gatehouse: Interrupted.")]);
        expect((await run(words)).exitCode).toBe(0);
        expect(await integrationsNamed(`Ended by ${signal}`)).toHaveLength(1);
        expect(await sourced(file)).toHaveProperty("WEBHOOK_SECRET");
      },
    );

    it("does not go on with the unfinished file of another integration (R-X203)", async () => {
      await writeFile(`${file}.unfinished`, "# Gatehouse: values for Somebody on Europe.\n");
      const { exitCode, stderr } = await run(["onboard", "Another", "--hand-over", file]);
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining("from an interrupted run for another integration"),
      ]);
      expect(await integrationsNamed("Another")).toEqual([]);
    });
  });
});

describe("gatehouse onboard where there are several instances", () => {
  withScope((closeLater) => {
    let run: (words: readonly string[], options?: RunOptions) => Promise<Ran>;
    beforeAll(async () => {
      const product = await openGatehouse(closeLater);
      run = (words, options) => gatehouse([...words, "--data-directory", product.dataDirectory], options);
      for (const name of ["Europe", "North America"]) await run(["instances", "create", "--name", name]);
    });

    it("refuses an application whose redirect URI leads to another one, and changes nothing (R-X201)", async () => {
      const onto = (instance: string, label: string) =>
        run(["onboard", "Pier", "--instance", instance, "--redirect-uri", REDIRECT_URI, "--key-label", label]);
      expect((await onto("Europe", "first")).exitCode).toBe(0);
      const { exitCode, stdout, stderr } = await onto("North America", "second");
      expect([exitCode, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(`redirect URI ${REDIRECT_URI} leads to another instance than North America.`);
      const { apiKeys } = JSON.parse((await run(["api-keys", "list", "--integration", "Pier", "--json"])).stdout);
      expect(apiKeys).toHaveLength(1);
      expect((await onto("Europe", "first")).exitCode).toBe(0);
    });

    it("asks for one at a terminal, and names them in a script (R-X202)", async () => {
      const script = await run(["onboard", "Quay"]);
      expect([script.exitCode, script.stderr]).toEqual([
        2,
        expect.stringMatching(/--instance is missing\.\nThere are: Europe, North America\n/),
      ]);
      const typed = await run(["onboard", "Quay"], { stdin: "nowhere\nnorth\n\n\n\n", typed: true });
      expect(typed.exitCode).toBe(0);
      expect(typed.stdout).toMatch(/^instance +North America$/m);
    });
  });
});
