import {
  type Application,
  ApplicationKind,
  ConsentPolicy,
} from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { shellWord } from "../../../../src/runtime/basis/terminal-lines.ts";
import { withScope } from "../../../support/scope.ts";
import { idOf, openStub, type StubGatehouse } from "../../command-line.ts";

const AT = new Date("2026-11-20T10:54:03.412Z");
const APP = idOf("app");
const INSTANCE = { id: idOf("instance"), name: "Europe", createdAt: AT };
const APPLICATION: Application = {
  id: APP,
  name: "Marigold",
  kind: ApplicationKind.WEB,
  redirectUris: [{ uri: "https://a.example/cb", instanceId: INSTANCE.id }],
  scopes: ["openid", "email"],
  pkceRequired: false,
  consent: ConsentPolicy.ONCE,
  lifetimes: {
    authorizationCodeSeconds: 600,
    accessTokenSeconds: 3600,
    idTokenSeconds: 3600,
    refreshTokenIdleSeconds: 2_592_000,
    refreshTokenAbsoluteSeconds: 15_552_000,
  },
  createdAt: AT,
  grantTypes: ["authorization_code", "refresh_token"],
  refreshRepeatSeconds: 30,
  corsOrigins: [],
  postLogoutRedirectUris: [],
  updatedAt: AT,
  disabledAt: null,
  previousSecretExpiresAt: null,
  previousSecretLastUsedAt: null,
};

describe("gatehouse applications", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;
    let shown = APPLICATION;

    beforeAll(async () => {
      const application = APPLICATION;
      stub = await openStub(closeLater, {
        platform: { listInstances: async () => ({ instances: [INSTANCE], next: null }) },
        signOn: {
          listApplications: async ({ cursor }) => ({
            applications: [cursor ? { ...application, disabledAt: AT } : application],
            nextCursor: cursor ? null : "next-page",
          }),
          getApplication: async () => ({ application: shown }),
          updateApplication: async () => ({ application }),
          rotateApplicationSecret: async ({ keepPreviousSeconds }) => ({
            application: { ...application, previousSecretExpiresAt: keepPreviousSeconds === 0 ? null : AT },
            secret: "ghs_the-secret",
          }),
          endPreviousSecret: async () => ({ application }),
          addRedirectUri: async () => ({ application }),
          removeRedirectUri: async () => ({ application }),
          disableApplication: async () => ({ application: { ...application, disabledAt: AT } }),
          enableApplication: async () => ({ application }),
        },
      });
    });

    afterEach(() => {
      shown = APPLICATION;
    });

    const lastRequest = () => stub.received.at(-1)?.request;

    it("list shows a page and the command for the next one", async () => {
      const first = await stub.run(["applications", "list", "--limit", "1"]);
      expect(lastRequest()).toEqual({
        limit: 1,
        cursor: null,
        name: null,
        nameContains: null,
        redirectUriContains: null,
        instanceId: null,
        disabled: null,
      });
      expect(first.stdout).toMatch(new RegExp(`^Marigold +${APP} +web +live +https://a.example/cb$`, "m"));
      expect(first.stderr).toContain("Next: gatehouse applications list --limit 1 --cursor next-page");
      const last = await stub.run(["applications", "list", "--cursor", "next-page", "--json"]);
      expect(JSON.parse(last.stdout)).toMatchObject({
        applications: [{ id: APP, disabledAt: "2026-11-20T10:54:03.412Z" }],
        nextCursor: null,
      });
    });

    it("list asks for what its flags say, and says so in the command for the next page", async () => {
      const filter = ["--name", "mari", "--redirect-uri", "a.example", "--instance", INSTANCE.name];
      const { stderr } = await stub.run(["applications", "list", ...filter, "--state", "disabled", "--limit", "1"]);
      expect(lastRequest()).toMatchObject({
        nameContains: "mari",
        redirectUriContains: "a.example",
        instanceId: INSTANCE.id,
        disabled: true,
      });
      expect(stderr.replaceAll(/\s+/g, " ")).toContain(
        `Next: gatehouse applications list --name mari --redirect-uri a.example --instance ${shellWord(INSTANCE.name)} --state disabled --limit 1 --cursor next-page`,
      );
      await stub.run(["applications", "list", "--state", "live"]);
      expect(lastRequest()).toMatchObject({ nameContains: null, disabled: false });
    });

    it("show prints everything but the secret", async () => {
      const { stdout } = await stub.run(["applications", "show", APP]);
      expect(lastRequest()).toEqual({ applicationId: APP });
      expect(stdout).toMatch(new RegExp(`^redirect URIs +https://a.example/cb → ${INSTANCE.id}$`, "m"));
      expect(stdout).toMatch(/^state +live$/m);
      expect(stdout).not.toContain("secret");
    });

    it.each([
      [null, "valid until 2026-11-20 10:54 UTC, not used since the rotation"],
      [new Date(AT.getTime() - 3_600_000), "valid until 2026-11-20 10:54 UTC, last used 2026-11-20 09:54 UTC"],
    ])("show says of a previous secret that was used last at %s: %s", async (previousSecretLastUsedAt, said) => {
      shown = { ...APPLICATION, previousSecretExpiresAt: AT, previousSecretLastUsedAt };
      const [words, json] = [
        await stub.run(["applications", "show", APP]),
        await stub.run(["applications", "show", APP, "--json"]),
      ];
      expect(words.stdout).toMatch(new RegExp(`^previous secret +${said}$`, "m"));
      expect(JSON.parse(json.stdout)).toMatchObject({
        previousSecretLastUsedAt: previousSecretLastUsedAt?.toISOString() ?? null,
      });
    });

    it("update names only the fields whose flags were given", async () => {
      const words = ["applications", "update", APP, "--name", "Payroll", "--no-pkce-required"];
      const more = ["--access-token-seconds", "900", "--cors-origin", ""];
      const { exitCode } = await stub.run([...words, ...more]);
      expect(exitCode).toBe(0);
      expect(lastRequest()).toMatchObject({
        applicationId: APP,
        updateMask: ["name", "pkce_required", "cors_origins", "lifetimes.access_token_seconds"],
        name: "Payroll",
        pkceRequired: false,
        corsOrigins: [],
        lifetimes: { accessTokenSeconds: 900 },
      });
      const nothing = await stub.run(["applications", "update", APP]);
      expect(nothing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("No change was given.") });
    });

    it.each([
      [[], 86_400],
      [["--keep-previous", "0"], 0],
      [["--keep-previous", "90m"], 5_400],
      [["--keep-previous", "7d"], 604_800],
    ])("rotate-secret %j keeps the previous one %i s, and shows the new one once", async (flags, seconds) => {
      const { stdout, stderr } = await stub.run(["applications", "rotate-secret", APP, ...flags]);
      expect(lastRequest()).toEqual({ applicationId: APP, keepPreviousSeconds: seconds });
      expect(stdout).toMatch(/^secret +ghs_the-secret$/m);
      expect(stderr).toContain("shown this once and stored nowhere");
      expect(stderr).toContain(
        seconds === 0 ? "The previous one is refused from now on." : "remains valid until 2026-11-20 10:54 UTC",
      );
      expect(stderr).not.toContain("ghs_");
    });

    it("rotate-secret --end-previous makes none", async () => {
      const { stdout, stderr } = await stub.run(["applications", "rotate-secret", APP, "--end-previous"]);
      expect(stub.received.at(-1)).toMatchObject({ path: "EndPreviousSecret", request: { applicationId: APP } });
      expect(stdout).not.toContain("ghs_");
      expect(stderr).toContain("Only the newest secret is valid");
      const both = ["applications", "rotate-secret", APP, "--end-previous", "--keep-previous", "1h"];
      expect(await stub.run(both)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("contradict") });
      const bad = ["applications", "rotate-secret", APP, "--keep-previous", "soon"];
      expect(await stub.run(bad)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("like 90m, 24h or 7d"),
      });
    });

    it("redirect-uris add takes the instance by name, remove the exact URI", async () => {
      const noun = ["applications", "redirect-uris"];
      await stub.run([...noun, "add", APP, "https://b.example/cb", "--instance", "Europe"]);
      const redirectUri = { uri: "https://b.example/cb", instanceId: INSTANCE.id };
      expect(lastRequest()).toEqual({ applicationId: APP, redirectUri });
      await stub.run([...noun, "remove", APP, "https://b.example/cb"]);
      expect(lastRequest()).toEqual({ applicationId: APP, uri: "https://b.example/cb" });
    });

    it("disable and enable name their effects", async () => {
      const disabled = await stub.run(["applications", "disable", APP]);
      expect(disabled.stdout).toMatch(/^state +disabled 2026-11-20 10:54 UTC$/m);
      expect(disabled.stderr).toContain(`Next: gatehouse applications enable ${APP}`);
      const enabled = await stub.run(["applications", "enable", APP]);
      expect(enabled.stderr).toContain("remains invalid");
    });
  });
});
