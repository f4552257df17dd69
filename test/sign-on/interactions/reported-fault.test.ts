import { Failure } from "../../../src/runtime/basis/errors.ts";
import { authorizePath, Browser } from "../../support/browser.ts";
import { fieldsOf } from "../../support/form-post.ts";
import { call } from "../../support/http.ts";
import { errorUriOf } from "../../support/oauth-error.ts";
import { PASSWORD, REDIRECT_URI } from "../../support/world.ts";
import { parametersOf } from "../conversations/authorize/authorize-kit.ts";
import { describeSignOn, withPerson } from "../sign-on-fixture.ts";

const FAILED = {
  error: "server_error",
  error_description: expect.stringMatching(/^Something went wrong on our side\. \(req_\w{21}\)$/),
  error_uri: errorUriOf("server_error"),
};
const AWAY = {
  error: "temporarily_unavailable",
  error_description: expect.stringMatching(/^The service cannot answer at the moment\. \(req_\w{21}\)$/),
  error_uri: errorUriOf("temporarily_unavailable"),
};

describeSignOn("a fault of Gatehouse during a sign-in (spec §7.1, RFC 6749 §4.1.2.1, R-X14, R-X160)", (scene) => {
  let people = 0;
  const told = (error: object) => ({ ...error, state: "st-4711", iss: scene().signOn.issuer });
  const toApplication = (left: URL | undefined) => [
    left === undefined ? "" : `${left.origin}${left.pathname}`,
    parametersOf(left ?? new URL("none:")),
  ];
  const isTold = (error: object) => [REDIRECT_URI, told(error)];

  /** A person at the login page, and with the right password one at the consent page. */
  async function atLogin(parameters: Readonly<Record<string, string | undefined>> = {}) {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, `told${++people}@harbour.example`);
    const browser = new Browser(signOn.url);
    const { answer: page, path } = await browser.follow(authorizePath(world, parameters));
    const password = { email: person.email, password: PASSWORD };
    return { signOn, person, browser, page, path, password, signsIn: () => browser.submit(page, password) };
  }
  async function atConsent() {
    const login = await atLogin();
    const { answer: consent, path } = await login.signsIn();
    return { ...login, consent, path };
  }

  it("at authorize is server_error, by redirect, with state and iss, and leaves one line with its cause", async () => {
    const { signOn, world } = scene();
    const path = authorizePath(world);
    const headers = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
    const answer = await signOn.withoutTable("sign_on_interactions", () => call(signOn.url, path, { headers }));
    expect([answer.status, ...toApplication(new URL(answer.headers.get("location") ?? "none:"))]).toEqual([
      302,
      ...isTold(FAILED),
    ]);
    const requestId = answer.headers.get("x-request-id");
    const lines = signOn.log.lines.filter(({ level, fields }) => level === "error" && fields.requestId === requestId);
    expect(lines).toEqual([
      expect.objectContaining({
        sentence: "A fault was reported to the application.",
        fields: expect.objectContaining({
          traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
          code: "INTERNAL",
          error: expect.objectContaining({ code: "SQLITE_ERROR" }),
        }),
      }),
    ]);
  });

  it("at authorize is reported by the requested response mode", async () => {
    const { signOn, world } = scene();
    const path = authorizePath(world, { response_mode: "form_post" });
    const answer = await signOn.withoutTable("sign_on_interactions", () => call(signOn.url, path));
    const { action, fields } = fieldsOf(answer.text);
    expect([answer.status, action, Object.fromEntries(fields)]).toEqual([200, REDIRECT_URI, told(FAILED)]);
  });

  it("at authorize by POST is reported too", async () => {
    const { signOn, world } = scene();
    const form = Object.fromEntries(new URL(authorizePath(world), signOn.url).searchParams);
    const answer = await signOn.withoutTable("sign_on_interactions", () =>
      call(signOn.url, "/auth/authorize", { method: "POST", form }),
    );
    expect([answer.status, ...toApplication(new URL(answer.headers.get("location") ?? "none:"))]).toEqual([
      303,
      ...isTold(FAILED),
    ]);
  });

  it.each([{}, { prompt: "none" }])(
    "at authorize (%j) that passes by is temporarily_unavailable",
    async (parameters) => {
      const { signOn, browser, signsIn } = await atLogin();
      await signsIn();
      const path = authorizePath(scene().world, parameters);
      const { left } = await signOn.withoutWorkforce(() => browser.follow(path));
      expect(toApplication(left)).toEqual(isTold(AWAY));
    },
  );

  it.each([
    ["sign_on_applications", "the application"],
    ["sign_on_redirect_uris", "the redirect URI"],
  ])("without %s is a page, since %s is not proven (S1)", async (table) => {
    const { signOn, world } = scene();
    const answer = await signOn.withoutTable(table, () => call(signOn.url, authorizePath(world)));
    expect([answer.status, answer.headers.get("location")]).toEqual([500, null]);
    expect(answer.text).toContain("Something went wrong on our side");
  });

  it.each([
    ["the session that a cookie names cannot be read", "sign_on_sessions"],
    ["the attempt cannot be written down", "sign_on_sign_ins"],
  ])("at login is reported when %s, and the sign-in has ended", async (_, table) => {
    const { signOn, browser, path, signsIn } = await atLogin();
    browser.cookies.set("gatehouse_session", "A".repeat(43));
    const { left } = await signOn.withoutTable(table, signsIn);
    expect(toApplication(left)).toEqual(isTold(FAILED));
    expect([...browser.cookies.keys()].filter((name) => name.includes("interaction"))).toEqual([]);
    expect((await browser.open(path)).status).toBe(400);
  });

  it("at login that passes by leaves the page: the person tries again, and the sign-in goes on", async () => {
    const { signOn, path, signsIn } = await atLogin();
    const { answer, left } = await signOn.withoutWorkforce(signsIn);
    expect([answer.status, answer.headers.get("retry-after"), left]).toEqual([503, "2", undefined]);
    expect(answer.text).toContain(`href="${path}"`);
    expect((await signsIn()).path).toMatch(/^\/auth\/consent/);
  });

  it("after the right password that passes by keeps the session: trying again asks for no password", async () => {
    const { signOn, browser, page, password, path } = await atLogin();
    // What comes after the password asks workforce again; only that fails.
    const submitted = signOn.withoutWorkforce(() => browser.submit(page, password), { method: "RecordSignIn" });
    const { answer } = await submitted;
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    expect([...browser.cookies.keys()]).toContain("gatehouse_session");
    expect((await browser.follow(path)).path).toMatch(/^\/auth\/consent/);
  });

  it("after the right password that passes by leaves the person an hour in all (R-X154)", async () => {
    const { signOn, browser, page, password, path } = await atLogin();
    await signOn.withoutWorkforce(() => browser.submit(page, password), { method: "RecordSignIn" });
    signOn.clock.step(3_600_000 - 1);
    expect((await browser.follow(path)).path).toMatch(/^\/auth\/consent/);
  });

  it("at consent is reported, whether the page is shown or its form is sent", async () => {
    const shown = await atConsent();
    const failure = new Failure("INTERNAL", "internal", "Internal error");
    const atPage = await shown.signOn.withoutWorkforce(() => shown.browser.follow(shown.path), { failure });
    expect(toApplication(atPage.left)).toEqual(isTold(FAILED));
    const sent = await atConsent();
    const approves = () => sent.browser.submit(sent.consent, { decision: "approve" });
    const atForm = await sent.signOn.withoutTable("sign_on_families", approves);
    expect(toApplication(atForm.left)).toEqual(isTold(FAILED));
    expect((await approves()).answer.status).toBe(400);
  });

  it("at consent that passes by leaves the page and the question", async () => {
    const { signOn, browser, consent, path } = await atConsent();
    const approves = () => browser.submit(consent, { decision: "approve" });
    const { answer } = await signOn.withoutWorkforce(approves);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(answer.text).toContain(`href="${path}"`);
    expect((await approves()).left?.searchParams.has("code")).toBe(true);
  });

  it("is counted from 0 on, and explained like every refusal", async () => {
    const { signOn, world } = scene();
    const counted = async () =>
      (await signOn.metrics.getSingleMetric("gatehouse_authorization_faults_total")?.get())?.values.length;
    // An alert looks for an increase, which the first value of a series is not.
    expect(await counted()).toBe(2);
    const answer = await signOn.withoutTable("sign_on_interactions", () => call(signOn.url, authorizePath(world)));
    expect(await signOn.metrics.metrics()).toMatch(
      /gatehouse_authorization_faults_total\{error="server_error"\} [1-9]/,
    );
    const requestId = answer.headers.get("x-request-id");
    const refused = signOn.log.lines.filter(
      ({ sentence, fields }) => sentence === "A request was refused." && fields.requestId === requestId,
    );
    expect(refused).toEqual([
      expect.objectContaining({ fields: expect.objectContaining({ check: "service.failed", reason: "server_error" }) }),
    ]);
  });
});
