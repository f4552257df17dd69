import { authorizePath, Browser, tokenOf } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { PASSWORD } from "../../../support/world.ts";
import { describeSignOn, withPerson } from "../../sign-on-fixture.ts";
import { atAccount } from "../account/account-kit.ts";
import { choose, linkFor } from "../set-password/set-password-kit.ts";

const referenceOf = (answer: Answer): string => answer.headers.get("x-request-id") ?? "";
const contactIn = ({ text }: Answer): string | undefined => /<a href="(mailto:[^"]*)"/.exec(text)?.[1];

describeSignOn(
  "whom people ask who cannot sign in (R-X196)",
  (scene) => {
    const loginOf = async () => {
      const browser = new Browser(scene().signOn.url);
      return { browser, login: (await browser.follow(authorizePath(scene().world))).answer };
    };
    const explained = (answer: Answer) => scene().signOn.inspection.explainRefusal({ requestId: referenceOf(answer) });
    const linkOf = (answer: Answer) =>
      `mailto:help@harbour.example?subject=Sign-in%2C%20reference%20${referenceOf(answer)}`;

    it("is not on the page before an attempt has failed", async () => {
      const { login } = await loginOf();
      expect([login.status, login.text.includes("Forgotten your password?"), contactIn(login)]).toEqual([
        200,
        false,
        undefined,
      ]);
    });

    it("is on the page after each failure, with the reference by which an operator finds the cause", async () => {
      const { signOn, world } = scene();
      const disabled = await withPerson(signOn, world, "disabled@harbour.example");
      await signOn.disablePerson(disabled.personId);
      const attempts = [
        [{ email: world.email, password: `${PASSWORD}!` }, "sign_in.wrong_password"],
        [{ email: "nobody@harbour.example", password: PASSWORD }, "sign_in.unknown_person"],
        [{ email: disabled.email, password: PASSWORD }, "sign_in.person_disabled"],
      ] as const;
      for (const [fields, check] of attempts) {
        const { browser, login } = await loginOf();
        const { answer } = await browser.submit(login, fields);
        expect([answer.status, contactIn(answer)]).toEqual([400, linkOf(answer)]);
        expect(answer.text).toContain(`<code>${referenceOf(answer)}</code>`);
        expect(await explained(answer)).toMatchObject({ check, applicationId: world.application.id, error: "" });
      }
    });

    it("is on the page during a wait", async () => {
      const { browser, login } = await loginOf();
      const attempt = { email: "waits@harbour.example", password: PASSWORD };
      for (let failures = 0; failures < 3; failures++) await browser.submit(login, attempt);
      const { answer } = await browser.submit(login, attempt);
      expect([answer.status, contactIn(answer)]).toEqual([429, linkOf(answer)]);
      expect(await explained(answer)).toMatchObject({ check: "sign_in.throttled" });
    });

    it("is on the account's sign-in page after a failure", async () => {
      const browser = new Browser(scene().signOn.url);
      const { answer: page } = await browser.follow("/auth/account/sign-in");
      const { answer } = await browser.submit(page, { email: scene().world.email, password: `${PASSWORD}!` });
      expect([answer.status, contactIn(answer)]).toEqual([400, linkOf(answer)]);
      expect(await explained(answer)).toMatchObject({ check: "sign_in.wrong_password", applicationId: null });
    });

    it("is on the page that changes the password after a wrong one, and during a wait", async () => {
      const { signOn, world } = scene();
      const { browser } = await atAccount(signOn, await withPerson(signOn, world, "changes@harbour.example"));
      const page = await browser.open("/auth/account/password");
      const next = "seven lanterns over the quay";
      const attempt = { old_password: `${PASSWORD}!`, password: next, password_again: next };
      const { answer } = await browser.submit(page, attempt);
      expect([answer.status, contactIn(answer)]).toEqual([400, linkOf(answer)]);
      expect(await explained(answer)).toMatchObject({ check: "sign_in.wrong_password", operation: "changePassword" });
      for (let failures = 0; failures < 2; failures++) await browser.submit(page, attempt);
      const waiting = (await browser.submit(page, attempt)).answer;
      expect([waiting.status, contactIn(waiting)]).toEqual([429, linkOf(waiting)]);
      expect(await explained(waiting)).toMatchObject({ check: "sign_in.throttled", operation: "changePassword" });
    });

    it.each([
      ["/auth/account", { action: "sign_out_everywhere" }, "changeAccount"],
      ["/auth/account", { action: "withdraw", application: "x", instance: "x" }, "changeAccount"],
      [
        "/auth/account/password",
        { old_password: PASSWORD, password: PASSWORD, password_again: PASSWORD },
        "changePassword",
      ],
    ])("is on the error page of a form of %s that is refused, %j", async (path, fields, operation) => {
      const { signOn, world } = scene();
      const { browser, answer: account } = await atAccount(signOn, world);
      const form_token = "application" in fields ? tokenOf(account) : "of another page";
      const answer = await browser.open(path, { form: { form_token, ...fields } });
      expect([answer.status, contactIn(answer)]).toEqual([400, linkOf(answer)]);
      expect(await explained(answer)).toMatchObject({ check: "form.refused", operation, error: "" });
    });

    it("is on the pages of password links that no longer work", async () => {
      const { signOn, world } = scene();
      const person = await withPerson(signOn, world, "links@harbour.example");
      const older = await linkFor(signOn, person.personId);
      const used = await linkFor(signOn, person.personId);
      await choose(signOn, used.path);
      const expired = await linkFor(signOn, person.personId);
      signOn.clock.step(7 * 24 * 60 * 60 * 1_000);
      for (const [path, check] of [
        [used.path, "link.used"],
        [older.path, "link.withdrawn"],
        [expired.path, "link.expired"],
        ["/auth/set-password?token=Zk3vQ9xT2bW7mL5cN8sRfG", "link.unknown"],
      ] as const) {
        const answer = await call(signOn.url, path);
        expect([answer.status, contactIn(answer)]).toEqual([400, linkOf(answer)]);
        expect(await explained(answer)).toMatchObject({ check, error: "" });
      }
    });

    it("is on error pages, those of a sign-out included", async () => {
      const { signOn, world } = scene();
      for (const [path, check] of [
        [authorizePath(world, { client_id: "app_AAAAAAAAAAAAAAAAAAAAA" }), "application.unknown"],
        ["/auth/login?interaction=gone", "interaction.gone"],
        ["/auth/logout?state=a&state=b", "logout.malformed"],
        ["/auth/logout?id_token_hint=x", "logout.hint_unreadable"],
        ["/auth/logout?client_id=app_AAAAAAAAAAAAAAAAAAAAA", "logout.application_unknown"],
        ["/auth/logout?post_logout_redirect_uri=https%3A%2F%2Fx.example", "logout.address_not_registered"],
        ["/auth/sign-out?logout=gone", "logout.gone"],
      ] as const) {
        const answer = await call(signOn.url, path);
        expect([path, answer.status, contactIn(answer)]).toEqual([path, 400, linkOf(answer)]);
        expect(await explained(answer)).toMatchObject({ check });
      }
    });

    it("is said in German where the page is", async () => {
      const answer = await call(scene().signOn.url, "/auth/login?interaction=gone&ui_locales=de");
      expect(answer.text).toContain("Hilft das nicht, wenden Sie sich an <a href=");
    });
  },
  { settings: { "support-contact": "help@harbour.example", "sign-in-failures-per-email": 2 } },
);
