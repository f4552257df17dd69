import { authorizePath, Browser } from "../support/browser.ts";
import { type Answer, type CallInit, call } from "../support/http.ts";
import { withoutReference } from "../support/oauth-error.ts";
import { PASSWORD } from "../support/world.ts";
import { describeSignOn } from "./sign-on-fixture.ts";

/** How a page names its language: in its markup, and in its headers. */
const languagesOf = (page: Answer): readonly (string | null | undefined)[] => [
  /<html lang="([^"]+)"/.exec(page.text)?.[1],
  page.headers.get("content-language"),
];

const GERMAN = ["de", "de"];
const ENGLISH = ["en", "en"];
const accepting = (languages: string) => ({ headers: { "accept-language": languages } });

describeSignOn("the language of a sign-in (OIDC Core §3.1.2.1 ui_locales, R-X128)", (scene) => {
  it("all its pages follow the authorization request: login, refused, consent, and the form that goes back", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    const path = authorizePath(world, { ui_locales: "fr de-AT en", response_mode: "form_post", prompt: "consent" });
    const login = await browser.follow(path);
    const refused = await browser.submit(login.answer, { email: world.email, password: "not it at all" });
    const consent = await browser.submit(refused.answer, { email: world.email, password: PASSWORD });
    const formPost = await browser.submit(consent.answer, { decision: "approve" });
    const pages = [login, refused, consent, formPost].map(({ answer }) => answer);
    expect(pages.map(({ status }) => status)).toEqual([200, 400, 200, 200]);
    expect(pages.map(languagesOf)).toEqual(Array(4).fill(GERMAN));
    expect(pages.map(({ text }) => /<h1>(?:<bdi>)?([^<]+)/.exec(text)?.[1])).toEqual([
      "Anmelden",
      "Anmelden",
      "Darf ",
      "Sie werden zurückgeleitet",
    ]);
    expect(refused.answer.text).toContain("Die E-\u2060Mail-Adresse oder das Passwort ist falsch.");
  });

  it("a request by POST too", async () => {
    const { signOn, world } = scene();
    const form = Object.fromEntries(new URLSearchParams(authorizePath(world, { ui_locales: "de" }).split("?")[1]));
    const { answer, path } = await new Browser(signOn.url).follow("/auth/authorize", { form });
    expect(path).toMatch(/^\/auth\/login\?interaction=.*&ui_locales=de$/);
    expect(languagesOf(answer)).toEqual(GERMAN);
  });

  it("what was asked for is kept with the sign-in: the next page follows it, though the address has lost it", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    const login = await browser.follow(authorizePath(world, { ui_locales: "de", prompt: "consent" }));
    const page = await browser.open(login.path.replace("&ui_locales=de", ""));
    expect(languagesOf(page)).toEqual(ENGLISH);
    const consent = await browser.submit(page, { email: world.email, password: PASSWORD });
    expect(consent.path).toMatch(/^\/auth\/consent\?.*&ui_locales=de$/);
    expect(languagesOf(consent.answer)).toEqual(GERMAN);
  });

  it.each(["", "fr", "xx-YY *", "de_DE"])(
    "without a language of ours (%j) the browser's settings decide, no parameter is added",
    async (ui_locales) => {
      const { signOn, world } = scene();
      const browser = new Browser(signOn.url);
      const { path } = await browser.follow(authorizePath(world, { ui_locales }), accepting("de"));
      expect(path).toMatch(/^\/auth\/login\?interaction=[^&]+$/);
      expect(languagesOf(await browser.open(path, accepting("fr, de;q=0.5")))).toEqual(GERMAN);
      expect(languagesOf(await browser.open(path))).toEqual(ENGLISH);
    },
  );

  it("error pages on the way: unknown application, sign-in gone, of another browser, foreign form, damaged address", async () => {
    const { signOn, world } = scene();
    const login = await new Browser(signOn.url).follow(authorizePath(world, { ui_locales: "de" }));
    const foreign = {
      form: { form_token: "x", email: "a", password: "b" },
      headers: { "sec-fetch-site": "cross-site" },
    };
    const pages = [
      await call(signOn.url, "/auth/authorize?client_id=nobody&ui_locales=de"),
      await call(signOn.url, "/auth/authorize", { form: { client_id: "nobody", ui_locales: "de" } }),
      await call(signOn.url, "/auth/login?interaction=gone&ui_locales=de"),
      await call(signOn.url, login.path),
      await call(signOn.url, login.path, foreign),
      await call(signOn.url, "/auth/login?ui_locales=de"),
      await call(signOn.url, "/auth/authorize?client_id=%zz", accepting("de")),
    ];
    expect(pages.map(({ status }) => status)).toEqual(Array(7).fill(400));
    expect(pages.map(languagesOf)).toEqual(Array(7).fill(GERMAN));
  });

  it("a page that says to try again later leads back in the same language", async () => {
    const { signOn, world } = scene();
    const { path } = await new Browser(signOn.url).follow(authorizePath(world, { ui_locales: "de" }));
    const page = await signOn.withoutTable("sign_on_interactions", () => call(signOn.url, path));
    expect(page.status).toBeGreaterThanOrEqual(500);
    expect(languagesOf(page)).toEqual(GERMAN);
  });

  it("only pages have a language (RFC 9110 §8.5)", async () => {
    const { signOn, world } = scene();
    const redirect = await call(signOn.url, authorizePath(world, { ui_locales: "de" }));
    const unsupported = await call(signOn.url, "/auth/login?interaction=a&ui_locales=de", { json: {} });
    expect([redirect, unsupported].map((answer) => answer.headers.get("content-language"))).toEqual([null, null]);
  });
});

describeSignOn("what programs read, for a German browser (R-X130)", (scene) => {
  it("is the same English sentence in a redirect, in an OAuth error and without the browser's wish", async () => {
    const { signOn, world } = scene();
    const toldTo = async (init: CallInit, more: Record<string, string>) => {
      const redirect = await call(signOn.url, authorizePath(world, { scope: "unknown", ...more }), init);
      const token = await call(signOn.url, "/auth/token", { form: { grant_type: "none" }, ...init });
      return [
        new URL(redirect.headers.get("location") ?? "").searchParams
          .get("error_description")
          ?.replace(` (${redirect.headers.get("x-request-id")})`, ""),
        (JSON.parse(withoutReference(token)) as { error_description: string }).error_description,
      ];
    };
    const english = await toldTo({}, {});
    expect(english[0]).toBe("Unknown scope: `unknown`.");
    expect(await toldTo({ headers: { "accept-language": "de" } }, { ui_locales: "de" })).toEqual(english);
  });
});

describeSignOn("the language of the other pages (R-X128)", (scene) => {
  it("signing out follows its own ui_locales, by GET and by POST, to the last page", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    const login = await browser.follow("/auth/account");
    await browser.submit(login.answer, { email: world.email, password: PASSWORD });
    const asked = await browser.follow(`/auth/logout?client_id=${world.application.id}&ui_locales=fr%20de`);
    const posted = await browser.follow("/auth/logout", {
      form: { client_id: world.application.id, ui_locales: "de" },
    });
    const done = await browser.submit(posted.answer, {});
    expect([asked, posted, done].map(({ path }) => path.replace(/logout=[^&]+/, "logout=x"))).toEqual([
      "/auth/sign-out?logout=x&ui_locales=de",
      "/auth/sign-out?logout=x&ui_locales=de",
      `/auth/signed-out?application=${world.application.id}&ui_locales=de`,
    ]);
    expect([asked, posted, done].map(({ answer }) => languagesOf(answer))).toEqual(Array(3).fill(GERMAN));
    const refused = await call(signOn.url, "/auth/logout?client_id=nobody&ui_locales=de");
    expect([refused.status, ...languagesOf(refused)]).toEqual([400, ...GERMAN]);
    expect(refused.text).toContain('href="/auth/sign-out?ui_locales=de"');
  });

  it("the account keeps the language of its address through sign-in, change and error", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    const login = await browser.follow("/auth/account?ui_locales=de");
    const refused = await browser.submit(login.answer, { email: world.email, password: "not it at all" });
    const account = await browser.submit(refused.answer, { email: world.email, password: PASSWORD });
    const password = await browser.open("/auth/account/password?ui_locales=de");
    const access = { application: world.application.id, instance: world.instanceId };
    const changed = await browser.submit(account.answer, { action: "withdraw", ...access });
    const broken = await browser.open("/auth/account?ui_locales=de", { form: {} });
    const pages = [login.answer, refused.answer, account.answer, password, changed.answer, broken];
    expect(pages.map(languagesOf)).toEqual(Array(6).fill(GERMAN));
    expect(pages.map(({ status }) => status)).toEqual([200, 400, 200, 200, 200, 400]);
    expect(account.answer.text).toMatch(/<time [^>]+>\d{1,2}\. \p{L}+\.? \d{4}, \d\d:\d\d UTC<\/time>/u);
    expect(changed.answer.text).toContain("Der Zugriff ist entzogen.");
  });

  it("signing out everywhere ends at a page in the language of the account", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    const login = await browser.follow("/auth/account?ui_locales=de");
    const account = await browser.submit(login.answer, { email: world.email, password: PASSWORD });
    const { answer } = await browser.submit(account.answer, { action: "sign_out_everywhere" });
    expect(languagesOf(answer)).toEqual(GERMAN);
    expect(answer.text).toContain("<h1>Sie sind überall abgemeldet</h1>");
  });

  it("without one the browser's settings decide, for account and password links alike", async () => {
    const { signOn } = scene();
    const paths = [
      "/auth/account/sign-in",
      "/auth/signed-out",
      "/auth/set-password?token=x",
      "/auth/sign-out?logout=x",
    ];
    const inGerman = await Promise.all(
      paths.map((path) => call(signOn.url, path, accepting("de-DE,de;q=0.9,en;q=0.8"))),
    );
    const inEnglish = await Promise.all(paths.map((path) => call(signOn.url, path)));
    expect(inGerman.map(languagesOf)).toEqual(paths.map(() => GERMAN));
    expect(inEnglish.map(languagesOf)).toEqual(paths.map(() => ENGLISH));
    // No cache stores such an answer, so it needs no Vary (RFC 9110 §12.5.5).
    expect(inGerman.map(({ headers }) => [headers.get("cache-control"), headers.get("vary")])).toEqual(
      paths.map(() => ["no-store", null]),
    );
  });
});
