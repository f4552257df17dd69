import { authorizePath, newPkce } from "../support/browser.ts";
import { type Answer, call } from "../support/http.ts";
import { REDIRECT_URI } from "../support/world.ts";
import { NotingBrowser } from "./canary-notes.ts";
import { EMAIL, NONCE, PASSWORDS, type Scene, STATE } from "./canary-scene.ts";

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

export type Used = Awaited<ReturnType<typeof signInAndUse>>;

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
