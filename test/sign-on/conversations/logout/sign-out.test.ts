import { assets } from "#runtime/pages/assets.ts";
import { Browser, tokenOf } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { applicationRequest } from "../../../support/world.ts";
import { FOREIGN_HEADERS, NO_FORMS } from "../../foreign-forms.ts";
import { describeSignOn, type SignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";
import { isSignedIn, logoutPath, POST_LOGOUT_URI, signedInBrowser } from "./logout-kit.ts";

interface Registered {
  readonly signOn: SignOn;
  readonly id: string;
  readonly instanceId: string;
}

describeSignOn(
  "/auth/sign-out",
  (scene) => {
    let people = 0;
    /** A person at the question, asked by the world's application. */
    async function begin() {
      const { signOn, world } = scene();
      const person = await withPerson(signOn, world, `asked${++people}@harbour.example`);
      const { browser } = await signedInBrowser(signOn, person);
      const request = { client_id: person.application.id, post_logout_redirect_uri: POST_LOGOUT_URI };
      return { signOn, person, browser, ...(await browser.follow(logoutPath(request))) };
    }

    it("asks with strict headers; its form may lead to the application and nowhere else (S11, RFC 9700 statement 31)", async () => {
      const { signOn, answer } = await begin();
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-security-policy")).toMatch(
        /form-action 'self' https:; frame-ancestors 'none'/,
      );
      expect(answer.headers.get("x-frame-options")).toBe("DENY");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("referrer-policy")).toBe("same-origin");
      expect(answer.text.match(/<script[^>]*>/g)).toEqual([`<script src="${assets.script.href}" defer>`]);
      expect(answer.headers.get("content-security-policy")).toContain(
        ` script-src ${signOn.issuer}${assets.script.href};`,
      );
    });

    it("a person may ask without any application", async () => {
      const { person, browser } = await begin();
      const { answer } = await browser.follow("/auth/sign-out");
      expect(answer.text).toContain("You are signed in here, in this browser.");
      expect(answer.headers.get("content-security-policy")).toMatch(/form-action 'self'; frame-ancestors 'none'/);
      expect((await browser.submit(answer, {})).path).toBe("/auth/signed-out");
      expect(await isSignedIn(browser, person)).toBe(false);
    });

    it("a wish without any application is stored nowhere: its question has no id", async () => {
      const { browser } = await begin();
      expect((await browser.follow("/auth/logout")).path).toBe("/auth/sign-out");
    });

    it.each(FOREIGN_HEADERS)("refuses a form %s, though its token is right (S10)", async (_, headers) => {
      const { person, browser, answer, path } = await begin();
      const refused = await browser.open(path, { form: { form_token: tokenOf(answer) }, headers });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain("We did not accept this form");
      expect(await isSignedIn(browser, person)).toBe(true);
    });

    it("refuses an empty, changed or stolen token, and the one of another question (S10)", async () => {
      const { person, browser, answer, path } = await begin();
      const own = tokenOf(answer);
      const attacker = tokenOf((await begin()).answer);
      const another = tokenOf((await browser.follow("/auth/sign-out")).answer);
      const tokens = ["", own.slice(1), `${own}A`, attacker, another];
      const answers: Answer[] = [];
      for (const form_token of tokens) answers.push(await browser.open(path, { form: { form_token } }));
      expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 400));
      expect(await isSignedIn(browser, person)).toBe(true);
    });

    it.each(NO_FORMS)("refuses %s with %d (S14)", async (_, status, init) => {
      const { person, browser, path } = await begin();
      expect((await browser.open(path, { method: "POST", ...init })).status).toBe(status);
      expect(await isSignedIn(browser, person)).toBe(true);
    });

    it("says that the question was answered when the form comes a second time", async () => {
      const { browser, answer, path } = await begin();
      const form = { form_token: tokenOf(answer) };
      expect((await browser.open(path, { form })).headers.get("location")).toBe(POST_LOGOUT_URI);
      const again = await browser.open(path, { form });
      expect(again.status).toBe(400);
      expect(again.text).toContain("This question has been answered");
    });

    it("signs out whose button was pressed twice before the first answer: the page that comes last says so", async () => {
      const { signOn, person, browser, answer, path } = await begin();
      const { cookie } = browser;
      const press = (form_token: string) => call(signOn.url, path, { form: { form_token }, headers: { cookie } });
      // A browser that does not run the script drops the answer of one press when the next one goes out.
      const dropped = await press(tokenOf(answer));
      const last = await press(tokenOf(answer));
      const foreign = await press("another form");
      expect([dropped, last, foreign].map(({ status }) => status)).toEqual([303, 303, 400]);
      expect(last.headers.get("location")).toBe("/auth/signed-out");
      expect(last.headers.getSetCookie()).toEqual([expect.stringMatching(/^gatehouse_session=;.*Max-Age=0/)]);
      expect(await isSignedIn(browser, person)).toBe(false);
    });

    it("in a browser without a session continues as asked, once", async () => {
      const { signOn, path } = await begin();
      const stranger = new Browser(signOn.url);
      expect((await stranger.open(path)).headers.get("location")).toBe(POST_LOGOUT_URI);
      expect((await stranger.open(path)).status).toBe(400);
    });

    it("by POST, in a browser whose session has ended, continues as asked, once", async () => {
      const { signOn, answer, path } = await begin();
      const form = { form_token: tokenOf(answer) };
      expect((await call(signOn.url, path, { form })).headers.get("location")).toBe(POST_LOGOUT_URI);
      expect((await call(signOn.url, path, { form })).status).toBe(400);
    });

    it.each([
      [
        "the address is not registered any more",
        "It is not clear where to send you afterwards",
        (own: Registered) =>
          own.signOn.signOn.updateApplication({
            ...applicationRequest(own.instanceId),
            ...{ applicationId: own.id, postLogoutRedirectUris: [], updateMask: ["post_logout_redirect_uris"] },
          }),
      ],
      [
        "the application is disabled",
        "It is not clear who asks to sign you out",
        (own: Registered) => own.signOn.signOn.disableApplication({ applicationId: own.id }),
      ],
    ])("leads nowhere, and ends nothing, once %s (R-S20, R-X121)", async (_, said, change) => {
      const { signOn, world } = scene();
      const given = { postLogoutRedirectUris: [POST_LOGOUT_URI] };
      const { application } = await withApplication(signOn, world, given);
      const { browser } = await signedInBrowser(signOn, world);
      const request = { client_id: application.id, post_logout_redirect_uri: POST_LOGOUT_URI };
      const { answer, path } = await browser.follow(logoutPath(request));
      await change({ signOn, id: application.id, instanceId: world.instanceId });
      const form = { form_token: tokenOf(answer) };
      for (const refused of [
        await browser.open(path),
        await browser.open(path, { form }),
        await call(signOn.url, path, { form }),
      ]) {
        expect(refused.headers.get("location")).toBeNull();
        expect(refused.status).toBe(400);
        expect(refused.text).toContain(said);
      }
      expect(await isSignedIn(browser, world)).toBe(true);
    });

    it.each(["", "unknown", "a".repeat(65), "%00", "x&logout=y"])("finds no request %j", async (id) => {
      const { signOn } = scene();
      const answers = [
        await call(signOn.url, `/auth/sign-out?logout=${id}`),
        await call(signOn.url, `/auth/sign-out?logout=${id}`, { form: { form_token: "x" } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    });
  },
  { world: { application: { postLogoutRedirectUris: [POST_LOGOUT_URI] } } },
);
