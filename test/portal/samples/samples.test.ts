import { connect } from "node:net";
import samples from "#generated/docs/samples.json" with { type: "json" };
import { giving, type Place } from "../../conformance/examples/browsing.ts";
import { EXAMPLE } from "../../conformance/examples/example-names.ts";
import { type ExampleWorld, plantExampleWorld } from "../../conformance/examples/example-world.ts";
import { exampleApiKey, shownRequests } from "../../conformance/examples/shown-requests.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { openGatehouse } from "../../support/gatehouse.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { type Environment, folderWithSdk, runSample, startSample } from "./running-samples.ts";
import { samplesIn } from "./served-samples.ts";

const WEBHOOK_SECRET = "whsec_Z2F0ZWhvdXNlIHB1Ymxpc2hlZCB0ZXN0IHZlY3RvciE=";
const OTHER_SECRET = "whsec_QW5vdGhlciBzZWNyZXQsIHdoaWNoIGlzIG5vdCB0aGUgb25l";

/** The example of the good answer, by operation. */
const ANSWERS = new Map(shownRequests().map(({ operationId, answer }) => [operationId, answer?.body]));

const GATEWAY = Object.keys(samples.gateway);
const SIGN_ON = Object.entries(samples["sign-on"])
  .filter(([, sample]) => "programs" in sample)
  .map(([operationId]) => operationId);
const TO_ADDRESSES = ["authorize", "logout"];
const EVENTS = Object.keys(samples.events);
const RUN_HERE = ["curl", "typescript"];

const grid = (names: readonly string[]) =>
  names.flatMap((name) => RUN_HERE.map((language) => [name, language] as const));

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

describe("the samples of the reference, run as the product serves them (R-X192)", () => {
  withScope((closeLater) => {
    let place: Place;
    let world: ExampleWorld;
    let folder: string;
    const served = new Map<string, string>();

    /** An event's place in its page is its name without dots and underscores. */
    const find = (name: string, language: string): string => {
      const code = served.get(`${name.replaceAll(/[._]/g, "").toLowerCase()} ${language}`);
      if (code === undefined) throw new Error(`The reference shows no ${language} of ${name}.`);
      return code;
    };
    const run = (code: string, language: string, environment: Environment) =>
      runSample(folder, language, code, { API_KEY: exampleApiKey(), ...environment });

    beforeAll(async () => {
      const gatehouse = await openGatehouse(closeLater);
      place = { url: gatehouse.url, signOn: gatehouse.signOn };
      world = await plantExampleWorld(gatehouse.dataDirectory, exampleApiKey());
      closeLater(async () => world.close());
      const made = await folderWithSdk();
      closeLater(made.remove);
      folder = made.path;
      for (const page of ["sign-on", "gateway", "events"])
        for (const { entry, language, code } of samplesIn((await call(place.url, `/docs/${page}`)).text))
          served.set(`${entry} ${language}`, code);
    }, 60_000);
    beforeEach(() => world.renew());

    const secretsFor = async (operationId: string): Promise<Environment> => {
      const given = operationId.endsWith("Userinfo") ? await giving.accessTokenInBody(place) : {};
      const hinted = operationId === "logout" ? await giving.idToken(place) : {};
      return {
        CLIENT_SECRET: EXAMPLE.applicationSecret,
        REFRESH_TOKEN: EXAMPLE.refreshToken,
        ACCESS_TOKEN: given.values?.access_token ?? "none",
        ID_TOKEN: hinted.values?.id_token_hint ?? "none",
      };
    };

    it.each(GATEWAY)("curl of %s prints the example's answer, to the letter", async (operationId) => {
      const { stdout } = await run(find(operationId, "curl"), "curl", {});
      // With -i the headers come first, and an empty line after them.
      const body = stdout.split("\r\n\r\n").at(-1) ?? "";
      expect(JSON.parse(body)).toEqual(ANSWERS.get(operationId));
    });

    it.each(GATEWAY)("TypeScript of %s prints something of the example's answer", async (operationId) => {
      const ran = await run(find(operationId, "typescript"), "typescript", {});
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      const [word = "nothing was printed"] = ran.stdout.split(/\s+/).filter((one) => /^\w{3,}/.test(one));
      expect(JSON.stringify(ANSWERS.get(operationId))).toContain(word);
    });

    it.each(grid(SIGN_ON.filter((operationId) => !TO_ADDRESSES.includes(operationId))))(
      "%s in %s works",
      async (operationId, language) => {
        const ran = await run(find(operationId, language), language, await secretsFor(operationId));
        expect({ code: ran.code, failed: ran.stdout.includes("error") || ran.stderr.includes("Error") }).toEqual({
          code: 0,
          failed: false,
        });
      },
    );

    it.each([
      ["authorize", "/auth/login?interaction="],
      ["logout", "https://payroll.example/signed-out?state=af0ifjsldkj"],
    ])("%s in TypeScript prints an address that leads on", async (operationId, next) => {
      const environment = await secretsFor(operationId);
      const { stdout } = await run(find(operationId, "typescript"), "typescript", environment);
      const { pathname, search } = new URL(stdout.trim());
      const given = operationId === "logout" ? await giving.idToken(place) : {};
      const query = new URLSearchParams(search);
      query.set(...(["id_token_hint", given.values?.id_token_hint ?? ""] as const));
      const answer = await call(place.url, `${pathname}?${query}`, { headers: given.headers ?? {} });
      expect((answer.headers.get("location") ?? "").slice(0, next.length)).toBe(next);
    });

    it("curl of authorize prints where the browser is sent next", async () => {
      const { stdout } = await run(find("authorize", "curl"), "curl", {});
      expect(stdout).toContain("/auth/login?interaction=");
    });

    it.each(EVENTS)("the receiver of %s in TypeScript takes what curl sends it, and nothing forged", async (type) => {
      const port = await freePort();
      const environment = { WEBHOOK_SECRET, PORT: String(port), ENDPOINT: `http://127.0.0.1:${port}/` };
      const receiver = await startSample(folder, find(type, "typescript"), environment);
      closeLater(() => receiver.end());
      await eventually(() => listens(port), Boolean);
      const sent = await run(find(type, "curl"), "curl", environment);
      const forged = await run(find(type, "curl"), "curl", { ...environment, WEBHOOK_SECRET: OTHER_SECRET });
      const printed = await eventually(
        async () => receiver.output(),
        (output) => output.includes("\n"),
      );
      expect(sent.stdout).toContain("HTTP/1.1 204");
      expect(forged.stdout).toContain("HTTP/1.1 400");
      expect(printed).toMatch(/^event_\w{21} \S+.*\n$/);
    });

    describe("with a mistake in it, or without what it needs, a sample fails", () => {
      it.each([
        ["a misspelt method", (code: string) => code.replace("gatehouse.clients(", "gatehouse.client5(")],
        [
          "an id that nothing has",
          (code: string) => code.replace(/installation_\w+/, "installation_000000000000000000000"),
        ],
        ["a member that the SDK does not export", (code: string) => code.replace("{ Gatehouse }", "{ Gatehause }")],
      ])("%s", async (_, spoil) => {
        const code = find("listClients", "typescript");
        const ran = await run(spoil(code), "typescript", {});
        expect(spoil(code)).not.toBe(code);
        expect(ran.code).not.toBe(0);
      });

      it("curl without an API key says what is missing", async () => {
        const ran = await runSample(folder, "curl", find("listClients", "curl"), {});
        expect(ran.code).not.toBe(0);
        expect(ran.stderr).toContain("API_KEY: has no API key");
      });
    });
  });
});
