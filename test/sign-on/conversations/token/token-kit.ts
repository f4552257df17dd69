import { createHash } from "node:crypto";
import { type Answer, type CallInit, call } from "../../../support/http.ts";
import { oauthError } from "../../../support/oauth-error.ts";
import { REDIRECT_URI, type World } from "../../../support/world.ts";
import type { Scene } from "../../sign-on-fixture.ts";

export type Parameters = Readonly<Record<string, string>>;
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token?: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** The two bodies that the endpoint takes; everything must be the same with either (R-S1). */
export const BODIES: readonly (readonly ["form" | "JSON", (parameters: Parameters) => CallInit])[] = [
  ["form", (form) => ({ form })],
  ["JSON", (json) => ({ json })],
];

export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});
export const inBody = ({ application }: Pick<World, "application">): Parameters => ({
  client_id: application.id,
  ...(application.secret === "" ? {} : { client_secret: application.secret }),
});
export const codeGrant = (code: string): Parameters => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: REDIRECT_URI,
});
export const refreshGrant = (refresh_token: string): Parameters => ({ grant_type: "refresh_token", refresh_token });
export const hexDigest = (text: string) => createHash("sha256").update(text).digest("hex");
export const partOf = (token: string, part: 0 | 1) =>
  JSON.parse(Buffer.from(token.split(".")[part] ?? "", "base64url").toString()) as Record<string, unknown>;
export const challengeOf = (verifier: string) => ({
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
});
export const userinfo = ({ signOn }: Scene, { access_token }: Tokens) =>
  call(signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${access_token}` } });

/** What every answer of the endpoint has (RFC 6749 §5.1, S30). */
export function expectAnswer(answer: Answer, status: number) {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("pragma")).toBe("no-cache");
  expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? 'Basic realm="sign-on", charset="UTF-8"' : null);
}
export function expectRefusal(answer: Answer, status: number, error: string) {
  expectAnswer(answer, status);
  expect(answer.json()).toEqual(oauthError(answer, error));
}
