import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import type { Command } from "../conformance/sdk-driver.ts";
import { Browser } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { type Closer, withScope } from "../support/scope.ts";
import { makeWorld, onboarding, REDIRECT_URI, type World } from "../support/world.ts";

const SECRET = "whsec_Z2F0ZWhvdXNlIHB1Ymxpc2hlZCB0ZXN0IHZlY3RvciE=";
/** Some compile before they run. */
const RUN_MS = 120_000;

type Programs = Readonly<Record<string, Command>>;

/** Runs the programs of an SDK's README, literally as they are printed. */
export function readmePrograms(programs: () => Programs): void {
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    let world: World;
    beforeAll(async () => {
      gatehouse = await openGatehouse(closeLater);
      world = await makeWorld(gatehouse);
      await gatehouse.platform.onboardWorker(onboarding(world.tenantId, "tomas@harbour.example"));
    });

    const environment = (further: Readonly<Record<string, string>> = {}) => ({
      PATH: process.env.PATH ?? "",
      HOME: process.env.HOME ?? "",
      ISSUER: gatehouse.url,
      GATEWAY_URL: gatehouse.url,
      API_KEY: world.apiKey,
      INSTANCE_INTEGRATION_ID: world.instanceIntegrationId,
      APPLICATION_ID: world.application.id,
      APPLICATION_SECRET: world.application.secret,
      REDIRECT_URI,
      WEBHOOK_SECRET: SECRET,
      ...further,
    });
    const printed = async (name: string): Promise<string> => {
      const { file, args, cwd, env } = commandOf(programs(), name);
      const options = { cwd, env: { ...environment(), ...env } };
      return (await promisify(execFile)(file, [...args], options)).stdout;
    };

    it("is tried as a whole: the README has no other program", () => {
      expect(Object.keys(programs()).toSorted()).toEqual(["errors", "read", "receive", "sign-in"]);
    });

    it(
      "read prints the workers of the first client",
      async () => {
        expect(await printed("read")).toContain("Tomas Lindqvist");
      },
      RUN_MS,
    );

    it(
      "errors prints code and request id of an error",
      async () => {
        expect(await printed("errors")).toMatch(/client_not_found.* req_\w+/s);
      },
      RUN_MS,
    );

    it(
      "sign-in prints an address at which Gatehouse shows its login page",
      async () => {
        const address = new URL((await printed("sign-in")).trim());
        expect(address.origin).toBe(new URL(gatehouse.url).origin);
        const { answer } = await new Browser(gatehouse.url).follow(`${address.pathname}${address.search}`);
        expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('type="password"')]);
      },
      RUN_MS,
    );

    it(
      "receive acknowledges an event that is genuine, and refuses one that is not",
      async () => {
        const url = await startServer(closeLater, commandOf(programs(), "receive"), (port) =>
          environment({ PORT: port }),
        );
        const body = JSON.stringify({ type: "worker.promoted", specVersion: 1, dataVersion: 1 });
        const at = new Date();
        const headers = {
          "content-type": "application/json",
          "webhook-id": "event_1",
          "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
          "webhook-signature": new Webhook(SECRET).sign("event_1", at, body),
        };
        const send = async (text: string) =>
          (await call(url, "/events", { method: "POST", headers, body: text, contract: "unchecked" })).status;
        expect([await send(body), await send(`${body} `)]).toEqual([204, 400]);
      },
      RUN_MS,
    );
  });
}

function commandOf(programs: Programs, name: string): Command {
  const command = programs[name];
  if (command === undefined) throw new Error(`The README has no program ${name}`);
  return command;
}

/** Starts a program that listens on `PORT`; resolves with its address when it answers. */
async function startServer(
  closeLater: (closer: Closer) => void,
  { file, args, cwd, env }: Command,
  environment: (port: string) => Readonly<Record<string, string>>,
): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(file, [...args], { cwd, env: { ...environment(String(port)), ...env } });
  let said = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
  closeLater(async () => {
    if (server.exitCode !== null) return;
    server.kill("SIGKILL");
    await once(server, "exit");
  });
  const until = Date.now() + RUN_MS;
  for (;;) {
    if (server.exitCode !== null || Date.now() > until) throw new Error(`It did not start:\n${said}`);
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) return url;
    await sleep(100);
  }
}
