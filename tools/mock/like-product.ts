import type { IncomingHttpHeaders } from "node:http";

/** A request of sign-on, as far as it decides which of the contract's answers the product gives. */
interface SignOnRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Pick<IncomingHttpHeaders, "authorization">;
  /** Members of a JSON body, or parameters of a form. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The value of `Prefer` for the answer that the product gives, where Prism would take another: Prism takes the first one that is good, and
 * looks at no credential that the contract lets come in the body. `undefined` where Prism's choice is the product's.
 */
export function likeProduct({ method, path, query, headers, body }: SignOnRequest): string | undefined {
  // A parameter without a value counts as absent (RFC 6749 §3.2).
  const isGiven = (name: string): boolean => body[name] !== undefined && body[name] !== "";
  const isByHeader = headers.authorization !== undefined;
  const named = isByHeader || isGiven("client_id");
  const isTwice = isByHeader && isGiven("client_secret");
  switch (`${method} ${path}`) {
    case "GET /auth/authorize":
      return query.get("response_mode") === "form_post" ? undefined : "code=302";
    case "POST /auth/authorize":
      return body.response_mode === "form_post" ? undefined : "code=303";
    case "POST /auth/token":
      return named && !isTwice ? ofToken(body.grant_type) : MALFORMED;
    case "POST /auth/revoke":
      return named && !isTwice ? undefined : MALFORMED;
    case "POST /auth/introspect":
      if (isTwice) return "code=400";
      return named ? undefined : "code=401";
    case "POST /auth/userinfo":
      if (isByHeader) return isGiven("access_token") ? "code=400" : undefined;
      return isGiven("access_token") ? undefined : "code=401";
    default:
      return undefined;
  }
}

const MALFORMED = "code=400, example=invalidRequest";

function ofToken(grantType: unknown): string | undefined {
  // R-S10: no ID token.
  if (grantType === "refresh_token") return "code=200, example=afterRefresh";
  return grantType === undefined || grantType === "authorization_code"
    ? undefined
    : "code=400, example=unsupportedGrantType";
}
