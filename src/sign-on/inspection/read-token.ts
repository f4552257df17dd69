import { isJsonObject } from "#runtime/basis/strict-json.ts";
import { isApplicationSecret } from "../applications/application.ts";
import { HINT_LENGTH_MAX } from "../id-tokens/id-token-hint.ts";

type Claims = Readonly<Record<string, unknown>>;

/** What a text seems to be, before anything about it is proven. */
export type ReadToken =
  | { readonly kind: "jwt"; readonly type: string; readonly header: Claims; readonly claims: Claims }
  | { readonly kind: "refresh token" }
  | { readonly kind: "application secret" }
  | { readonly kind: "API key" }
  /** Or a private key of webhooks. */
  | { readonly kind: "signing secret" }
  /** Has the form of an authorization code; only the store can confirm it. */
  | { readonly kind: "opaque" }
  | { readonly kind: "nothing of ours" };

/** Reads a token by its form. Removes a leading `Bearer` and surrounding white space, which people copy along. */
export function readToken(text: string): ReadToken & { readonly text: string } {
  const token = bareToken(text);
  // An ID token is the longest.
  if (token.length > HINT_LENGTH_MAX) return { kind: "nothing of ours", text: token };
  if (/^ghr_([A-Za-z0-9_-]{43}|[A-Za-z0-9_-]{64})$/.test(token)) return { kind: "refresh token", text: token };
  if (isApplicationSecret(token)) return { kind: "application secret", text: token };
  if (/^ghk_[A-Za-z0-9]{60}$/.test(token)) return { kind: "API key", text: token };
  if (/^wh(sec|sk)_[A-Za-z0-9+/]+=*$/.test(token)) return { kind: "signing secret", text: token };
  if (/^([A-Za-z0-9_-]{43}|[A-Za-z0-9_-]{64})$/.test(token)) return { kind: "opaque", text: token };
  const [header, claims, ...signature] = token.split(".");
  const [parsedHeader, parsedClaims] = [objectOf(header), objectOf(claims)];
  if (parsedHeader === undefined || parsedClaims === undefined || signature.length !== 1)
    return { kind: "nothing of ours", text: token };
  return { kind: "jwt", type: typeOf(parsedHeader), header: parsedHeader, claims: parsedClaims, text: token };
}

/** The type that a header names; empty for none. A stranger may have put anything there, which need not have a text. */
const typeOf = ({ typ = null }: Claims): string => {
  if (typ === null) return "";
  return typeof typ === "string" ? typ : `of ${typeof typ}`;
};

const bareToken = (text: string): string => text.trim().replace(/^(authorization: *)?bearer +/i, "");

function objectOf(part = ""): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
