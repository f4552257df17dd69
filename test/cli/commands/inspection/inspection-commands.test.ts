import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { AuditEntry } from "../../../../generated/proto/gatehouse/audit/v1/audit.ts";
import {
  type ExplainRefusalResponse,
  type ExplainTokenResponse,
  TokenKind,
} from "../../../../generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { parseDuration } from "../../../../src/cli/input/flags.ts";
import { elapsed } from "../../../../src/cli/output/instant.ts";
import { notFound, unavailable } from "../../../../src/runtime/basis/errors.ts";
import { newFolder } from "../../../support/folder.ts";
import { withScope } from "../../../support/scope.ts";
import { idOf, openStub, type StubGatehouse } from "../../command-line.ts";

const AT = new Date("2026-11-20T10:54:03.412Z");
const APP = idOf("app");
const REQUEST = idOf("req");
const OF_TOKEN = idOf("req", "T");
const OF_GATEWAY = idOf("req", "G");
const OF_CLIENT = idOf("req", "C");
const OF_ANY = idOf("req", "D");
const OF_DISABLED = idOf("req", "E");
const UNFINISHED = idOf("req", "F");
const UNKNOWN = idOf("req", "U");
const REFUSAL: ExplainRefusalResponse = {
  requestId: REQUEST,
  at: AT,
  operation: "authorize",
  check: "redirect_uri.not_registered",
  error: "",
  finding: "The redirect URI is not registered for this application. It must be the same byte for byte.",
  advice: "Send one that is registered.",
  applicationId: APP,
  applicationName: "Marigold",
  parameters: ["client_id", "redirect_uri"],
  redirectUri: "https://a.example/Callback",
  nearest: { uri: "https://a.example/callback", differsAt: 18, distance: 1 },
  command: [],
};
const UNSUITED = [
  ["nothing follows here, but “/” was sent", "https://a.example/callback/", 26, idOf("req", "H")],
  ["“k” is missing here", "https://a.example/callbac", 25, idOf("req", "J")],
  ["“ ” in place of “c”", "https://a.example/\u001b[2J", 18, idOf("req", "K")],
] as const;
const OF_PERSON = idOf("req", "P");
const AWAY = idOf("req", "W");
const TOKEN: ExplainTokenResponse = {
  kind: TokenKind.ACCESS_TOKEN,
  accepted: false,
  problems: [{ check: "token.expired", sentence: "It expired on 2026-11-20 10:54:03 UTC." }],
  signature: { algorithm: "ES256", keyId: "es256-x", right: true },
  issuer: "https://sign-on.example",
  audience: ["https://sign-on.example"],
  applicationId: APP,
  applicationName: "Marigold",
  personId: idOf("person"),
  instanceId: idOf("instance"),
  scopes: ["openid"],
  issuedAt: AT,
  expiresAt: AT,
  authenticatedAt: null,
};
const ENTRY: AuditEntry = {
  at: AT,
  actor: "operator",
  action: "application.disable",
  object: APP,
  requestId: REQUEST,
  facts: '{"count":3,"by":null}',
  number: "8",
};

const SIGNING_KEY = "es256-Qj0yQ5nV3yq6nUuE";
const GATEWAY_REFUSAL = {
  ...{ requestId: OF_GATEWAY, at: AT, operation: "listUsers", check: "api_key.revoked" },
  ...{ finding: "The key was revoked.", advice: "Issue another.", ids: [idOf("client")], command: [] },
  ...{ apiKeyId: idOf("key"), apiKeyLabel: "nightly" },
  ...{ integrationId: idOf("integration"), integrationName: "Payroll" },
};
const NO_KEY = { apiKeyId: null, apiKeyLabel: null, integrationId: null, integrationName: null };
const WIDE_ENTRY: AuditEntry = {
  ...ENTRY,
  actor: "operator:maren.holt",
  action: "session.endAll",
  object: idOf("person"),
  facts: JSON.stringify({ application: null, because: "submitted twice by the browser of the person" }),
  number: "1234567",
};

const LISTED = { operation: "authorize", check: "redirect_uri.missing", error: "" };
const OF_SIGN_ON = [
  {
    ...LISTED,
    requestId: REQUEST,
    at: new Date(AT.getTime() + 2_000),
    applicationId: APP,
    applicationName: "Marigold",
  },
  { ...LISTED, requestId: OF_TOKEN, at: new Date(AT.getTime() - 2_000), applicationId: null, applicationName: null },
];
const LISTED_OF_GATEWAY = {
  ...{ requestId: OF_GATEWAY, at: AT, operation: "getTenant", check: "tenant_not_found" },
  ...{ apiKeyId: idOf("apikey"), apiKeyLabel: "production" },
  ...{ integrationId: idOf("integration", "C"), integrationName: "time_clock" },
};
const REVOKED_KEY = {
  ...{ integrationId: idOf("integration", "C"), label: "leaked", createdAt: AT, revokedAt: AT },
  ...{ rateLimit: null, scopes: [] },
};
const NO_REFUSALS = idOf("integration", "D");

describe("commands that explain what happened", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;

    beforeAll(async () => {
      stub = await openStub(closeLater, {
        inspection: {
          explainRefusal: async ({ requestId }) => {
            if (requestId === REQUEST) return REFUSAL;
            if (requestId === OF_DISABLED) return { ...REFUSAL, command: ["applications", "enable", APP] };
            if (requestId === OF_PERSON) return { ...REFUSAL, nearest: null, personId: idOf("person") };
            if (requestId === AWAY) throw unavailable("The store is away.");
            const [, redirectUri, differsAt = 0] = UNSUITED.find((row) => row.includes(requestId)) ?? [];
            if (redirectUri !== undefined)
              return {
                ...REFUSAL,
                redirectUri,
                nearest: { uri: "https://a.example/callback", differsAt, distance: 1 },
              };
            if (requestId !== OF_TOKEN) throw notFound("refusal_not_found", "Nothing of this id is written down.");
            return {
              ...REFUSAL,
              requestId,
              check: "code.expired",
              error: "invalid_grant",
              applicationId: null,
              parameters: [],
              redirectUri: null,
              nearest: null,
            };
          },
          listRefusals: async ({ limit, before }) => ({
            refusals: OF_SIGN_ON.filter(({ at }) => !before?.at || at < before.at).slice(0, limit),
            more: limit < 2 && !before,
          }),
          explainToken: async ({ token }) =>
            token === "good"
              ? { ...TOKEN, accepted: true, problems: [] }
              : token === "odd"
                ? { ...TOKEN, kind: TokenKind.UNSPECIFIED }
                : TOKEN,
        },
        signOn: {
          listApplications: async () => ({ applications: [], nextCursor: null }),
        },
        workforce: {
          findNamed: async ({ name }) => ({
            found: name.includes("@") ? [{ id: idOf("person", "B"), name, details: [] }] : [],
            more: false,
          }),
          listIntegrations: async () => ({
            integrations: [
              {
                integration: { id: idOf("integration", "C"), name: "time_clock", createdAt: AT },
                instanceIntegrations: [],
              },
            ],
            next: null,
          }),
          listApiKeys: async () => ({
            apiKeys: ["K", "L"].map((letter) => ({ ...REVOKED_KEY, id: idOf("apikey", letter) })),
            next: null,
          }),
          listGatewayRefusals: async ({ integrationId }) => ({
            refusals: integrationId === NO_REFUSALS ? [] : [LISTED_OF_GATEWAY],
            more: false,
          }),
          explainGatewayRefusal: async ({ requestId }) => {
            if (requestId === OF_GATEWAY) return GATEWAY_REFUSAL;
            if (requestId === UNFINISHED)
              return { ...GATEWAY_REFUSAL, command: ["integrations", "configure", idOf("ii")] };
            if (requestId === OF_CLIENT)
              return { ...GATEWAY_REFUSAL, requestId, operation: "getTenant", check: "tenant_not_found" };
            if (requestId === OF_ANY)
              return { ...GATEWAY_REFUSAL, ...NO_KEY, requestId, operation: "checkCaller", check: "api_key.unknown" };
            throw notFound("refusal_not_found", "Nothing of this id is written down.");
          },
        },
        audit: {
          listAuditEntries: async ({ cursor, limit, actor, action, object }) =>
            actor === "wide" || (object === SIGNING_KEY && action === null)
              ? { entries: [WIDE_ENTRY], nextCursor: null }
              : object === "time_clock" || object === SIGNING_KEY
                ? { entries: [], nextCursor: null }
                : cursor === "9"
                  ? { entries: [ENTRY], nextCursor: limit === 1 ? "8" : null }
                  : { entries: [], nextCursor: "9" },
        },
      });
    });

    const lastRequest = () => stub.received.at(-1)?.request;

    it("refusals list shows those of sign-on and of the gateway, newest first, and how to have one explained (R-X418)", async () => {
      const { exitCode, stdout, stderr } = await stub.run(["refusals", "list"]);
      const shown = stdout.split("\n").slice(1, -1);
      expect(shown).toEqual([
        expect.stringMatching(new RegExp(`authorize +Marigold +redirect_uri.missing +${REQUEST}$`)),
        expect.stringMatching(new RegExp(`getClient +production of time_clock +client_not_found +${OF_GATEWAY}$`)),
        expect.stringMatching(new RegExp(`authorize +– +redirect_uri.missing +${OF_TOKEN}$`)),
      ]);
      expect([exitCode, stderr.replaceAll(/\s+/g, " ")]).toEqual([
        0,
        expect.stringContaining(`Next: what to do about one: gatehouse explain ${REQUEST}`),
      ]);
      const { stdout: json } = await stub.run(["refusals", "list", "--json"]);
      expect(JSON.parse(json)).toMatchObject({
        refusals: [
          { requestId: REQUEST, applicationId: APP, apiKeyId: null, error: null },
          { requestId: OF_GATEWAY, check: "tenant_not_found", operation: "getClient", apiKeyLabel: "production" },
          { requestId: OF_TOKEN },
        ],
        nextCursor: null,
      });
    });

    it("refusals list asks one part alone for those of an application, or of an integration", async () => {
      const ofApplication = await stub.run(["refusals", "list", "--application", APP, "--json"]);
      expect(stub.received.at(-1)).toMatchObject({ path: "ListRefusals", request: { limit: 50, applicationId: APP } });
      expect(ofApplication.stdout).not.toContain(OF_GATEWAY);
      const integration = idOf("integration", "C");
      const ofIntegration = await stub.run(["refusals", "list", "--integration", integration]);
      expect(stub.received.at(-1)).toMatchObject({
        path: "ListGatewayRefusals",
        request: { limit: 50, integrationId: integration, apiKeyId: null },
      });
      expect(ofIntegration.stdout).not.toContain(REQUEST);
      const none = await stub.run(["refusals", "list", "--integration", NO_REFUSALS]);
      expect(none.stderr).toContain("There are no such refused requests.");
      const both = await stub.run(["refusals", "list", "--application", APP, "--api-key", "production"]);
      expect([both.exitCode, both.stderr]).toEqual([
        2,
        expect.stringContaining("--application and --api-key contradict each other."),
      ]);
    });

    it("refusals list finds a key that is revoked by its label, the latest of several", async () => {
      const { exitCode } = await stub.run(["refusals", "list", "--api-key", "Leaked"]);
      expect([exitCode, stub.received.at(-1)]).toEqual([
        0,
        expect.objectContaining({
          path: "ListGatewayRefusals",
          request: expect.objectContaining({ apiKeyId: idOf("apikey", "L") }),
        }),
      ]);
      const unknown = await stub.run(["refusals", "list", "--api-key", "neverwas"]);
      expect([unknown.exitCode, unknown.stderr]).toEqual([
        2,
        expect.stringContaining("There is no API key named neverwas."),
      ]);
    });

    it("refusals list goes on behind the last one that it has shown, whichever part that is of", async () => {
      const first = await stub.run(["refusals", "list", "--limit", "1"]);
      const cursor = `${AT.getTime() + 2_000}/${REQUEST}`;
      expect(first.stdout).not.toContain(OF_GATEWAY);
      expect(first.stderr).toContain(`Next: gatehouse refusals list --limit 1 --cursor ${cursor}`);
      const next = await stub.run(["refusals", "list", "--limit", "2", "--cursor", cursor, "--json"]);
      expect(JSON.parse(next.stdout)).toMatchObject({
        refusals: [{ requestId: OF_GATEWAY }, { requestId: OF_TOKEN }],
        nextCursor: null,
      });
      const wrong = await stub.run(["refusals", "list", "--cursor", "x"]);
      expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("--cursor <text> cannot be “x”.")]);
    });

    it("explain shows the sent value under the registered one, with a caret where they differ", async () => {
      const { exitCode, stdout } = await stub.run(["explain", REQUEST]);
      expect(exitCode).toBe(0);
      const lines = stdout.split("\n");
      const sent = lines.findIndex((line) => line.startsWith("sent "));
      expect(lines.slice(sent, sent + 3)).toEqual([
        "sent        https://a.example/Callback",
        "registered  https://a.example/callback",
        `${" ".repeat(30)}^ “C” in place of “c”`,
      ]);
      expect(stdout).toContain("differs in 1 character, first in character 19.");
      expect(stdout).toMatch(/^failed check +redirect_uri\.not_registered$/m);
      expect(stdout).toMatch(new RegExp(`^application +${APP} \\(Marigold\\)$`, "m"));
      expect(stdout).toContain("What to do:\nSend one that is registered.\n");
      expect(stdout).toMatch(/^answered +a page$/m);
      expect(stdout).not.toMatch(/^redirect URI/m);
      const { stdout: json } = await stub.run(["explain", REQUEST, "--json"]);
      expect(JSON.parse(json)).toMatchObject({ error: null });
    });

    it.each(UNSUITED)("explain shows where they differ, and never what controls a terminal: %s", async (...row) => {
      const [difference, , differsAt, id] = row;
      const { stdout } = await stub.run(["explain", id]);
      expect(stdout.split("\n")).toContain(`${" ".repeat(12 + differsAt)}^ ${difference}`);
      expect(stdout).not.toContain("\u001b[2J");
    });

    it("explain leads on to the person whose sign-in it was", async () => {
      const { stdout, stderr } = await stub.run(["explain", OF_PERSON]);
      expect(stdout).toMatch(/^redirect URI +https:\/\/a\.example\/Callback$/m);
      expect(stderr).toContain(`\nNext: gatehouse people explain ${idOf("person")} --socket-directory `);
    });

    it("explain asks the gateway's services for nothing that sign-on's could not answer", async () => {
      const { exitCode, stderr } = await stub.run(["explain", AWAY]);
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining("The store is away.")]);
    });

    it("explain keeps its sentences within a narrow terminal", async () => {
      const { stdout } = await stub.run(["explain", REQUEST], { columns: 24 });
      const [sentences = ""] = stdout.split("What to do:").slice(1);
      expect(stripVTControlCharacters(sentences)).toBe("\nSend one that is\nregistered.\n");
    });

    it("explain shows a comparison only where there are two values", async () => {
      const { stdout } = await stub.run(["explain", OF_TOKEN]);
      expect(stdout).not.toContain("registered  ");
      expect(stdout).toMatch(/^answered +invalid_grant$/m);
      const { stdout: json } = await stub.run(["explain", OF_TOKEN, "--json"]);
      expect(JSON.parse(json)).toMatchObject({
        check: "code.expired",
        error: "invalid_grant",
        nearestRedirectUri: null,
      });
    });

    it("explain finds a refused request of the gateway, too", async () => {
      const { exitCode, stdout } = await stub.run(["explain", OF_GATEWAY]);
      expect([exitCode, stdout]).toEqual([
        0,
        [
          "The key was revoked.",
          "",
          `request       ${OF_GATEWAY}`,
          "at            2026-11-20 10:54:03 UTC",
          "asked         listUsers",
          `API key       ${idOf("key")} (nightly)`,
          `integration   ${idOf("integration")} (Payroll)`,
          `ids           ${idOf("client")}`,
          "failed check  api_key.revoked",
          "",
          "What to do:",
          "Issue another.",
          "",
        ].join("\n"),
      ]);
      const { stdout: json } = await stub.run(["explain", OF_GATEWAY, "--json"]);
      expect(JSON.parse(json)).toMatchObject({ check: "api_key.revoked", apiKeyLabel: "nightly" });
    });

    it.each([
      ["a refusal of sign-on", OF_DISABLED, ["applications", "enable", APP]],
      ["one of the gateway", UNFINISHED, ["integrations", "configure", idOf("ii")]],
    ])("explain ends with the whole command that the services know: %s", async (_, requestId, command) => {
      const { stderr } = await stub.run(["explain", requestId]);
      expect(stderr).toBe(`\nNext: gatehouse ${command.join(" ")} --socket-directory ${stub.socketDirectory}\n`);
      const { stdout: json } = await stub.run(["explain", requestId, "--json"]);
      expect(JSON.parse(json)).toMatchObject({ command });
    });

    it("explain calls a tenant as the API does, whose developers are sent the text", async () => {
      const { stdout } = await stub.run(["explain", OF_CLIENT]);
      expect(stdout).toMatch(/^asked +getClient$/m);
      expect(stdout).toMatch(/^failed check +client_not_found$/m);
      const { stdout: json } = await stub.run(["explain", OF_CLIENT, "--json"]);
      expect(JSON.parse(json)).toMatchObject({ operation: "getClient", check: "tenant_not_found" });
    });

    it("explain says that a request was not valid where its operation is not known", async () => {
      const { stdout } = await stub.run(["explain", OF_ANY]);
      expect(stdout).toMatch(/^asked +a request that is not valid\nAPI key +unknown\nids /m);
      const { stdout: json } = await stub.run(["explain", OF_ANY, "--json"]);
      expect(JSON.parse(json)).toMatchObject({ operation: null, check: "api_key.unknown", ...NO_KEY });
    });

    it("explain names the next command when the id is unknown", async () => {
      const { exitCode, stderr } = await stub.run(["explain", UNKNOWN]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`\nSee what there is: gatehouse audit list --request ${UNKNOWN} --socket-directory `);
    });

    it.each(["foo", `${REQUEST}x`, idOf("event"), `“${REQUEST}”`, ""])(
      "explain says of “%s” that it is no request id, and looks for nothing",
      async (text) => {
        const asked = stub.received.length;
        const { exitCode, stderr } = await stub.run(["explain", text]);
        expect([exitCode, stderr]).toEqual([
          2,
          `gatehouse: <request-id> cannot be “${text}”. It must be req_ followed by 21 letters or digits.\nSee: gatehouse explain --help\n`,
        ]);
        expect(stub.received.length).toBe(asked);
      },
    );

    it("tokens explain reads standard input, a file or an argument, and never prints the token", async () => {
      const folder = newFolder("gh-token-");
      await writeFile(join(folder, "token"), "  canary-token\n");
      const words = ["tokens", "explain"];
      for (const [more, stdin] of [
        [[], "canary-token\n"],
        [["-"], "canary-token"],
        [["--file", join(folder, "token")], ""],
        [["canary-token"], ""],
      ] as const) {
        const { stdout, stderr } = await stub.run([...words, ...more], { stdin });
        expect(lastRequest()).toEqual({ token: "canary-token" });
        expect(stdout + stderr).not.toContain("canary");
        expect(stdout).toMatch(/^because +It expired on 2026-11-20 10:54:03 UTC\.$/m);
        expect(stderr).toContain("This access token would not be accepted now.");
      }
      const missing = await stub.run([...words, "--file", join(folder, "none")]);
      expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("cannot be read (ENOENT)") });
      expect(await stub.run(words, { stdin: "" })).toMatchObject({ exitCode: 2 });
      expect(await stub.run([...words, "a", "--file", "b"])).toMatchObject({ exitCode: 2 });
      expect(await stub.run(words, { stdin: "a".repeat(17_000) })).toMatchObject({ exitCode: 2 });
    });

    it("tokens explain says what would be accepted, and what is not a token", async () => {
      const good = await stub.run(["tokens", "explain", "good"]);
      expect(good.stdout).toMatch(/^accepted now +yes$/m);
      expect(good.stderr).toContain("This access token would be accepted now.");
      expect((await stub.run(["tokens", "explain", "odd"])).stderr).toContain(
        "No endpoint of sign-on would accept this.",
      );
      const { stdout } = await stub.run(["tokens", "explain", "x", "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({
        kind: "access_token",
        accepted: false,
        problems: [{ check: "token.expired" }],
        signature: { right: true },
        expiresAt: "2026-11-20T10:54:03.412Z",
      });
    });

    it("audit list searches until it finds an entry, and prints how to continue", async () => {
      const words = [
        "audit",
        "list",
        "--object",
        APP,
        "--action",
        "application.*",
        "--since",
        "2026-11-01",
        "--limit",
        "1",
      ];
      const { stdout, stderr } = await stub.run(words);
      expect(lastRequest()).toEqual({
        object: APP,
        actor: null,
        action: "application.*",
        requestId: null,
        since: new Date("2026-11-01T00:00:00Z"),
        until: null,
        limit: 1,
        cursor: "9",
      });
      expect(stdout).toMatch(/^ +8 +2026-11-20 10:54 +operator +application\.disable +app_A+ +count=3$/m);
      expect(stderr).toContain(
        `Next: gatehouse audit list --object ${APP} --action 'application.*' --since 2026-11-01T00:00:00.000Z --limit 1 --cursor 8`,
      );
      const { stdout: json } = await stub.run(["audit", "list", "--json"]);
      expect(JSON.parse(json)).toMatchObject({ entries: [{ facts: { count: 3 } }], nextCursor: null });
    });

    it("audit list fits 120 columns, with facts cut short", async () => {
      const { stdout } = await stub.run(["audit", "list", "--actor", "wide"], { columns: 120 });
      const [headings, line] = stdout.split("\n");
      expect(headings).toMatch(/NO\. +AT \(UTC\) +ACTOR +ACTION +OBJECT +FACTS/);
      expect(line).toMatch(/ person_A{21} +because=submitted twice…$/);
    });

    it("audit show has the whole entry", async () => {
      const { stdout } = await stub.run(["audit", "show", "8"]);
      expect(lastRequest()).toMatchObject({ cursor: "9", limit: 1 });
      expect(stdout).toMatch(new RegExp(`^request +${REQUEST}\nfacts +count=3\n +by=null$`, "m"));
      const none = await stub.run(["audit", "show", "7"]);
      expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining("There is no entry 7.")]);
    });

    it("audit list takes a person's e-mail address as the object", async () => {
      await stub.run(["audit", "list", "--object", "maren@harbour.example"]);
      expect(lastRequest()).toMatchObject({ object: idOf("person", "B") });
    });

    it("audit list looks for a name with an underscore as for any other (R-X194)", async () => {
      const { stdout } = await stub.run(["audit", "list", "--object", "time_clock"]);
      expect(lastRequest()).toMatchObject({ object: idOf("integration", "C") });
      expect(stdout).toContain("application.disable");
    });

    it("audit list takes an object that the log has for no name, where other flags leave nothing of it", async () => {
      const words = ["audit", "list", "--object", SIGNING_KEY, "--action", "signingKey.revoke"];
      const { exitCode, stderr } = await stub.run(words);
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining("There are no such entries.")]);
    });

    it("names the account of the machine as the actor of a command (R-X198)", async () => {
      await stub.run(["audit", "list"]);
      const account = userInfo().username.replaceAll(/[^\w.@-]/g, "_");
      expect(stub.received.at(-1)?.actor).toBe(`operator:${account}`);
    });
  });
});

describe("times in words", () => {
  const now = new Date("2026-11-20T10:00:00Z");

  it.each([
    [0, "now"],
    [-1, "1 second ago"],
    [-90, "1 minute ago"],
    [7_200, "in 2 hours"],
    [-172_800, "2 days ago"],
  ])("%i s is %s", (seconds, words) => {
    expect(elapsed(new Date(now.getTime() + seconds * 1000), now)).toBe(words);
  });

  it.each([
    ["0", 0],
    ["30s", 30],
    ["90m", 5_400],
    ["24h", 86_400],
    ["7d", 604_800],
    ["24855d", 2_147_472_000],
  ])("%s is %i s", (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(["", "1", "-1d", "1.5h", "1w", "1 d", "9999999d"])("%j is an invalid duration", (text) => {
    expect(() => parseDuration(text)).toThrow("It must be a number with its unit");
  });

  it.each(["24856d", "999999d", "600000h"])("%s is more than a call can carry", (text) => {
    expect(() => parseDuration(text)).toThrow("It must be 24855d at most.");
  });
});
