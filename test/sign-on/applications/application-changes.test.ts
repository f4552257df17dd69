import {
  ApplicationKind,
  type CreateApplicationRequest,
  type UpdateApplicationRequest,
} from "../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { Failure } from "../../../src/runtime/basis/errors.ts";
import { auditEntries } from "../../support/audited.ts";
import { authorizePath, Browser, exchange, obtainCode, redeem, signIn } from "../../support/browser.ts";
import { call } from "../../support/http.ts";
import { endedAtOnce } from "../../support/one-round.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { applicationRequest, makeWorld, PASSWORD, present, REDIRECT_URI, type World } from "../../support/world.ts";
import { openSignOn, type SignOn, signOnSets, withApplication } from "../sign-on-fixture.ts";

const { WEB, BROWSER, NATIVE } = ApplicationKind;
const SECOND = "https://app.example/second";

const updateOf = (applicationId: string, more: Partial<UpdateApplicationRequest>): UpdateApplicationRequest => {
  const { redirectUris: _, kind: __, ...fields } = applicationRequest("");
  return { ...fields, applicationId, updateMask: [], ...more };
};

eachStore((_name, open) => {
  let signOn: SignOn;
  let base: World;
  const closeLater = closingAfterAll();

  beforeAll(async () => {
    signOn = await openSignOn(await open(signOnSets), closeLater);
    base = await makeWorld(signOn);
  });

  const operator = () => signOn.signOn;
  const fresh = (more: Partial<CreateApplicationRequest> = {}) => withApplication(signOn, base, more);
  const shown = async ({ application: { id } }: World) =>
    present((await operator().getApplication({ applicationId: id })).application);
  const audited = ({ application: { id } }: World) =>
    auditEntries(signOn.opened.store, ["actor", "action", "facts"], { object: id });
  const failureOf = async (work: Promise<unknown>) => (await work.catch((error: unknown) => error)) as Failure;

  describe("listing applications", () => {
    it("goes through them page by page, each once, oldest first", async () => {
      await fresh();
      await fresh();
      const ids: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list(2, cursor);
        expect(page.applications.length).toBeLessThanOrEqual(2);
        ids.push(...page.applications.map(({ id }) => id));
        cursor = page.nextCursor ?? null;
      } while (cursor !== null);
      const whole = await list(200, null);
      expect(ids).toEqual(whole.applications.map(({ id }) => id));
      expect(ids.length).toBeGreaterThanOrEqual(3);
    });
    const list = (limit: number, cursor: string | null) => operator().listApplications({ limit, cursor });

    it("lists what a filter asks for, by every page size", async () => {
      const portal = await fresh({ name: "Pay Röll Portal" });
      signOn.clock.step(1);
      const other = await fresh({
        name: "Filtered clock",
        redirectUris: [
          { uri: "https://clock.example/callback", instanceId: base.instanceId },
          { uri: "https://Second.Clock.example/callback", instanceId: base.instanceId },
        ],
      });
      await operator().disableApplication({ applicationId: other.application.id });
      const filters = [
        { nameContains: "RÖLL p" },
        { nameContains: "%" },
        { redirectUriContains: "//second.clock.example/" },
        { nameContains: "i", redirectUriContains: "clock.example", disabled: true },
        { nameContains: "i", redirectUriContains: "clock.example", disabled: false },
        { nameContains: "l", instanceId: base.instanceId, disabled: true },
        { instanceId: "instance_none" },
      ];
      const idsOf = async (limit: number) => {
        const lists = [];
        for (const filter of filters) {
          const found: string[] = [];
          let cursor: string | null = null;
          do {
            const page: Awaited<ReturnType<typeof list>> = await operator().listApplications({
              ...filter,
              limit,
              cursor,
            });
            found.push(...page.applications.map(({ id }) => id));
            cursor = page.nextCursor ?? null;
          } while (cursor !== null);
          lists.push(found);
        }
        return lists;
      };
      const [one, two] = [portal.application.id, other.application.id];
      const expected = [[one], [], [two], [two], [], [two], []];
      expect([await idsOf(1), await idsOf(2), await idsOf(200)]).toEqual(Array(3).fill(expected));
    });

    it.each([
      [{ limit: 201, cursor: null }, "limit"],
      [{ limit: -1, cursor: null }, "limit"],
      [{ limit: 1, cursor: "" }, "cursor"],
      [{ limit: 1, cursor: "MTIz" }, "cursor"],
    ])("refuses %j", async (request, field) => {
      const failure = await failureOf(operator().listApplications(request));
      expect([failure.code, failure.violations.map((one) => one.field)]).toEqual(["INVALID_ARGUMENT", [field]]);
    });
  });

  describe("updating an application", () => {
    it("changes the named fields and no others, and says from what to what", async () => {
      const world = await fresh();
      const before = await shown(world);
      signOn.clock.step(1_000);
      const { application } = await operator().updateApplication(
        updateOf(world.application.id, {
          updateMask: ["name", "lifetimes.access_token_seconds", "cors_origins"],
          name: " Payroll ",
          scopes: ["openid"],
          lifetimes: { accessTokenSeconds: 900, idTokenSeconds: 60 },
          corsOrigins: ["https://app.example", "https://app.example"],
        }),
      );
      const { updatedAt: was, ...old } = before;
      const { updatedAt: is, ...now } = present(application);
      expect(now).toEqual({
        ...old,
        name: "Payroll",
        lifetimes: { ...old.lifetimes, accessTokenSeconds: 900 },
        corsOrigins: ["https://app.example"],
      });
      expect(present(is) > present(was)).toBe(true);
      expect(await shown(world)).toEqual(application);
      const [, entry] = await audited(world);
      expect(entry).toMatchObject({ actor: "operator", action: "application.update" });
      expect(JSON.parse(entry?.facts ?? "")).toEqual({
        "name.from": "Marigold",
        "name.to": "Payroll",
        "accessTokenSeconds.from": "3600",
        "accessTokenSeconds.to": "900",
        "corsOrigins.from": "",
        "corsOrigins.to": "https://app.example",
      });
    });

    it("writes nothing when all is so already", async () => {
      const world = await fresh();
      const before = await shown(world);
      signOn.clock.step(1_000);
      const request = updateOf(world.application.id, { updateMask: ["name"], name: before.name });
      expect((await operator().updateApplication(request)).application).toEqual(before);
      expect(await audited(world)).toHaveLength(1);
    });

    it("lets two updates of different fields at once both hold", async () => {
      const world = await fresh();
      const update = (more: Partial<UpdateApplicationRequest>) =>
        operator().updateApplication(updateOf(world.application.id, more));
      await Promise.all([
        update({ updateMask: ["name"], name: "Other" }),
        update({ updateMask: ["scopes"], scopes: ["openid"] }),
        update({ updateMask: ["pkce_required"], pkceRequired: true }),
      ]);
      expect(await shown(world)).toMatchObject({ name: "Other", scopes: ["openid"], pkceRequired: true });
    });

    it.each<[string, ApplicationKind, Partial<UpdateApplicationRequest>, string]>([
      ["nothing", WEB, {}, "update_mask must name at least one of name, scopes"],
      ["the kind", WEB, { updateMask: ["kind"] }, "update_mask may name only"],
      ["all lifetimes by one word", WEB, { updateMask: ["lifetimes"] }, "update_mask may name only"],
      ["a secret", WEB, { updateMask: ["secret_digest"] }, "update_mask may name only"],
      ["what every object has", WEB, { updateMask: ["__proto__"] }, "update_mask may name only"],
      ["no name", WEB, { updateMask: ["name"], name: "" }, "name must have 1 to 100 characters"],
      ["an unknown scope", WEB, { updateMask: ["scopes"], scopes: ["admin"] }, "scopes must be one or more of"],
      [
        "a public application without PKCE (R-S16)",
        BROWSER,
        { updateMask: ["pkce_required"] },
        "pkce_required cannot be false",
      ],
      [
        "a code of 601 s (R-S9)",
        WEB,
        { updateMask: ["lifetimes.authorization_code_seconds"], lifetimes: { authorizationCodeSeconds: 601 } },
        "lifetimes.authorization_code_seconds must be 30 to 600",
      ],
      [
        "a repeat window of 301 s",
        WEB,
        { updateMask: ["refresh_repeat_seconds"], refreshRepeatSeconds: 301 },
        "refresh_repeat_seconds must be 0 to 300",
      ],
      [
        "an http origin",
        WEB,
        { updateMask: ["cors_origins"], corsOrigins: ["http://app.example"] },
        "cors_origins[0] must be https",
      ],
      [
        "51 origins",
        WEB,
        {
          updateMask: ["cors_origins"],
          corsOrigins: Array.from({ length: 51 }, (_, index) => `https://a${index}.example`),
        },
        "cors_origins must have at most 50 entries",
      ],
    ])("refuses %s", async (_, kind, more, violation) => {
      const world = await fresh({ kind, redirectUris: [{ uri: SECOND, instanceId: base.instanceId }] });
      const failure = await failureOf(operator().updateApplication(updateOf(world.application.id, more)));
      expect([failure.code, failure.violations.map(({ field, reason }) => `${field} ${reason}`)]).toEqual([
        "INVALID_ARGUMENT",
        [expect.stringContaining(violation)],
      ]);
      expect(await audited(world)).toHaveLength(1);
    });

    it("ignores lifetimes that are not named, whatever they say", async () => {
      const world = await fresh();
      const request = updateOf(world.application.id, {
        updateMask: ["name"],
        name: "Other",
        lifetimes: { accessTokenSeconds: -1 },
      });
      await expect(operator().updateApplication(request)).resolves.toMatchObject({ application: { name: "Other" } });
    });
  });

  describe("what R-S15 refuses, at registration, at adding a redirect URI, and among the addresses after logout", () => {
    it.each<[uri: string, kind: ApplicationKind, reason: string]>([
      ["javascript:alert(1)", WEB, "must be https (schemes of an application's own are for native applications"],
      ["com.example.app:/cb", BROWSER, "must be https (schemes of an application's own are for native applications"],
      ["myapp:/cb", NATIVE, "must have a private-use scheme with a dot"],
      ["http://app.example/cb", WEB, "must be https"],
      ["http://app.example/cb", NATIVE, "must be https"],
      ["http://127.0.0.1/cb", WEB, "loopback addresses are for native applications"],
      ["http://[::1]:8080/cb", BROWSER, "loopback addresses are for native applications"],
      ["https://app.example/cb#x", WEB, "has a fragment"],
      ["https://*.example/cb", WEB, "has a wildcard"],
      ["https://user@app.example/cb", WEB, "names a user"],
      ["https:app.example", WEB, "two slashes and a host"],
      ["https://app.example\\cb", WEB, "has a backslash"],
      ["/cb", WEB, "is not an absolute URI"],
      ["https://app.example/\u00e9", WEB, "printable ASCII"],
      [`https://app.example/${"a".repeat(2_000)}`, WEB, "is longer than 2000 characters"],
    ])("%s", async (uri, kind, reason) => {
      const { instanceId } = base;
      const world = await fresh({ kind, redirectUris: [{ uri: SECOND, instanceId }] });
      const applicationId = world.application.id;
      const failures = await Promise.all(
        [
          operator().createApplication(applicationRequest(instanceId, { kind, redirectUris: [{ uri, instanceId }] })),
          operator().addRedirectUri({ applicationId, redirectUri: { uri, instanceId } }),
          operator().updateApplication(
            updateOf(applicationId, { updateMask: ["post_logout_redirect_uris"], postLogoutRedirectUris: [uri] }),
          ),
        ].map(failureOf),
      );
      expect(failures.map(({ violations }) => violations)).toEqual(
        ["redirect_uris[0].uri", "redirect_uri.uri", "post_logout_redirect_uris[0]"].map((field) => [
          { field, reason: expect.stringContaining(reason) },
        ]),
      );
    });

    it.each([
      ["com.example.app:/cb"],
      ["com.example.app://cb"],
      ["http://127.0.0.1/cb"],
      ["http://127.0.0.1:1/cb"],
      ["http://[::1]/"],
      ["https://app.example/cb"],
    ])("but not %s of a native application (RFC 8252 §7)", async (uri) => {
      const world = await fresh({ kind: NATIVE, redirectUris: [{ uri: SECOND, instanceId: base.instanceId }] });
      const redirectUri = { uri, instanceId: base.instanceId };
      const { application } = await operator().addRedirectUri({ applicationId: world.application.id, redirectUri });
      expect(present(application).redirectUris).toContainEqual(redirectUri);
    });
  });

  describe("redirect URIs", () => {
    const add = (world: World, uri = SECOND, instanceId = base.instanceId) =>
      operator().addRedirectUri({ applicationId: world.application.id, redirectUri: { uri, instanceId } });
    const remove = (world: World, uri: string) =>
      operator().removeRedirectUri({ applicationId: world.application.id, uri });

    it("are used as soon as they are there, and no longer than that", async () => {
      const world = await fresh();
      await add(world);
      const path = authorizePath(world, { redirect_uri: SECOND });
      const browser = new Browser(signOn.url);
      const login = await browser.follow(path);
      expect(login.path).toMatch(/^\/auth\/login/);
      await remove(world, SECOND);
      const gone = await browser.open(login.path);
      expect([gone.status, gone.text]).toEqual([400, expect.stringContaining("registered")]);
      expect((await new Browser(signOn.url).open(path)).status).toBe(400);
      expect((await audited(world)).map(({ action, facts }) => [action, JSON.parse(facts)])).toEqual([
        ["application.create", {}],
        ["application.addRedirectUri", { uri: SECOND, instance: base.instanceId }],
        ["application.removeRedirectUri", { uri: SECOND }],
      ]);
    });

    it("are unique, each have an instance, and include at least one", async () => {
      const world = await fresh();
      expect(await failureOf(add(world, REDIRECT_URI))).toMatchObject({ reason: "redirect_uri_registered" });
      expect(await failureOf(add(world, SECOND, "instance_AAAAAAAAAAAAAAAAAAAAA"))).toMatchObject({
        violations: [{ field: "redirect_uri.instance_id", reason: expect.stringContaining("is no instance") }],
      });
      expect(await failureOf(remove(world, SECOND))).toMatchObject({ reason: "redirect_uri_not_registered" });
      expect(await failureOf(remove(world, REDIRECT_URI))).toMatchObject({ reason: "last_redirect_uri" });
    });

    it("of a loopback address name one instance, whatever their port, since any port is one of them (RFC 8252 §7.3)", async () => {
      const { instance } = await signOn.platform.createInstance({ requestId: "", name: "Elsewhere" });
      const [here, elsewhere] = [base.instanceId, present(instance).id];
      const redirectUris = [{ uri: "http://127.0.0.1:1/cb", instanceId: here }];
      const reason = expect.stringContaining("http://127.0.0.1:1/cb, which belongs to another instance");
      const both = [...redirectUris, { uri: "http://127.0.0.1:2/cb", instanceId: elsewhere }];
      expect(await failureOf(fresh({ kind: NATIVE, redirectUris: both }))).toMatchObject({
        violations: [{ field: "redirect_uris[1].uri", reason }],
      });
      const world = await fresh({ kind: NATIVE, redirectUris });
      expect(await failureOf(add(world, "http://127.0.0.1/cb", elsewhere))).toMatchObject({
        violations: [{ field: "redirect_uri.uri", reason }],
      });
      await add(world, "http://127.0.0.1:2/cb", here);
      await add(world, "http://127.0.0.1/other", elsewhere);
      await add(world, "http://[::1]/cb", elsewhere);
      expect((await shown(world)).redirectUris).toHaveLength(4);
    });

    it("are at most a hundred of one application", async () => {
      const { instanceId } = base;
      const redirectUris = Array.from({ length: 100 }, (_, at) => ({ uri: `https://a${at}.example/`, instanceId }));
      expect(await failureOf(add(await fresh({ redirectUris })))).toMatchObject({ reason: "too_many_redirect_uris" });
      const more = [...redirectUris, { uri: SECOND, instanceId }];
      expect(await failureOf(fresh({ redirectUris: more }))).toMatchObject({
        violations: [{ field: "redirect_uris", reason: "must name at most 100" }],
      });
    });
  });

  describe("rotating a secret", () => {
    const rotate = async (world: World, keepPreviousSeconds: number) => {
      const answer = await operator().rotateApplicationSecret({
        applicationId: world.application.id,
        keepPreviousSeconds,
      });
      return { ...answer, world: { ...world, application: { ...world.application, secret: answer.secret } } };
    };
    /** The token endpoint's answer to the application with an unknown code. */
    const proves = async (world: World) =>
      (await redeem(signOn.url, world, "none")).json<{ error: string }>().error !== "invalid_client";

    it("keeps two valid for the requested time, and returns neither again", async () => {
      const old = await fresh();
      const { world: rotated, secret, application } = await rotate(old, 3_600);
      expect(secret).toMatch(/^ghs_[A-Za-z0-9_-]{43}$/);
      expect([await proves(old), await proves(rotated)]).toEqual([true, true]);
      expect(present(application).previousSecretExpiresAt).toEqual(new Date(signOn.clock.now().getTime() + 3_600_000));
      signOn.clock.step(3_600_000);
      expect([await proves(old), await proves(rotated)]).toEqual([false, true]);
      expect((await shown(old)).previousSecretExpiresAt ?? null).toBeNull();
      expect(JSON.stringify([await shown(old), await audited(old), signOn.log.lines])).not.toContain(secret);
    });

    it("has the log name the application that uses the one before, once a minute (R-X124)", async () => {
      const old = await fresh();
      const { world: rotated } = await rotate(old, 3_600);
      const { id } = old.application;
      const used = () => signOn.log.lines.filter(({ fields }) => fields.caller === id);
      const line = (requestId: string | null) => ({
        level: "info",
        sentence: "An application used its previous secret.",
        fields: { caller: id, requestId },
      });
      await redeem(signOn.url, rotated, "none");
      expect(used()).toEqual([]);
      const answer = await redeem(signOn.url, old, "none");
      await redeem(signOn.url, old, "none");
      expect(used()).toEqual([line(answer.headers.get("x-request-id"))]);
    });

    it("shows when the one before was accepted last, which no request writes (R-X124)", async () => {
      const old = await fresh();
      const { world: second } = await rotate(old, 3_600);
      const uses = signOn.loops.filter(({ name }) => name === "previous-secret-uses");
      const lastUse = async () => (await shown(old)).previousSecretLastUsedAt;
      const afterUseBy = async (...worlds: World[]) => {
        for (const world of worlds) await proves(world);
        const before = await lastUse();
        await endedAtOnce(uses);
        return [before, await lastUse()];
      };
      expect(await afterUseBy(second)).toEqual([null, null]);
      const first = signOn.clock.now();
      expect(await afterUseBy(old)).toEqual([null, first]);
      signOn.clock.step(1_000);
      const wrong = { ...old, application: { ...old.application, secret: "ghs_wrong" } };
      expect(await afterUseBy(second, wrong)).toEqual([first, first]);
      expect(await afterUseBy(old, second)).toEqual([first, signOn.clock.now()]);
    });

    it("never shows the use of a secret as one of the secret that took its place (R-X124)", async () => {
      const old = await fresh();
      const { world: second } = await rotate(old, 3_600);
      await proves(old);
      signOn.clock.step(1_000);
      await rotate(second, 3_600);
      await endedAtOnce(signOn.loops.filter(({ name }) => name === "previous-secret-uses"));
      expect((await shown(old)).previousSecretLastUsedAt).toBeNull();
    });

    it("ends the one before at once, when asked so with the rotation or later", async () => {
      const old = await fresh();
      const { world: second } = await rotate(old, 0);
      expect([await proves(old), await proves(second)]).toEqual([false, true]);
      const { world: third } = await rotate(second, 60);
      const end = () => operator().endPreviousSecret({ applicationId: old.application.id });
      await end();
      await end();
      expect([await proves(second), await proves(third)]).toEqual([false, true]);
      expect((await audited(old)).map(({ action }) => action)).toEqual([
        "application.create",
        "application.rotateSecret",
        "application.rotateSecret",
        "application.endPreviousSecret",
      ]);
    });

    it("never loses the newest of two rotations at once (R-X124)", async () => {
      const old = await fresh();
      const both = await Promise.all([rotate(old, 60), rotate(old, 60)]);
      expect(await Promise.all(both.map(({ world }) => proves(world)))).toEqual([true, true]);
      expect(await proves(old)).toBe(false);
    });

    it("is refused for a public application, and beyond thirty days (R-X124)", async () => {
      const open = await fresh({ kind: BROWSER, redirectUris: [{ uri: SECOND, instanceId: base.instanceId }] });
      expect(await failureOf(rotate(open, 0))).toMatchObject({ reason: "application_has_no_secret" });
      expect(await failureOf(rotate(await fresh(), 30 * 86_400 + 1))).toMatchObject({ code: "INVALID_ARGUMENT" });
    });
  });

  describe("what was begun before a registration became narrower (R-S8, R-S15, R-X131)", () => {
    const narrow = ({ application: { id } }: World, more: Partial<UpdateApplicationRequest>) =>
      operator().updateApplication(updateOf(id, { ...more, updateMask: Object.keys(more).map(snake) }));
    const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    /** Signs in on a login page that was open when the change was made. */
    const goOn = async (world: World, change: () => Promise<unknown>) => {
      const browser = new Browser(signOn.url);
      const login = await browser.follow(authorizePath(world));
      await change();
      return browser.submit(login.answer, { email: world.email, password: PASSWORD });
    };

    it.each([
      ["a scope", { scopes: ["openid", "profile"] }, "invalid_scope"],
      ["the obligation of PKCE", { pkceRequired: true }, "invalid_request"],
    ])("a sign-in under way ends with an error at the application: %s", async (_title, change, error) => {
      const world = await fresh();
      const { left } = await goOn(world, () => narrow(world, change));
      expect(left?.searchParams.get("error")).toBe(error);
      expect(left?.searchParams.get("state")).toBe("st-4711");
    });

    it("a sign-in under way leads nowhere when its redirect URI belongs to another instance by now", async () => {
      const world = await fresh();
      const applicationId = world.application.id;
      const { instance } = await signOn.platform.createInstance({ requestId: "", name: "Elsewhere" });
      const { answer } = await goOn(world, async () => {
        const second = { uri: SECOND, instanceId: base.instanceId };
        await operator().addRedirectUri({ applicationId, redirectUri: second });
        await operator().removeRedirectUri({ applicationId, uri: REDIRECT_URI });
        const moved = { uri: REDIRECT_URI, instanceId: present(instance).id };
        await operator().addRedirectUri({ applicationId, redirectUri: moved });
      });
      expect(answer.status).toBe(400);
    });

    it("the page about an ended sign-in leads to no application that is disabled, and to no address that was taken away", async () => {
      const world = await fresh({
        redirectUris: [SECOND, "https://other.example/cb"].map((uri) => ({ uri, instanceId: base.instanceId })),
      });
      const applicationId = world.application.id;
      const { path } = await new Browser(signOn.url).follow(authorizePath(world, { redirect_uri: SECOND }));
      const shownElsewhere = async () => (await new Browser(signOn.url).open(path)).text;
      expect(await shownElsewhere()).toContain('href="https://app.example"');
      await operator().disableApplication({ applicationId });
      expect(await shownElsewhere()).not.toContain("app.example");
      await operator().enableApplication({ applicationId });
      await operator().removeRedirectUri({ applicationId, uri: SECOND });
      expect(await shownElsewhere()).not.toContain("app.example");
      signOn.clock.step(3_600_001);
      expect(await shownElsewhere()).not.toContain("app.example");
    });

    it("without the code grant: unauthorized_client at authorize, under way and for a code; refreshes go on (R-X161)", async () => {
      const world = await fresh();
      const withoutCode = () => narrow(world, { grantTypes: ["refresh_token"] });
      const { refresh_token } = (await redeem(signOn.url, world, await obtainCode(signOn.url, world))).json<{
        refresh_token: string;
      }>();
      const code = await obtainCode(signOn.url, world);
      const { left } = await goOn(world, withoutCode);
      const refused = { error: "unauthorized_client", state: "st-4711", iss: signOn.issuer };
      expect(Object.fromEntries(left?.searchParams ?? [])).toMatchObject(refused);
      const asked = await call(signOn.url, authorizePath(world));
      const redirected = new URL(asked.headers.get("location") ?? "none:");
      expect([asked.status, Object.fromEntries(redirected.searchParams)]).toEqual([
        302,
        expect.objectContaining(refused),
      ]);
      const redeemed = await redeem(signOn.url, world, code);
      expect([redeemed.status, redeemed.json()]).toMatchObject([400, { error: "unauthorized_client" }]);
      const refreshed = await exchange(signOn.url, world, { grant_type: "refresh_token", refresh_token });
      expect([refreshed.status, refreshed.json()]).toMatchObject([200, { token_type: "Bearer" }]);
      expect((await shown(world)).grantTypes).toEqual(["refresh_token"]);
    });

    it("a code for more is not redeemed, and a refresh gives only what is left", async () => {
      const world = await fresh();
      const first = await redeem(signOn.url, world, await obtainCode(signOn.url, world));
      const code = await obtainCode(signOn.url, world);
      await narrow(world, { scopes: ["openid", "profile"] });
      expect((await redeem(signOn.url, world, code)).json()).toMatchObject({ error: "invalid_grant" });
      const { refresh_token } = first.json<{ refresh_token: string }>();
      const grant = { grant_type: "refresh_token", refresh_token };
      const asked = await exchange(signOn.url, world, { ...grant, scope: "openid email" });
      expect(asked.json()).toMatchObject({ error: "invalid_scope" });
      const refreshed = await exchange(signOn.url, world, grant);
      expect(refreshed.json()).toMatchObject({ scope: "openid profile" });
    });

    it.each<[string, string, (world: World) => Promise<unknown>]>([
      [
        "its redirect URI was removed",
        "code.redirect_uri_not_registered",
        async ({ application: { id: applicationId } }) => {
          const second = { uri: SECOND, instanceId: base.instanceId };
          await operator().addRedirectUri({ applicationId, redirectUri: second });
          await operator().removeRedirectUri({ applicationId, uri: REDIRECT_URI });
        },
      ],
      [
        "its redirect URI belongs to another instance",
        "code.redirect_uri_not_registered",
        async ({ application: { id: applicationId } }) => {
          const { instance } = await signOn.platform.createInstance({ requestId: "", name: "Elsewhere" });
          const second = { uri: SECOND, instanceId: base.instanceId };
          await operator().addRedirectUri({ applicationId, redirectUri: second });
          await operator().removeRedirectUri({ applicationId, uri: REDIRECT_URI });
          const moved = { uri: REDIRECT_URI, instanceId: present(instance).id };
          await operator().addRedirectUri({ applicationId, redirectUri: moved });
        },
      ],
      ["PKCE is required", "code.challenge_missing", (world) => narrow(world, { pkceRequired: true })],
    ])("a code is not redeemed when %s by now, and its explanation says so", async (_title, check, change) => {
      const world = await fresh();
      const code = await obtainCode(signOn.url, world);
      await change(world);
      const explained = await signOn.inspection.explainToken({ token: code });
      expect(explained.problems.map((problem) => problem.check)).toEqual([check]);
      const redeemed = await redeem(signOn.url, world, code);
      expect([redeemed.status, redeemed.json()]).toMatchObject([400, { error: "invalid_grant" }]);
      const requestId = redeemed.headers.get("x-request-id") ?? "";
      expect((await signOn.inspection.explainRefusal({ requestId })).check).toBe(check);
    });

    it("a code goes on to be good when another redirect URI was removed, or its own is registered again", async () => {
      const world = await fresh();
      const applicationId = world.application.id;
      const own = { uri: REDIRECT_URI, instanceId: base.instanceId };
      const code = await obtainCode(signOn.url, world);
      await operator().addRedirectUri({ applicationId, redirectUri: { ...own, uri: SECOND } });
      await operator().removeRedirectUri({ applicationId, uri: REDIRECT_URI });
      await operator().addRedirectUri({ applicationId, redirectUri: own });
      await operator().removeRedirectUri({ applicationId, uri: SECOND });
      expect((await redeem(signOn.url, world, code)).status).toBe(200);
    });

    describe("a single claim of a scope that is lost is not given any more (R-X109)", () => {
      const CLAIMS = JSON.stringify({ userinfo: { email: null, name: null }, id_token: { email: null, name: null } });
      const parameters = { scope: "openid", claims: CLAIMS };
      const withoutEmail = (world: World) => narrow(world, { scopes: ["openid", "profile"] });
      const tokensOf = async (world: World, code: string) =>
        (await redeem(signOn.url, world, code)).json<{
          access_token: string;
          id_token: string;
          refresh_token: string;
        }>();
      const inIdToken = ({ id_token }: { id_token: string }) =>
        JSON.parse(Buffer.from(id_token.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;
      const atUserinfo = async ({ access_token }: { access_token: string }) =>
        (await call(signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${access_token}` } })).json();

      it("nor asked about, in a sign-in under way", async () => {
        const world = await fresh();
        const browser = new Browser(signOn.url);
        const login = await browser.follow(authorizePath(world, parameters));
        await withoutEmail(world);
        const consent = await browser.submit(login.answer, { email: world.email, password: PASSWORD });
        expect(consent.answer.text.match(/<li>/g)).toHaveLength(2);
        const { left } = await browser.submit(consent.answer, { decision: "approve" });
        const tokens = await tokensOf(world, left?.searchParams.get("code") ?? "");
        expect(inIdToken(tokens)).not.toHaveProperty("email");
        expect(inIdToken(tokens)).toHaveProperty("name");
      });

      it("for a code, and by userinfo, before a refresh and after it", async () => {
        const world = await fresh();
        const before = await tokensOf(world, await obtainCode(signOn.url, world, parameters));
        expect(inIdToken(before)).toMatchObject({ email: world.email });
        expect(await atUserinfo(before)).toMatchObject({ email: world.email });
        const code = await obtainCode(signOn.url, world, parameters);
        await withoutEmail(world);
        const redeemed = await tokensOf(world, code);
        const { refresh_token } = before;
        const refreshed = await exchange(signOn.url, world, { grant_type: "refresh_token", refresh_token });
        const answers = [
          inIdToken(redeemed),
          await atUserinfo(redeemed),
          await atUserinfo(before),
          await atUserinfo(refreshed.json()),
        ];
        expect(
          answers.map((answer) => Object.keys(answer as object).filter((name) => /^(e?mail|name)$/.test(name))),
        ).toEqual(answers.map(() => ["name"]));
      });

      it("while those of the scopes that are left are given after a refresh, too (R-X131)", async () => {
        const world = await fresh();
        const asked = { ...parameters, scope: "openid profile" };
        const { refresh_token } = await tokensOf(world, await obtainCode(signOn.url, world, asked));
        await narrow(world, { scopes: ["openid", "email"] });
        const form = { grant_type: "refresh_token", refresh_token };
        const refreshed = (await exchange(signOn.url, world, form)).json<{ access_token: string; scope: string }>();
        const userinfo = (await atUserinfo(refreshed)) as object;
        expect([refreshed.scope, userinfo]).toMatchObject(["openid", { email: world.email }]);
        expect(Object.keys(userinfo)).not.toContain("name");
      });
    });
  });

  describe("disabling an application (R-X121)", () => {
    const disable = ({ application: { id } }: World) => operator().disableApplication({ applicationId: id });
    const enable = ({ application: { id } }: World) => operator().enableApplication({ applicationId: id });
    const userinfoStatus = async (accessToken: string) =>
      (await call(signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${accessToken}` } })).status;
    const tokensOf = async (world: World) =>
      (await redeem(signOn.url, world, await obtainCode(signOn.url, world))).json<{
        access_token: string;
        refresh_token: string;
      }>();
    const errorOf = async (answer: ReturnType<typeof redeem>) => (await answer).json<{ error?: string }>().error;

    it("is seen at once by authorize, a sign-in under way, token and userinfo", async () => {
      const world = await fresh();
      const tokens = await tokensOf(world);
      expect(await userinfoStatus(tokens.access_token)).toBe(200);
      const browser = new Browser(signOn.url);
      const login = await browser.follow(authorizePath(world));
      await disable(world);
      expect((await shown(world)).disabledAt).toEqual(signOn.clock.now());
      expect((await browser.open(login.path)).status).toBe(400);
      expect((await new Browser(signOn.url).open(authorizePath(world))).status).toBe(400);
      expect(await userinfoStatus(tokens.access_token)).toBe(401);
      const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
      expect(await errorOf(exchange(signOn.url, world, refresh))).toBe("invalid_client");
    });

    it("ends codes and families for good: enabled again, people begin again", async () => {
      const world = await fresh();
      const tokens = await tokensOf(world);
      const code = await obtainCode(signOn.url, world);
      await disable(world);
      signOn.clock.step(1);
      await enable(world);
      const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
      expect(await errorOf(exchange(signOn.url, world, refresh))).toBe("invalid_grant");
      expect(await errorOf(redeem(signOn.url, world, code))).toBe("invalid_grant");
      expect(await userinfoStatus(tokens.access_token)).toBe(401);
      signOn.clock.step(1);
      const again = await tokensOf(world);
      expect(await userinfoStatus(again.access_token)).toBe(200);
      expect((await audited(world)).map(({ action }) => action)).toEqual([
        "application.create",
        "application.disable",
        "application.enable",
      ]);
    });

    it("ends for good also what was issued by a clock that was set back before the application is enabled", async () => {
      const world = await fresh();
      const tokens = await tokensOf(world);
      await disable(world);
      signOn.clock.step(-60_000);
      await enable(world);
      const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
      expect(await errorOf(exchange(signOn.url, world, refresh))).toBe("invalid_grant");
      expect(await userinfoStatus(tokens.access_token)).toBe(401);
      signOn.clock.step(1);
      const again = await tokensOf(world);
      expect(await userinfoStatus(again.access_token)).toBe(200);
      signOn.clock.step(60_000);
    });

    it("leaves other applications of the same person alone", async () => {
      const [world, other] = [await fresh(), await fresh()];
      const tokens = await tokensOf(other);
      await disable(world);
      expect(await userinfoStatus(tokens.access_token)).toBe(200);
      expect((await signIn(new Browser(signOn.url), authorizePath(other), base)).searchParams.has("code")).toBe(true);
    });

    it("is harmless when it is so already", async () => {
      const world = await fresh();
      await enable(world);
      await disable(world);
      const { disabledAt } = await shown(world);
      signOn.clock.step(1_000);
      expect(present((await disable(world)).application).disabledAt).toEqual(disabledAt);
      expect(await audited(world)).toHaveLength(2);
    });
  });

  it.each([
    ["getApplication", {}],
    ["updateApplication", { ...updateOf("", { updateMask: ["name"] }) }],
    ["rotateApplicationSecret", { keepPreviousSeconds: 0 }],
    ["endPreviousSecret", {}],
    ["addRedirectUri", { redirectUri: { uri: SECOND, instanceId: "" } }],
    ["removeRedirectUri", { uri: SECOND }],
    ["disableApplication", {}],
    ["enableApplication", {}],
  ] as const)("%s refuses an unknown application", async (method, request) => {
    const ask = operator()[method] as (request: unknown) => Promise<unknown>;
    const unknown = { ...request, applicationId: "app_AAAAAAAAAAAAAAAAAAAAA" };
    expect(await failureOf(ask(unknown))).toMatchObject({ code: "NOT_FOUND", reason: "application_not_found" });
  });
});
