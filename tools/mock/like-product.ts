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
  const named = headers.authorization !== undefined || "client_id" in body;
  switch (`${method} ${path}`) {
    case "GET /auth/authorize":
      return query.get("response_mode") === "form_post" ? undefined : "code=302";
    case "POST /auth/authorize":
      return body.response_mode === "form_post" ? undefined : "code=303";
    case "POST /auth/token":
      return named ? ofToken(body.grant_type) : MALFORMED;
    case "POST /auth/revoke":
      return named ? undefined : MALFORMED;
    case "POST /auth/introspect":
      return named ? undefined : "code=401";
    case "POST /auth/userinfo":
      return headers.authorization !== undefined || "access_token" in body ? undefined : "code=401";
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
