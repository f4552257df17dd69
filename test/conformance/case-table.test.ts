import { mkdirSync, writeFileSync } from "node:fs";
import { withScope } from "../support/scope.ts";
import { ACCOUNT_OPERATIONS, accountSetUp } from "./account-set-ups.ts";
import { CASES, type Case } from "./cases.ts";
import { gatewaySetUp } from "./gateway-set-ups.ts";
import { type Installations, openInstallations } from "./installations.ts";
import { logoutSetUp } from "./logout-set-ups.ts";
import { startMock } from "./mock.ts";
import { pageSetUp } from "./page-set-ups.ts";
import { askSdk } from "./sdk-subject.ts";
import { NotApplicable, type SetUp } from "./set-up.ts";
import { askMock, askServer, type Departures } from "./subjects.ts";
import { tokenSetUp } from "./token-set-ups.ts";

const TOKEN_OPERATIONS = [
  "exchangeToken",
  "revokeToken",
  "introspectToken",
  "getUserinfo",
  "postUserinfo",
  "getOpenidConfiguration",
  "getAuthorizationServerMetadata",
  "getJwks",
];
const LOGOUT_OPERATIONS = ["logout", "submitLogout", "showSignOut", "submitSignOut", "showSignedOut"];
const SUBJECTS = ["mock", "server", "sdk"] as const;
type Subject = (typeof SUBJECTS)[number];

function setUpOf(one: Case, installations: Installations): Promise<SetUp | undefined> {
  if (one.api === "Gateway") return gatewaySetUp(one, installations);
  if (ACCOUNT_OPERATIONS.includes(one.operationId)) return accountSetUp(one, installations);
  if (LOGOUT_OPERATIONS.includes(one.operationId)) return logoutSetUp(one, installations);
  return (TOKEN_OPERATIONS.includes(one.operationId) ? tokenSetUp : pageSetUp)(one, installations);
}

/** Case by subject, for a reader: what was kept, and why something was not asked. */
const table = new Map<string, Map<Subject, string>>();
const note = (one: Case, subject: Subject, word: string) => {
  const row = table.get(one.name) ?? new Map<Subject, string>();
  table.set(one.name, row.set(subject, word));
};

function writeTable(): void {
  const lines = CASES.map(({ name }) => {
    const cells = SUBJECTS.map((subject) => (table.get(name)?.get(subject) ?? "not run").padEnd(8));
    return `${name.padEnd(62)} ${cells.join(" ")}`;
  });
  mkdirSync(".cache", { recursive: true });
  writeFileSync(
    ".cache/cases.txt",
    `${["case".padEnd(62), ...SUBJECTS.map((s) => s.padEnd(8))].join(" ")}\n${lines.join("\n")}\n`,
  );
}

describe("every operation × declared answer × example", () => {
  withScope((closeLater) => {
    let installations: Installations;
    let mockUrl: string;
    beforeAll(async () => {
      [installations, mockUrl] = await Promise.all([openInstallations(closeLater), startMock(closeLater)]);
    }, 120_000);
    afterAll(writeTable);

    it("is more than a hundred cases, each with its own name", () => {
      expect(CASES.length).toBeGreaterThan(100);
      expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
    });

    it.each(CASES)("$name", async (one) => {
      const setUp = await setUpOf(one, installations);
      if (setUp === undefined) throw new Error(`${one.name} has no set-up: test/conformance/*-set-ups.ts`);
      const { server, sdk } = setUp;
      const found: Record<Subject, Departures> = {
        mock: await askMock(one, mockUrl),
        server: server instanceof NotApplicable ? [] : await askServer(one, server, installations),
        sdk: sdk instanceof NotApplicable ? [] : await askSdk(one, sdk, installations),
      };
      for (const subject of SUBJECTS) note(one, subject, found[subject].length === 0 ? "kept" : "DEPARTS");
      if (server instanceof NotApplicable) note(one, "server", `not applicable, because ${server.because}`);
      if (sdk instanceof NotApplicable) note(one, "sdk", `not applicable, because ${sdk.because}`);
      expect(found).toEqual({ mock: [], server: [], sdk: [] });
    });
  });
});
