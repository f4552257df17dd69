import type { AnyReply, Area, EdgeRequest } from "./operation.ts";

/** Headers that a page of another origin may set, and how long a browser may cache the answer. */
const ALLOWED_HEADERS = "authorization, content-type, if-none-match, traceparent";
const MAX_AGE_SECONDS = 600;

/**
 * Answers OPTIONS at a path that pages of other origins may call (`x-cors` of the contract, Fetch §4.8). Without an
 * origin, or for one that may not call, the answer lists the methods and allows nothing.
 * @param methods those of the path, without OPTIONS.
 */
export async function answerPreflight(
  request: EdgeRequest,
  area: Area,
  cors: string,
  methods: readonly string[],
): Promise<AnyReply> {
  const allow = [...methods, "OPTIONS"].sort().join(", ");
  const { origin } = request.headers;
  const allowed = typeof origin === "string" ? await area.allowedOrigin?.(origin, cors, request) : undefined;
  const headers = {
    allow,
    vary: "Origin",
    ...(allowed === undefined
      ? {}
      : {
          "access-control-allow-origin": allowed,
          "access-control-allow-methods": [...methods].sort().join(", "),
          "access-control-allow-headers": ALLOWED_HEADERS,
          "access-control-max-age": String(MAX_AGE_SECONDS),
        }),
  };
  return { status: 204, headers };
}
