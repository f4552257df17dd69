import { PasswordLinkPurpose } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { SigningKeyState, type SigningKeysService } from "../../generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import type { PromiseClient } from "../../src/runtime/rpc/call.ts";
import { gatehouse as commandLine } from "../cli/command-line.ts";
import { authorizePath, newPkce } from "../support/browser.ts";
import { type Answer, call } from "../support/http.ts";
import type { ProcessGatehouse } from "../support/processes.ts";
import { subscribe } from "../support/subscription.ts";
import type { WebhookReceiver } from "../support/webhook-receiver.ts";
import { invitation, makeWorld, present, REDIRECT_URI, type World } from "../support/world.ts";
import { type CanaryNotes, NotingBrowser } from "./canary-notes.ts";

const AFTERWARDS = "http://localhost:9/signed-out";
const EMAIL = "canary.maren@harbour.example";
const STATE = "canary-state-7bYw2kQ";
const NONCE = "canary-nonce-3hGt9xR";
const PASSWORDS = {
  first: "canary sings at a quarter past four",
  second: "canary sleeps over the engine room",
  third: "canary left the mine before the others",
  wrong: "canary forgot which song was asked for",
  personal: "gatehouse1",
};

export interface Scene {
  readonly gatehouse: ProcessGatehouse;
  readonly notes: CanaryNotes;
  readonly world: World;
  readonly receiver: WebhookReceiver;
}

/** A world whose secrets are noted, with a subscriber whose endpoint fails at first. */
export async function openDay(
  gatehouse: ProcessGatehouse,
  receiver: WebhookReceiver,
  notes: CanaryNotes,
): Promise<Scene> {
  const world = await makeWorld(gatehouse, { email: EMAIL, application: { postLogoutRedirectUris: [AFTERWARDS] } });
  await gatehouse.signOn.setPassword({ personId: world.personId, password: PASSWORDS.first });
  notes.secret("password", ...Object.values(PASSWORDS));
  notes.secret("application secret", world.application.secret);
  notes.secret("API key", world.apiKey);
  notes.private("e-mail address", EMAIL, "canary.second@harbour.example");
  notes.private("state", STATE);
  notes.private("nonce", NONCE);
  receiver.answerNext({ status: 500, body: "no" }, "reset");
  await subscribe(gatehouse, world, receiver);
  notes.secret("webhook secret", receiver.secret, receiver.secret?.slice("whsec_".length));
  await gatehouse.platform.inviteUser(invitation(world.tenantId, "canary.second@harbour.example"));
  for (let arrived = 0; arrived < 3; arrived++) notes.private("webhook signature", signatureOf(await receiver.next()));
  return { gatehouse, notes, world, receiver };
}

const signatureOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
  String(headers["webhook-signature"]).split(",")[1];

/** Signs in with wrong passwords first, redeems, refreshes, asks, revokes; and does each of it wrongly too. */
export async function signInAndUse({ gatehouse: { url }, notes, world }: Scene) {
  const { id: client_id, secret: client_secret } = world.application;
  const { verifier, challenge } = newPkce();
  notes.secret("code verifier", verifier);
  const browser = new NotingBrowser(url, notes);
  const asked = { state: STATE, nonce: NONCE, login_hint: EMAIL, scope: "openid profile email offline_access" };
  const login = await browser.follow(
    authorizePath(world, { ...asked, prompt: "consent", code_challenge: challenge, code_challenge_method: "S256" }),
  );
  await browser.submit(login.answer, { email: EMAIL, password: PASSWORDS.wrong });
  await browser.submit(login.answer, { email: PASSWORDS.first, password: EMAIL });
  const consent = await browser.submit(login.answer, { email: EMAIL, password: PASSWORDS.first });
  const { left } = await browser.submit(consent.answer, { decision: "approve" });
  const code = left?.searchParams.get("code") ?? "";

  const ask = (path: string, form: Readonly<Record<string, string>>) =>
    call(url, path, { form: { client_id, client_secret, ...form } });
  const redemption = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
  notes.secret("wrong secret", "canary-wrong-secret-0123456789abcdef");
  const wrongly = { ...redemption, client_secret: "canary-wrong-secret-0123456789abcdef" };
  notes.refused(await ask("/auth/token", { ...wrongly, code_verifier: verifier }));
  notes.refused(await ask("/auth/token", { ...redemption, code_verifier: newPkce().verifier }));
  const first = notes.tokens(await ask("/auth/token", { ...redemption, code_verifier: verifier }));
  const { access_token = "", refresh_token = "", id_token = "" } = first;
  const second = notes.tokens(await ask("/auth/token", { grant_type: "refresh_token", refresh_token }));
  notes.tokens(await ask("/auth/token", { grant_type: "refresh_token", refresh_token }));
  await call(url, "/auth/userinfo", { headers: { authorization: `Bearer ${access_token}` } });
  await call(url, "/auth/userinfo", { form: { access_token } });
  for (const token of [access_token, second.refresh_token ?? "", code]) await ask("/auth/introspect", { token });
  await ask("/auth/revoke", { token: second.access_token ?? "" });

  const again = await browser.open(authorizePath(world, { ...asked, prompt: "none" }));
  const replayed = new URL(again.headers.get("location") ?? "").searchParams.get("code") ?? "";
  notes.tokens(await ask("/auth/token", { ...redemption, code: replayed }));
  notes.refused(await ask("/auth/token", { ...redemption, code: replayed }));
  return { browser, code: replayed, access_token, refresh_token: second.refresh_token ?? "", id_token };
}

type Used = Awaited<ReturnType<typeof signInAndUse>>;

/** Requests that are refused, with secrets wherever somebody might put one. */
export async function refusals({ gatehouse: { url }, notes, world }: Scene, used: Used) {
  const { id: client_id, secret } = world.application;
  const query = new URLSearchParams({ client_secret: secret, refresh_token: used.refresh_token, client_id });
  const authorization = `Bearer ${used.access_token}`;
  const invisible = { contract: "unchecked" } as const;
  const all = [
    call(url, `/auth/token?${query}`, { form: { grant_type: "refresh_token" } }),
    call(url, `/auth/token?${query}`, { headers: { authorization }, unrouted: true }),
    call(url, "/auth/token", { body: `{"refresh_token":"${used.refresh_token}"`, headers: json }),
    call(url, "/auth/token", {
      body: `refresh_token=${used.refresh_token}`,
      headers: { "content-type": "text/plain" },
    }),
    call(url, "/auth/token", { json: { refresh_token: [used.refresh_token], client_id, client_secret: { secret } } }),
    call(url, "/auth/token", { body: `${used.refresh_token}${"x".repeat(100_000)}`, headers: json, ...invisible }),
    call(url, "/auth/token", { form: { grant_type: used.refresh_token, client_id: secret, client_secret: client_id } }),
    call(url, `/auth/userinfo?access_token=${used.access_token}`),
    call(url, "/auth/userinfo", { headers: { authorization: `Bearer ${used.access_token}x` } }),
    call(url, "/auth/userinfo", { headers: { authorization: `Bearer ${used.id_token}` } }),
    call(url, "/auth/userinfo", {
      headers: {
        "x-request-id": secret,
        traceparent: `00-${"0".repeat(31)}1-${"0".repeat(15)}1-01`,
        tracestate: `gatehouse=${used.access_token.slice(-86)}`,
        "user-agent": used.refresh_token,
        referer: `${REDIRECT_URI}?code=${used.code}`,
        cookie: `gatehouse_session=${used.refresh_token}; other=${used.code}`,
        origin: `https://${secret}.example`,
        "x-forwarded-for": used.refresh_token,
      },
    }),
    call(url, `/auth/${used.access_token.slice(-86)}`, { unrouted: true, ...invisible }),
    call(url, `/auth/authorize?${new URLSearchParams({ client_id: secret, state: STATE })}`),
    call(url, authorizePath(world, { scope: PASSWORDS.first, state: STATE, id_token_hint: used.id_token })),
    call(url, authorizePath(world, { prompt: "none", nonce: NONCE, login_hint: EMAIL, claims: used.code })),
    call(url, "/auth/introspect", { form: { token: used.access_token, client_id, client_secret: "wrong" } }),
    call(url, "/auth/revoke", { form: { token: used.refresh_token, client_id, client_secret: "wrong" } }),
    call(url, "/auth/logout", { form: { id_token_hint: `${used.id_token}x`, state: STATE } }),
  ];
  for (const answer of await Promise.all(all)) notes.refused(answer);
}

/**
 * Each way in and each use of a token, while something keeps them from what they need; the answers. What they are about is made before:
 * only the last step of each is under way meanwhile.
 */
export async function usesDuring(
  { gatehouse: { url }, notes, world }: Scene,
  { browser }: Used,
  meanwhile: (work: () => Promise<void>) => Promise<void>,
): Promise<readonly Answer[]> {
  const { id: client_id, secret: client_secret } = world.application;
  const ask = (path: string, form: Readonly<Record<string, string>>) =>
    call(url, path, { form: { client_id, client_secret, ...form } });
  const newCode = async () => {
    const { left } = await browser.follow(authorizePath(world, { prompt: "none", state: STATE }));
    return { grant_type: "authorization_code", code: left?.searchParams.get("code") ?? "", redirect_uri: REDIRECT_URI };
  };
  const { access_token = "", refresh_token = "" } = notes.tokens(await ask("/auth/token", await newCode()));
  const unspent = await newCode();
  const another = new NotingBrowser(url, notes);
  const login = await another.follow(authorizePath(world, { state: STATE, nonce: NONCE }));
  const answers: Answer[] = [];
  await meanwhile(async () => {
    answers.push(
      (await another.submit(login.answer, { email: EMAIL, password: PASSWORDS.first })).answer,
      await browser.open(authorizePath(world, { state: STATE, nonce: NONCE })),
      await call(url, "/auth/userinfo", { headers: { authorization: `Bearer ${access_token}` } }),
      await ask("/auth/introspect", { token: access_token }),
      await ask("/auth/token", { grant_type: "refresh_token", refresh_token }),
      await ask("/auth/token", unspent),
    );
  });
  for (const answer of answers.slice(4)) notes.tokens(answer);
  return answers;
}

const json = { "content-type": "application/json" };

/** The integrator's side: a key that is right, wrong, and in the wrong place. */
export async function gatewayCalls({ gatehouse: { url }, notes, world }: Scene) {
  const path = `/v1/instance-integrations/${world.instanceIntegrationId}/clients`;
  const wrong = `${world.apiKey.slice(0, -6)}canary`;
  notes.secret("wrong API key", wrong);
  const right = await call(url, path, { headers: { "x-api-key": world.apiKey } });
  const answers = [
    await call(url, path, { headers: { "x-api-key": wrong } }),
    await call(url, `${path}?x-api-key=${world.apiKey}`),
    await call(url, path, { headers: { authorization: `Bearer ${world.apiKey}` } }),
  ];
  for (const answer of answers) notes.refused(answer);
  return [right, ...answers].map(({ status }) => status);
}

/** The account page, a password link, signing out; each wrongly first. */
export async function accountAndLinks({ gatehouse, notes, world }: Scene, used: Used) {
  const key = { $case: "personId", value: world.personId } as const;
  const purpose = PasswordLinkPurpose.PASSWORD_LINK_PURPOSE_RESET;
  const browser = new NotingBrowser(gatehouse.url, notes);
  const at = async (path: string) => (await browser.follow(path)).answer;
  await browser.submit(await at("/auth/account"), { email: EMAIL, password: PASSWORDS.wrong });
  await browser.submit(await at("/auth/account"), { email: EMAIL, password: PASSWORDS.first });
  const next = { password: PASSWORDS.second, password_again: PASSWORDS.second };
  for (const old_password of [PASSWORDS.wrong, PASSWORDS.first])
    await browser.submit(await at("/auth/account/password"), { old_password, ...next });

  const { link } = await gatehouse.people.createPasswordLink({ key, purpose });
  const { pathname, search, searchParams } = new URL(link);
  notes.secret("password link", searchParams.get("token"));
  for (const password of [PASSWORDS.personal, PASSWORDS.third])
    await browser.submit(await at(`${pathname}${search}`), { password, password_again: password });
  await browser.follow(`${pathname}${search}`);

  await browser.submit(await at("/auth/account"), { email: EMAIL, password: PASSWORDS.third });
  const hint = { id_token_hint: used.id_token, post_logout_redirect_uri: AFTERWARDS, state: STATE };
  const question = await browser.follow(`/auth/logout?${new URLSearchParams(hint)}`);
  return (await browser.submit(question.answer, {})).left?.href;
}

/** What the command line tells of the day; the tokens it is asked about come in by its standard input. */
export async function commandsShow({ gatehouse, notes, world }: Scene, tokens: readonly string[]) {
  const here = `--data-directory=${gatehouse.dataDirectory}`;
  const commands: readonly (readonly string[])[] = [
    ["applications", "list"],
    ["applications", "show", world.application.id],
    ["people", "sessions", world.personId],
    ["audit", "list"],
    ["signing-keys", "list"],
    ["subscriptions", "list"],
    ["deliveries", "list"],
    ["api-keys", "list", "--integration", world.integrationId],
  ];
  const words = commands.flatMap((command) => [
    [...command, here],
    [...command, here, "--json"],
  ]);
  const ran = [];
  for (const command of words) ran.push(await commandLine(command));
  for (const stdin of tokens) ran.push(await commandLine(["tokens", "explain", here], { stdin }));
  const explained = [];
  for (const requestId of notes.requestIds) explained.push(await commandLine(["explain", requestId, here]));
  return { ran, explained };
}

/** What operators do about secrets and keys, and ask about what happened. */
export async function operatorsDay(
  { gatehouse, notes, world }: Scene,
  signingKeys: PromiseClient<typeof SigningKeysService>,
) {
  const { signOn, workforce, people } = gatehouse;
  const applicationId = world.application.id;
  const { secret } = await signOn.rotateApplicationSecret({ applicationId, keepPreviousSeconds: 60 });
  notes.secret("application secret", secret);
  const issued = await workforce.issueApiKey({
    integrationId: world.integrationId,
    label: "second",
    expiresAt: null,
    rateLimit: null,
  });
  notes.secret("API key", issued.secret);
  await signingKeys.rotateSigningKeys({ requestId: "" });
  const { keys } = await signingKeys.listSigningKeys({ retired: false });
  const active = keys.find(({ state }) => state === SigningKeyState.SIGNING_KEY_STATE_ACTIVE);
  await signingKeys.revokeSigningKey({ keyId: present(active).keyId, emergency: "a canary stopped singing" });
  await people.endSessions({ key: { $case: "personId", value: world.personId } });
}
