import type { FastifyRequest } from "fastify";
import type { AnyReply, Area, UnroutedCode, UnroutedRequest } from "./operation.ts";
import { splitOnce } from "./query.ts";

/** What is wrong with a malformed request, as the end of the sentence that begins with "The request" (R-X23, R-X30). */
export const whyMalformed = (asked: UnroutedRequest | undefined): string =>
  asked === undefined ? "is not one of HTTP/1.1 to this server" : (asked.malformed ?? "is malformed");

/** `detail` of the problem for a request that no operation got; `undefined` where the sentence of its code says enough. */
export function unroutedDetail(code: UnroutedCode, asked: UnroutedRequest | undefined): string | undefined {
  if (code === "invalid_request") return `The request ${whyMalformed(asked)}.`;
  const path = code === "not_found" ? asked?.withoutSlash : undefined;
  return path === undefined ? undefined : `Leave out the slash at the end: ${path} is the address.`;
}

/** What Fastify could not read of a request, as far as it says so (R-X30). */
export const whatIsUnread = ({ code }: Error & { code?: string }): Flaw | undefined =>
  code === "FST_ERR_BAD_URL" ? { sentence: "has malformed percent-encoding in its path", isOfPath: true } : undefined;

/** Maps Fastify's own errors to ours; an unknown error is a fault. */
export function refusalOf(error: Error & { statusCode?: number; code?: string }): [number, UnroutedCode] {
  const codes: Readonly<Record<number, UnroutedCode>> = {
    400: "invalid_request",
    404: "not_found",
    413: "payload_too_large",
    415: "unsupported_media_type",
  };
  const status = error.statusCode ?? 500;
  const code = codes[status];
  return code === undefined ? [500, "internal_error"] : [status, code];
}

/** A target without its query. */
export const pathOf = (url: string): string => splitOnce(url, "?")[0];

/** What is wrong with a malformed request. */
export interface Flaw {
  /** As the end of the sentence that begins with "The request". */
  readonly sentence: string;
  /** True when the path cannot be decoded. */
  readonly isOfPath: boolean;
}

/** The areas' answers where no operation answers. */
interface UnroutedAnswers {
  /** The first area that owns the path of a target, else the last one. @throws Error when there is none. */
  areaOf(url: string): Area;
  answerTo(request: FastifyRequest, status: number, code: UnroutedCode, flaw?: Flaw): AnyReply;
}

/** @param allowOf the methods of the operations at a path; `undefined` where there are none. */
export function unroutedAnswers(
  areas: readonly Area[],
  allowOf: (path: string) => string | undefined,
): UnroutedAnswers {
  const areaOf = (url: string): Area => {
    const path = pathOf(url);
    const owner = areas.find((candidate) => candidate.owns(path)) ?? areas.at(-1);
    if (owner === undefined) throw new Error("The edge needs at least one area.");
    return owner;
  };

  /** The same path without the slash at its end, if it has one and an operation is there (R-X18). */
  const withoutSlash = (path: string): string | undefined => {
    const shorter = path.slice(0, -1);
    return path.endsWith("/") && allowOf(shorter) !== undefined ? shorter : undefined;
  };

  return {
    areaOf,
    answerTo({ method, url, headers, id }, status, code, flaw) {
      const [path, rawQuery] = splitOnce(url, "?");
      return areaOf(url).unrouted(status, code, id, {
        method,
        accept: headers.accept,
        acceptLanguage: headers["accept-language"],
        rawQuery,
        withoutSlash: withoutSlash(path),
        isPathUnread: flaw?.isOfPath === true,
        malformed: flaw?.sentence,
      });
    },
  };
}
