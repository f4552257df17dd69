import { giving } from "../../conformance/examples/browsing.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import {
  type Environment,
  folderWithSdk,
  type Ran,
  runSample,
  shellCommand,
  typescriptCommand,
} from "./running-samples.ts";
import { ANSWERS, firstWordOf, openSampleWorld, SAMPLED, type SampleWorld, tryReceiver } from "./sample-world.ts";

const WEBHOOKS = SAMPLED.webhooks.flatMap((name) =>
  ["curl", "typescript"].map((language) => [name, language] as const),
);
const SIGN_ON = SAMPLED.signOn.flatMap((name) => ["curl", "typescript"].map((language) => [name, language] as const));

describe("the samples of the reference in curl and TypeScript, run as the product serves them (R-X192)", () => {
  withScope((closeLater) => {
    let world: SampleWorld;
    let folder: string;

    const run = async (code: string, language: string, environment: Environment): Promise<Ran> =>
      runSample(language === "curl" ? shellCommand(code) : await typescriptCommand(folder, code), environment);

    beforeAll(async () => {
      world = await openSampleWorld(closeLater);
      const made = await folderWithSdk();
      closeLater(made.remove);
      folder = made.path;
    });
    beforeEach(() => world.renew());

    it.each(SAMPLED.gateway)("curl of %s prints the example's answer, to the letter", async (operationId) => {
      const { stdout } = await run(world.find(operationId, "curl"), "curl", await world.secretsFor(operationId));
      // With -i the headers come first, and an empty line after them.
      const body = stdout.split("\r\n\r\n").at(-1) ?? "";
      expect(JSON.parse(body)).toEqual(ANSWERS.get(operationId));
    });

    it.each(SAMPLED.gateway)("TypeScript of %s prints something of the example's answer", async (operationId) => {
      const code = world.find(operationId, "typescript");
      const ran = await run(code, "typescript", await world.secretsFor(operationId));
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.stringify(ANSWERS.get(operationId))).toContain(firstWordOf(ran));
    });

    it.each(WEBHOOKS)("%s in %s works, and prints the answer", async (operationId, language) => {
      const code = world.find(operationId, language);
      const ran = await run(code, language, await world.secretsFor(operationId));
      expect({ code: ran.code, refused: /"requestId"/.test(ran.stdout + ran.stderr) }).toEqual({
        code: 0,
        refused: false,
      });
      const isBare = language === "curl" && ANSWERS.get(operationId) === undefined;
      expect(ran.stdout !== "" || isBare).toBe(true);
    });

    it.each(SIGN_ON)("%s in %s works", async (operationId, language) => {
      const ran = await run(world.find(operationId, language), language, await world.secretsFor(operationId));
      expect({ code: ran.code, failed: /"error"|Error/.test(ran.stdout + ran.stderr) }).toEqual({
        code: 0,
        failed: false,
      });
    });

    it.each([
      ["authorize", "/auth/login?interaction="],
      ["logout", "https://payroll.example/signed-out?state=af0ifjsldkj"],
    ])("%s in TypeScript prints an address that leads on", async (operationId, next) => {
      const { headers = {}, values } = await giving.idToken(world.place);
      const { stdout } = await run(world.find(operationId, "typescript"), "typescript", {
        ID_TOKEN: values?.id_token_hint ?? "",
      });
      const { pathname, search } = new URL(stdout.trim());
      const answer = await call(world.place.url, pathname + search, operationId === "logout" ? { headers } : {});
      expect((answer.headers.get("location") ?? "").slice(0, next.length)).toBe(next);
    });

    it("curl of authorize prints where the browser is sent next", async () => {
      const { stdout } = await run(world.find("authorize", "curl"), "curl", {});
      expect(stdout).toContain("/auth/login?interaction=");
    });

    it.each(SAMPLED.events)("the receiver of %s in TypeScript takes what curl sends, nothing forged", async (type) => {
      const receiver = await typescriptCommand(folder, world.find(type, "typescript"));
      expect(await tryReceiver(receiver, world.find(type, "curl"))).toEqual({
        genuine: "HTTP/1.1 204 No Content",
        forged: "HTTP/1.1 400 Bad Request",
        printed: expect.stringMatching(/^event_\w{21} \S+.*\n$/),
      });
    });

    it.each([
      ["a misspelt method", (code: string) => code.replace("gatehouse.clients(", "gatehouse.client5(")],
      [
        "an id that nothing has",
        (code: string) => code.replace(/installation_\w+/, "installation_000000000000000000000"),
      ],
      ["a name that the SDK does not export", (code: string) => code.replace("{ Gatehouse }", "{ Gatehause }")],
    ])("a sample with %s fails", async (_, spoil) => {
      const code = world.find("listClients", "typescript");
      const ran = await run(spoil(code), "typescript", await world.secretsFor("listClients"));
      expect(spoil(code)).not.toBe(code);
      expect(ran.code).not.toBe(0);
    });

    it("curl without an API key says what is missing", async () => {
      const ran = await run(world.find("listClients", "curl"), "curl", {});
      expect(ran.code).not.toBe(0);
      expect(ran.stderr).toContain("API_KEY: has no API key");
    });
  });
});
