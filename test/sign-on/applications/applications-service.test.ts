import { createHash } from "node:crypto";
import {
  ApplicationKind,
  ConsentPolicy,
  type CreateApplicationRequest,
} from "../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { Failure } from "../../../src/runtime/basis/errors.ts";
import { auditEntries } from "../../support/audited.ts";
import { applicationRequest, present } from "../../support/world.ts";
import { describeSignOn } from "../sign-on-fixture.ts";

const { BROWSER, NATIVE } = ApplicationKind;

describeSignOn("registering an application (R-S15, R-S16, R-S18, S3)", (scene) => {
  const create = (more: Partial<CreateApplicationRequest> = {}) =>
    scene().signOn.signOn.createApplication(applicationRequest(scene().world.instanceId, more));
  const at = (...uris: string[]) => uris.map((uri) => ({ uri, instanceId: scene().world.instanceId }));
  async function violations(more: Partial<CreateApplicationRequest>) {
    const failure = (await create(more).catch((error: unknown) => error)) as Failure;
    expect(failure.code).toBe("INVALID_ARGUMENT");
    return failure.violations.map(({ field, reason }) => `${field} ${reason}`);
  }

  it("gives a web application a secret, once, and keeps its digest (S27)", async () => {
    const { signOn } = scene();
    const { application, secret } = await create({ name: "  Payroll " });
    const { id, name } = present(application);
    expect(id).toMatch(/^app_[A-Za-z0-9]{21}$/);
    expect(name).toBe("Payroll");
    expect(secret).toMatch(/^ghs_[A-Za-z0-9_-]{43}$/);
    const row = await signOn.db
      .selectFrom("sign_on_applications")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(row.secret_digest).toEqual(createHash("sha256").update(present(secret)).digest());
    const listed = await signOn.signOn.listApplications({ limit: 200, cursor: null });
    expect(listed.applications.find((one) => one.id === id)).toEqual(application);
    expect(JSON.stringify(listed)).not.toContain(present(secret));
  });

  it.each([
    ["browser", BROWSER, "https://app.example/cb"],
    ["native", NATIVE, "com.example.app:/cb"],
  ])("gives a %s application none, and asks it for PKCE whatever was said", async (_, kind, uri) => {
    const { application, secret } = await create({ kind, redirectUris: at(uri), pkceRequired: false });
    expect(secret ?? null).toBeNull();
    expect(present(application).pkceRequired).toBe(true);
  });

  it("fills in what was not said: consent once, the lifetimes of R-S9", async () => {
    const { application } = await create({ consent: ConsentPolicy.UNSPECIFIED, lifetimes: null });
    expect(application).toMatchObject({
      consent: ConsentPolicy.ONCE,
      lifetimes: {
        authorizationCodeSeconds: 600,
        accessTokenSeconds: 3_600,
        idTokenSeconds: 3_600,
        refreshTokenIdleSeconds: 30 * 86_400,
        refreshTokenAbsoluteSeconds: 180 * 86_400,
      },
      grantTypes: ["authorization_code", "refresh_token"],
      refreshRepeatSeconds: 30,
      corsOrigins: [],
      postLogoutRedirectUris: [],
      disabledAt: null,
    });
  });

  it("takes a name of 100 characters, of which one beyond U+FFFF is one", async () => {
    const name = "🦀".repeat(100);
    expect(present((await create({ name })).application).name).toBe(name);
  });

  it("writes down who did it", async () => {
    const { application } = await create();
    const { store } = scene().signOn.opened;
    const rows = await auditEntries(store, ["actor", "action"], { object: present(application).id });
    expect(rows).toEqual([{ actor: "operator", action: "application.create" }]);
  });

  it.each<[string, Partial<CreateApplicationRequest>, string]>([
    ["no name", { name: "" }, "name must have 1 to 100 characters"],
    ["a blank name", { name: " \t " }, "name must have 1 to 100 characters"],
    ["a name of 101 characters", { name: "a".repeat(101) }, "name must have 1 to 100 characters"],
    ["a name of 101 crabs", { name: "🦀".repeat(101) }, "name must have 1 to 100 characters"],
    [
      "a name with NUL",
      { name: "Pay\u0000roll" },
      "name must have 1 to 100 characters, none of them a control character",
    ],
    [
      "a name of two lines",
      { name: "Pay\nroll" },
      "name must have 1 to 100 characters, none of them a control character",
    ],
    ["no kind", { kind: ApplicationKind.UNSPECIFIED }, "kind must be web, browser or native"],
    ["no scopes", { scopes: [] }, "scopes must be one or more of"],
    ["an unknown scope", { scopes: ["openid", "admin"] }, "scopes must be one or more of"],
    ["two scopes in one", { scopes: ["openid email", ""] }, "scopes must be one or more of"],
    ["no redirect URI", { redirectUris: [] }, "redirect_uris must name at least one"],
    [
      "a code of 601 s",
      { lifetimes: { authorizationCodeSeconds: 601 } },
      "lifetimes.authorization_code_seconds must be 30 to 600",
    ],
    [
      "a code of 29 s",
      { lifetimes: { authorizationCodeSeconds: 29 } },
      "lifetimes.authorization_code_seconds must be 30 to 600",
    ],
    [
      "an access token of 0 s",
      { lifetimes: { accessTokenSeconds: 0 } },
      "lifetimes.access_token_seconds must be 60 to 86400",
    ],
    ["an ID token of -1 s", { lifetimes: { idTokenSeconds: -1 } }, "lifetimes.id_token_seconds must be 60 to 86400"],
    [
      "an endless refresh token",
      { lifetimes: { refreshTokenIdleSeconds: 2 ** 31 - 1 } },
      "lifetimes.refresh_token_idle_seconds must be",
    ],
    ["an unknown grant type", { grantTypes: ["authorization_code", "password"] }, "grant_types must be of"],
    ["no code among its grant types", { grantTypes: ["refresh_token"] }, "grant_types must contain authorization_code"],
    ["a repeat window of 301 s", { refreshRepeatSeconds: 301 }, "refresh_repeat_seconds must be 0 to 300"],
    ["a negative repeat window", { refreshRepeatSeconds: -1 }, "refresh_repeat_seconds must be 0 to 300"],
    ["an origin with a path", { corsOrigins: ["https://app.example/"] }, "cors_origins[0] is not an origin"],
    ["an http origin", { corsOrigins: ["http://app.example"] }, "cors_origins[0] must be https"],
    ["every origin", { corsOrigins: ["*"] }, "cors_origins[0] is not an origin"],
    [
      "an origin that no DNS can have",
      { corsOrigins: ["https://app..example"] },
      "cors_origins[0] must have a host name",
    ],
    ["the opaque origin", { corsOrigins: ["null"] }, "cors_origins[0] is not an origin"],
    [
      "a post-logout address over http",
      { postLogoutRedirectUris: ["https://app.example/bye", "http://app.example/bye"] },
      "post_logout_redirect_uris[1] must be https",
    ],
  ])("refuses %s", async (_, more, violation) => {
    expect(await violations(more)).toEqual([expect.stringContaining(violation)]);
  });

  it.each([
    ["javascript:alert(1)", "scheme"],
    ["data:text/html,x", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["http://app.example/cb", "must be https"],
    ["http://127.0.0.1/cb", "must be https"],
    ["https://app.example/cb#x", "fragment"],
    ["https://*.example/cb", "wildcard"],
    ["https://user@app.example/cb", "names a user"],
    ["https:app.example", "two slashes"],
    ["com.example.app:/cb", "scheme"],
  ])("refuses the redirect URI %s for a web application, and says why (S3)", async (uri, reason) => {
    const redirectUris = at("https://app.example/cb", uri);
    expect(await violations({ redirectUris })).toEqual([
      expect.stringMatching(new RegExp(`^redirect_uris\\[1\\]\\.uri .*${reason}`)),
    ]);
  });

  it("refuses a redirect URI twice, also for two instances: it must name one (R-S15)", async () => {
    const twice = at("https://app.example/cb", "https://app.example/cb");
    expect(await violations({ redirectUris: twice })).toEqual(["redirect_uris[1].uri is repeated"]);
  });

  it("names every mistake at once", async () => {
    const wrong = { name: "", scopes: ["x"], redirectUris: at("nothing"), lifetimes: { accessTokenSeconds: 1 } };
    expect((await violations(wrong)).map((text) => text.split(" ")[0])).toEqual([
      "name",
      "scopes",
      "redirect_uris[0].uri",
      "lifetimes.access_token_seconds",
    ]);
  });

  it("refuses an instance that does not exist, and writes nothing", async () => {
    const { signOn } = scene();
    const before = (await signOn.signOn.listApplications({ limit: 200, cursor: null })).applications.length;
    const redirectUris = [{ uri: "https://app.example/cb", instanceId: "instance_AAAAAAAAAAAAAAAAAAAAA" }];
    expect(await violations({ redirectUris })).toEqual([expect.stringContaining("is no instance")]);
    expect(await violations({ redirectUris: [{ uri: "https://app.example/cb", instanceId: "x" }] })).toHaveLength(1);
    expect((await signOn.signOn.listApplications({ limit: 200, cursor: null })).applications).toHaveLength(before);
  });
});
