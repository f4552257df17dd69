import type { EdgeRequest } from "#runtime/http/operation.ts";
import type { CookieChange, Cookies } from "./cookies.ts";
import { cookieHeaderOf } from "./interaction-proof.ts";

/** As long as a proof is valid: 180 days. */
const DEVICE_COOKIE_SECONDS = 15_552_000;

/** The browser's proof of an earlier sign-in here (R-X91); `null` without one. */
export const deviceProofOf = (request: EdgeRequest, { cookies }: { readonly cookies: Cookies }): string | null =>
  cookies.read(cookieHeaderOf(request), cookies.device) ?? null;

/** The cookie of a sign-in that succeeded, if there is a proof to keep. */
export const deviceCookie = (proof: string | undefined, cookies: Cookies): readonly CookieChange[] =>
  proof === undefined ? [] : [{ name: cookies.device, value: proof, maxAgeSeconds: DEVICE_COOKIE_SECONDS }];
