import { type PersonId, parseId } from "#runtime/basis/ids.ts";
import { isJsonObject, parseStrictJson } from "#runtime/basis/strict-json.ts";
import { SCOPES, type Scope } from "./scopes.ts";

/**
 * The authentication context of every sign-in: a password over a protected connection (SAML 2.0 Authentication Context
 * §3.4; OIDC Core §2 `acr`).
 */
export const AUTHENTICATION_CONTEXT = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";

/** The claims that can be requested by name, each with its scope (OIDC Core §5.5, R-X109). */
const SCOPE_OF = {
  name: "profile",
  firstName: "profile",
  lastName: "profile",
  given_name: "profile",
  family_name: "profile",
  email: "email",
  email_verified: "email",
} as const satisfies Readonly<Record<string, Scope>>;

export type RequestableClaim = keyof typeof SCOPE_OF;

/** Claims requested besides those of the scopes, by where they are returned. */
export interface RequestedClaims {
  readonly userinfo: readonly RequestableClaim[];
  readonly idToken: readonly RequestableClaim[];
}

export const NO_CLAIMS: RequestedClaims = { userinfo: [], idToken: [] };

/** The supported contents of a `claims` parameter. */
export interface ClaimsRequest {
  readonly claims: RequestedClaims;
  /** The people that the ID token may be about; `undefined` for any person. */
  readonly personIds: readonly PersonId[] | undefined;
  /** The authentication contexts of which one is essential; `undefined` when any is accepted. */
  readonly contexts: readonly string[] | undefined;
}

type Member = Readonly<Record<string, unknown>>;

/** Reads a `claims` parameter; `undefined` when it violates OIDC Core §5.5 or repeats a member. Unknown claims are ignored. */
export function parseClaimsRequest(json: string): ClaimsRequest | undefined {
  const parsed = parseStrictJson(json);
  if ("mistake" in parsed || !isJsonObject(parsed.value)) return undefined;
  const document = parsed.value;
  const { userinfo = {}, id_token = {} } = document;
  if (!isJsonObject(userinfo) || !isJsonObject(id_token)) return undefined;
  if (![...Object.values(userinfo), ...Object.values(id_token)].every(isWish)) return undefined;
  const { sub, acr } = id_token;
  return {
    claims: { userinfo: requestable(userinfo), idToken: requestable(id_token) },
    personIds: wishedValues(sub)?.flatMap((id) => (typeof id === "string" ? (parseId("person", id) ?? []) : [])),
    contexts:
      isJsonObject(acr) && acr.essential === true
        ? wishedValues(acr)?.filter((value) => typeof value === "string")
        : undefined,
  };
}

/** Null, or an object whose known members have the right types. */
function isWish(wish: unknown): boolean {
  if (wish === null) return true;
  if (!isJsonObject(wish)) return false;
  const { essential = false, values = [""] } = wish;
  return typeof essential === "boolean" && Array.isArray(values) && values.length > 0;
}

const requestable = (wishes: Member): readonly RequestableClaim[] =>
  (Object.keys(SCOPE_OF) as RequestableClaim[]).filter((name) => Object.hasOwn(wishes, name));

const wishedValues = (wish: unknown): readonly unknown[] | undefined => {
  if (!isJsonObject(wish)) return undefined;
  if (Array.isArray(wish.values)) return wish.values;
  return wish.value === undefined ? undefined : [wish.value];
};

/** The single claims whose scope is among these. */
export function withinScopes({ userinfo, idToken }: RequestedClaims, scopes: readonly Scope[]): RequestedClaims {
  const within = (name: RequestableClaim) => scopes.includes(SCOPE_OF[name]);
  return { userinfo: userinfo.filter(within), idToken: idToken.filter(within) };
}

/** The scopes that the person is asked to approve: those requested, and those that single claims belong to. */
export function scopesToApprove(request: {
  readonly scopes: readonly Scope[];
  readonly claims: RequestedClaims;
}): readonly Scope[] {
  const { userinfo, idToken } = request.claims;
  const behind = new Set<Scope>([...request.scopes, ...[...userinfo, ...idToken].map((name) => SCOPE_OF[name])]);
  return SCOPES.filter((scope) => behind.has(scope));
}
