import { authorizePath } from "../support/browser.ts";
import { call } from "../support/http.ts";
import { REDIRECT_URI } from "../support/world.ts";
import { EMAIL, NONCE, PASSWORDS, type Scene, STATE } from "./canary-scene.ts";
import type { Used } from "./canary-sign-on.ts";

const json = { "content-type": "application/json" };

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
