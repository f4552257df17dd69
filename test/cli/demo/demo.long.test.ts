import { spawnSync } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Demonstration } from "../../../src/cli/demo/demo-file.ts";
import { Browser, signIn } from "../../support/browser.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort, isFree } from "../../support/free-port.ts";
import { call } from "../../support/http.ts";
import { newStoreFolder } from "../../support/memory.ts";
import { type Program, startProgram } from "../../support/processes.ts";
import { type Closer, withScope } from "../../support/scope.ts";
import { gatehouse } from "../command-line.ts";

const LAST_LINE = "Ctrl-C ends everything.";
/** For a start with new data on a busy machine. */
const START_MS = 60_000;

/** The settings of the three ports, each with the variable of make that gives it. */
const PORT_SETTINGS = {
  public: { setting: "public-port", variable: "PORT" },
  management: { setting: "management-port", variable: "MANAGEMENT_PORT" },
  sample: { setting: "sample-url", variable: "SAMPLE_PORT" },
} as const;

/** Where one demonstration lives: a directory and three ports. */
class Home {
  readonly directory: string;
  readonly ports: { public: number; management: number; sample: number };
  readonly #closeLater: (closer: Closer) => void;

  constructor(directory: string, ports: Home["ports"], closeLater: (closer: Closer) => void) {
    this.directory = directory;
    this.ports = ports;
    this.#closeLater = closeLater;
  }

  static async open(closeLater: (closer: Closer) => void): Promise<Home> {
    const folder = await newStoreFolder("gh-demo-");
    closeLater(() => rm(folder, { recursive: true, force: true }));
    const ports = { public: await freePort(), management: await freePort(), sample: await freePort() };
    return new Home(join(folder, "data"), ports, closeLater);
  }

  get url(): string {
    return `http://localhost:${this.ports.public}`;
  }

  get sampleUrl(): string {
    return `http://localhost:${this.ports.sample}`;
  }

  get file(): string {
    return join(this.directory, "demo.json");
  }

  async demonstration(): Promise<Demonstration> {
    return JSON.parse(await readFile(this.file, "utf8")) as Demonstration;
  }

  start(...more: readonly string[]): Program {
    const words = [
      "demo",
      `--data-directory=${this.directory}`,
      `--public-port=${this.ports.public}`,
      `--management-port=${this.ports.management}`,
      `--sample-url=${this.sampleUrl}`,
      ...more,
    ];
    const program = startProgram(words, this.ports.management);
    this.#closeLater(async () => void (await program.end("SIGKILL")));
    return program;
  }

  /** Starts, and waits for the last line of the page. */
  async run(...more: readonly string[]): Promise<Program> {
    const program = this.start(...more);
    const output = await eventually(
      async () => program.output(),
      (text) => text.includes(LAST_LINE) || program.child.exitCode !== null,
      START_MS,
    );
    expect(output).toContain(LAST_LINE);
    return program;
  }

  /** Starts, and waits for the end. */
  async fail(): Promise<{ exitCode: number | null; output: string }> {
    const program = this.start();
    await eventually(
      async () => program.child.exitCode,
      (code) => code !== null,
      START_MS,
    );
    return { exitCode: program.child.exitCode, output: program.output() };
  }

  async isFree(): Promise<boolean> {
    const free = await Promise.all(Object.values(this.ports).map(isFree));
    return free.every(Boolean);
  }
}

interface SampleEvent {
  readonly verified: boolean;
  readonly event: { readonly type: string; readonly data: Readonly<Record<string, unknown>> };
}

const eventsOf = async (sampleUrl: string): Promise<readonly SampleEvent[]> =>
  (await (await fetch(`${sampleUrl}/events.json`)).json()) as SampleEvent[];

/** The states of the sample's subscriptions, by its addresses. */
async function statesOfSamples(home: Home): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await gatehouse(["subscriptions", "list", "--json", "--data-directory", home.directory]);
  const { subscriptions } = JSON.parse(stdout) as {
    readonly subscriptions: readonly { readonly endpointUrl: string; readonly state: string }[];
  };
  return Object.fromEntries(subscriptions.map(({ endpointUrl, state }) => [new URL(endpointUrl).origin, state]));
}

const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");

describe("gatehouse demo", () => {
  withScope((closeLater) => {
    let home: Home;
    let program: Program;
    let demonstration: Demonstration;

    beforeAll(async () => {
      home = await Home.open(closeLater);
      program = await home.run();
      demonstration = await home.demonstration();
    });

    const clientsOf = (instanceIntegrationId: string, apiKey: string) =>
      call(home.url, `/v1/instance-integrations/${instanceIntegrationId}/clients`, {
        headers: { "x-api-key": apiKey },
      });

    it("prints, beside the address of a Temporal server that is away, that retries wait", async () => {
      const apart = await Home.open(closeLater);
      const degraded = await apart.run("--temporal-address=127.0.0.1:1");
      expect(degraded.output()).toContain("They wait: The server at 127.0.0.1:1 does not answer.");
      await degraded.end();
    });

    it("prints every address, and only its owner can read the file", async () => {
      const output = program.output();
      const { people, application, apiKey } = demonstration;
      for (const text of [home.url, home.sampleUrl, `http://127.0.0.1:${home.ports.management}/health/ready`])
        expect(output).toContain(text);
      for (const { email, password } of people) expect(output).toMatch(new RegExp(`${email} +${password}\n`));
      for (const text of [application.clientId, application.clientSecret, apiKey, home.file])
        expect(output).toContain(text);
      expect(output).not.toContain("\u001b");
      expect((await stat(home.file)).mode & 0o777).toBe(0o600);
    });

    it("writes what the sample integrator reads", () => {
      expect(demonstration).toMatchObject({
        issuer: home.url,
        gatewayUrl: home.url,
        sampleUrl: home.sampleUrl,
        people: [{ name: "Maren Dahl" }, { name: "Henrik Sjöblom" }],
        application: { clientId: expect.stringMatching(/^app_/), redirectUri: `${home.sampleUrl}/callback` },
        apiKey: expect.stringMatching(/^.{64}$/),
        webhook: { signingSecret: expect.stringMatching(/^whsec_/), endpointUrl: `${home.sampleUrl}/webhooks` },
      });
    });

    it("logs to a file, not to the page", async () => {
      const log = await readFile(join(home.directory, "gatehouse.log"), "utf8");
      expect(log).toContain('"msg":"Started."');
      expect(program.output()).not.toContain('"msg"');
    });

    /** Signs a person in at the sample, and returns its page about them. */
    const signInAtSample = async (person: { readonly email: string; readonly password: string }): Promise<string> => {
      const begun = await fetch(`${home.sampleUrl}/sign-in`, { redirect: "manual" });
      const { pathname, search } = new URL(begun.headers.get("location") ?? "");
      const back = await signIn(new Browser(home.url), `${pathname}${search}`, person);
      const done = await fetch(back, { redirect: "manual", headers: { cookie: cookieOf(begun) } });
      return (await fetch(home.sampleUrl, { headers: { cookie: cookieOf(done) } })).text();
    };

    it("signs the owner in, who has two seats and a job (R-S7)", async () => {
      const owner = demonstration.people[1];
      const page = await signInAtSample(owner ?? { email: "", password: "" });
      expect(page).toContain(owner?.email);
      expect(new Set(page.match(/\buser_[A-Za-z0-9]{21}\b/g)).size).toBe(2);
      expect(new Set(page.match(/\bworker_[A-Za-z0-9]{21}\b/g)).size).toBeGreaterThanOrEqual(1);
      expect(await eventsOf(home.sampleUrl)).toEqual([]);
    });

    it("signs the invited person in, which makes her active and reaches the sample (R-S19, spec §6)", async () => {
      const invited = demonstration.people[0];
      expect(await signInAtSample(invited ?? { email: "", password: "" })).toContain(invited?.email);
      const events = await eventually(
        () => eventsOf(home.sampleUrl),
        (all) => all.length > 0,
      );
      expect(events).toMatchObject([
        { verified: true, event: { type: "user.updated", data: { email: invited?.email, status: "ACTIVE" } } },
      ]);
    });

    it("creates a tenant from the command line: the gateway shows it, the sample receives the event", async () => {
      const words = ["tenants", "create", "--instance", "Europe", "--name", "Harbour Bakery", "--json"];
      const { exitCode, stdout } = await gatehouse([...words, "--data-directory", home.directory]);
      expect(exitCode).toBe(0);
      const { id } = JSON.parse(stdout) as { readonly id: string };
      const { seed, apiKey } = demonstration;
      const clients = await clientsOf(seed.seeded?.instanceIntegrationId ?? "", apiKey);
      expect(clients.json()).toContainEqual(expect.objectContaining({ id, name: "Harbour Bakery" }));
      const events = await eventually(
        () => eventsOf(home.sampleUrl),
        (all) => all.some(({ event }) => event.type === "client.created"),
      );
      expect(events.find(({ event }) => event.type === "client.created")).toMatchObject({
        verified: true,
        event: { data: { clientId: id } },
      });
    });

    it("has an instance integration that is not configured (R-G5)", async () => {
      const { apiKey, instanceIntegrationId } = demonstration.unfinished;
      const answer = await clientsOf(instanceIntegrationId, apiKey);
      expect(answer.status).toBe(404);
      expect(answer.json()).toMatchObject({ message: "Instance integration not configured" });
    });

    it("refuses a second one on the same data", async () => {
      const second = new Home(
        home.directory,
        { public: await freePort(), management: await freePort(), sample: await freePort() },
        closeLater,
      );
      const { exitCode, output } = await second.fail();
      expect(exitCode).toBe(1);
      expect(output).toMatch(/^gatehouse: Another Gatehouse is running in [^\n]+\n$/);
    });

    it("ends cleanly on Ctrl-C, the sample included, and finds everything at the next start", async () => {
      const before = await readFile(home.file);
      const page = program.output().slice(program.output().indexOf("  Gatehouse"));
      const said = program.output().length;
      expect(await program.end("SIGINT")).toBe(0);
      expect(program.output().slice(said)).toBe("");
      expect(await home.isFree()).toBe(true);
      expect(await readdir(join(home.directory, "sockets"))).toEqual([]);

      const again = await home.run();
      const [facts, steps] = again.output().split("  Next\n");
      // Her note is another one since she signed in; everything else is as it was.
      expect(
        facts?.replace("ACTIVE: her first sign-in was before this start.", demonstration.people[0]?.note ?? ""),
      ).toBe(`\n${page.split("  Next\n")[0]}`);
      expect(steps).toMatch(/^ {2}1\. Create a client of the platform[\s\S]+--name 'Harbour Bakery 2'/);
      expect(steps).not.toContain("user.updated");
      expect(await readFile(home.file)).toEqual(before);
      expect((await eventsOf(home.sampleUrl)).map(({ event }) => event.type)).toEqual([
        "client.created",
        "user.updated",
      ]);
      expect(await again.end("SIGTERM")).toBe(0);
    });

    it("registers the sample again at another address, and recognizes the old one later", async () => {
      const { sample } = home.ports;
      home.ports.sample = await freePort();
      const running = await home.run();
      expect(await statesOfSamples(home)).toEqual({ [demonstration.sampleUrl]: "paused", [home.sampleUrl]: "active" });
      await running.end("SIGINT");
      const moved = await home.demonstration();
      expect(moved.application.redirectUri).toBe(`${home.sampleUrl}/callback`);
      expect(moved.application.clientId).not.toBe(demonstration.application.clientId);
      expect([moved.people, moved.apiKey]).toEqual([demonstration.people, demonstration.apiKey]);
      home.ports.sample = sample;
      const back = await home.run();
      expect(await statesOfSamples(home)).toEqual({ [home.sampleUrl]: "active", [moved.sampleUrl]: "paused" });
      const { subscriptionId } = moved.webhook;
      const inHome = ["--data-directory", home.directory];
      expect(await gatehouse(["subscriptions", "delete", subscriptionId, "--yes", ...inHome])).toMatchObject({
        exitCode: 0,
      });
      await back.end("SIGINT");
      home.ports.sample = Number(new URL(moved.sampleUrl).port);
      await (await home.run()).end("SIGINT");
      home.ports.sample = sample;
      await (await home.run()).end("SIGINT");
      expect((await home.demonstration()).application).toEqual(demonstration.application);
    });
  });
});

describe("a demonstration that cannot start says so, and leaves no process running", () => {
  withScope((closeLater) => {
    it.each(["public", "management", "sample"] as const)("when the %s port is taken", async (name) => {
      const home = await Home.open(closeLater);
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(home.ports[name], "127.0.0.1", resolve));
      const { exitCode, output } = await home.fail();
      await new Promise((resolve) => other.close(resolve));
      const { setting, variable } = PORT_SETTINGS[name];
      expect(exitCode).toBe(1);
      expect(output.replace("Making the demonstration's data …\n", "")).toMatch(
        new RegExp(
          `^gatehouse: Port ${home.ports[name]} [^\\n]*is taken by another program\\. Set ${setting} to another[^\\n]*\\nWith make: ${variable}=… for ${setting}\\.\\n$`,
        ),
      );
      expect(await home.isFree()).toBe(true);
    });

    it.each(["public", "management"] as const)("when the sample is given the %s port", async (name) => {
      const home = await Home.open(closeLater);
      home.ports.sample = home.ports[name];
      const { exitCode, output } = await home.fail();
      const { setting, variable } = PORT_SETTINGS[name];
      expect(exitCode).toBe(78);
      expect(output).toBe(
        "gatehouse: The configuration has 1 mistake:\n" +
          `  - sample-url and ${setting} both have port ${home.ports[name]}: set one of them to another.\n` +
          `With make: ${variable}=… for ${setting}, SAMPLE_PORT=… for sample-url.\n`,
      );
      expect(await readdir(join(home.directory, ".."))).toEqual([]);
    });

    it("when both listeners are given one port", async () => {
      const home = await Home.open(closeLater);
      home.ports.management = home.ports.public;
      const { exitCode, output } = await home.fail();
      expect(exitCode).toBe(78);
      expect(output).toMatch(/\nWith make: PORT=… for public-port, MANAGEMENT_PORT=… for management-port\.\n$/);
    });

    it("in words of make that make knows", () => {
      const given = Object.values(PORT_SETTINGS).map(({ variable }, index) => `${variable}=${19_480 + index}`);
      const { stdout } = spawnSync("make", ["--dry-run", "run", ...given], { encoding: "utf8" });
      expect(stdout).toContain(
        "bin/gatehouse demo --public-port 19480 --management-port 19481 --sample-url http://localhost:19482",
      );
    });

    it("when the store has other data, which stays unchanged", async () => {
      const home = await Home.open(closeLater);
      await (await home.run()).end("SIGINT");
      const content = await readFile(home.file, "utf8");
      await rm(home.file);
      const { exitCode, output } = await home.fail();
      expect(exitCode).toBe(1);
      expect(output).toMatch(/^gatehouse: The store holds data that no demonstration made [^\n]+\n$/);

      await writeFile(home.file, content.replaceAll(/instance_[A-Za-z0-9]{21}/g, `instance_${"A".repeat(21)}`));
      expect((await home.fail()).output).toMatch(/belongs to another store than this one\. [^\n]+\n$/);

      // Of another demonstration, whose companies are the same.
      await writeFile(home.file, content.replaceAll(/integration_[A-Za-z0-9]{21}/g, `integration_${"A".repeat(21)}`));
      expect((await home.fail()).output).toMatch(/belongs to another store than this one\. [^\n]+\n$/);
    });
  });
});

describe("a first start that was cut short", () => {
  withScope((closeLater) => {
    it.each([0, 200])("%i ms into it is continued, and everything is there once (R-G18)", async (ms) => {
      const home = await Home.open(closeLater);
      const killed = home.start();
      await eventually(
        async () => killed.output(),
        (text) => text.includes("Making"),
        START_MS,
      );
      await new Promise((resolve) => setTimeout(resolve, ms));
      await killed.end("SIGKILL");
      await home.run();

      const { stdout } = await gatehouse(["integrations", "list", "--json", "--data-directory", home.directory]);
      const { integrations } = JSON.parse(stdout) as {
        integrations: { name: string; instanceIntegrations: unknown[] }[];
      };
      expect(integrations.map(({ name, instanceIntegrations }) => [name, instanceIntegrations.length])).toEqual([
        ["Marigold", 2],
        ["Paytide", 1],
      ]);
      const { apiKey, seed } = await home.demonstration();
      const base = `/v1/instance-integrations/${seed.seeded?.instanceIntegrationId}/clients`;
      const headers = { "x-api-key": apiKey };
      const clients = (await call(home.url, base, { headers })).json<{ id: string; name: string }[]>();
      expect(clients.map(({ name }) => name).sort()).toEqual([
        "Clinique des Tilleuls",
        "Nordlicht Logistik",
        "Sjöblom Bageri",
      ]);
      const counts = await Promise.all(
        clients.map(
          async ({ id }) => (await call(home.url, `${base}/${id}/workers`, { headers })).json<unknown[]>().length,
        ),
      );
      expect(counts.reduce((sum, one) => sum + one)).toBe(26);
    });
  });
});
