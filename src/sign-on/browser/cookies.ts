import type { InteractionProof } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { EdgeRequest } from "#runtime/http/operation.ts";

/** A cookie to set, or to remove when it has no value. */
export interface CookieChange {
  readonly name: string;
  readonly value: string | undefined;
  /** Absent: for as long as the browser is open. */
  readonly maxAgeSeconds?: number;
}

/** The names of our cookies and how they are sent; `__Host-` and Secure where the issuer is https (S13). */
export interface Cookies {
  readonly session: string;
  /** Of the sign-in to the account. */
  readonly account: string;
  /** What became of the last form of the account, for its next page (R-X352). */
  readonly note: string;
  /** Holds the proof that somebody signed in here before (R-X91). */
  readonly device: string;
  interaction(interactionId: string): string;
  /** The interactions whose cookies the browser sent. */
  interactionIds(header: string | undefined): readonly string[];
  /** The cookie's value; `undefined` when it was not sent, or was sent twice, so that ours cannot be identified. */
  read(header: string | undefined, name: string): string | undefined;
  /** A set-cookie header. */
  write(change: CookieChange): string;
}

/** The header of an answer that sets these; an answer without any has no such header. */
export const settingCookies = (setCookie: readonly string[]): { readonly "set-cookie"?: readonly string[] } =>
  setCookie.length === 0 ? {} : { "set-cookie": setCookie };

const VALUE = /^[A-Za-z0-9_-]{1,128}$/;

export function createCookies(issuer: string): Cookies {
  const secure = issuer.startsWith("https://");
  const prefix = secure ? "__Host-gatehouse" : "gatehouse";
  const interactionPrefix = `${prefix}_interaction_`;
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return {
    session: `${prefix}_session`,
    account: `${prefix}_account`,
    note: `${prefix}_note`,
    device: `${prefix}_device`,
    interaction: (interactionId) => `${interactionPrefix}${interactionId}`,
    interactionIds: (header) =>
      pairs(header)
        .filter(([name]) => name.startsWith(interactionPrefix))
        .map(([name]) => name.slice(interactionPrefix.length))
        .filter((id) => VALUE.test(id)),
    read(header, name) {
      const found = pairs(header).filter((pair) => pair[0] === name);
      const value = found.length === 1 ? found[0]?.[1] : undefined;
      return value !== undefined && VALUE.test(value) ? value : undefined;
    },
    write: ({ name, value, maxAgeSeconds }) =>
      value === undefined
        ? `${name}=${attributes}; Max-Age=0`
        : `${name}=${value}${attributes}${maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`}`,
  };
}

/** Names and values as sent. Names are compared byte for byte: only the space that separates pairs is removed (S13). */
const pairs = (header: string | undefined): readonly (readonly [string, string])[] =>
  (header ?? "").split(";").map((part) => {
    const pair = part.startsWith(" ") ? part.slice(1) : part;
    const at = pair.indexOf("=");
    return [pair.slice(0, Math.max(at, 0)), pair.slice(at + 1)] as const;
  });

/** The cookie header as one text. */
export const cookieHeaderOf = ({ headers }: Pick<EdgeRequest, "headers">): string | undefined => {
  const { cookie } = headers;
  return typeof cookie === "string" ? cookie : cookie?.join("; ");
};

/** The session's secret, if the browser sent exactly one. */
export const sessionSecretOf = (request: EdgeRequest, { cookies }: { readonly cookies: Cookies }): string | null =>
  cookies.read(cookieHeaderOf(request), cookies.session) ?? null;

/** The interaction that a page belongs to, and this browser's proof for it. */
export function interactionProof(request: EdgeRequest, interactionId: string, cookies: Cookies): InteractionProof {
  return {
    interactionId,
    interactionSecret: cookies.read(cookieHeaderOf(request), cookies.interaction(interactionId)) ?? "",
    sessionSecret: sessionSecretOf(request, { cookies }),
  };
}

/** As long as a proof is valid: 180 days. */
const DEVICE_COOKIE_SECONDS = 15_552_000;

/** The browser's proof of an earlier sign-in here (R-X91); `null` without one. */
export const deviceProofOf = (request: EdgeRequest, { cookies }: { readonly cookies: Cookies }): string | null =>
  cookies.read(cookieHeaderOf(request), cookies.device) ?? null;

/** The cookie of a sign-in that succeeded, if there is a proof to keep. */
export const deviceCookie = (proof: string | undefined, cookies: Cookies): readonly CookieChange[] =>
  proof === undefined ? [] : [{ name: cookies.device, value: proof, maxAgeSeconds: DEVICE_COOKIE_SECONDS }];
