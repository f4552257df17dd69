import { parseId } from "#runtime/basis/ids.ts";
import { AUTHORIZATION_PARAMETERS } from "../authorization-parameters.ts";

/** The parts of a request that may be stored when it is refused (R-X122). */
export interface Asked {
  /** The application that it names, if that has the form of an id. */
  readonly applicationId: string | undefined;
  /** Names of known parameters that were sent, without their values. */
  readonly parameters: readonly string[];
  /** As sent, at most 500 characters, printable ones only. */
  readonly redirectUri: string | undefined;
}

export const REDIRECT_URI_LENGTH_MAX = 500;

/** Names that may be stored: those of our protocols. Any other name may itself be a secret. */
const KNOWN: ReadonlySet<string> = new Set([
  ...AUTHORIZATION_PARAMETERS,
  "client_secret",
  "code_verifier",
  "grant_type",
  "code",
  "refresh_token",
  "access_token",
  "token",
  "token_type_hint",
  "post_logout_redirect_uri",
  "logout_hint",
  "interaction",
  "form_token",
  "decision",
]);

/** The known names among these, each once, in their order. */
export const knownNames = (names: Iterable<string>): string[] => [...new Set(names)].filter((name) => KNOWN.has(name));

/** An application's id if the text has the form of one. */
export const applicationIdOf = (text: unknown): string | undefined =>
  typeof text === "string" ? parseId("application", text) : undefined;

/**
 * A redirect URI as it may be stored: other characters than printable ASCII become question marks, a long one is
 * truncated with an ellipsis.
 */
export function shownRedirectUri(text: unknown): string | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  const printable = text.slice(0, REDIRECT_URI_LENGTH_MAX).replaceAll(/[^\x20-\x7e]/g, "?");
  return text.length > REDIRECT_URI_LENGTH_MAX ? `${printable.slice(0, -3)}...` : printable;
}

const APPLICATION = "asked-application";
const PARAMETERS = "asked-parameters";
const REDIRECT_URI = "asked-redirect-uri";

/**
 * As the edge sends it with a call, since services do not see the request. An address may begin or end with a space,
 * and a header must not.
 */
export const toAskedMetadata = ({
  applicationId,
  parameters,
  redirectUri,
}: Asked): Readonly<Record<string, string>> => ({
  ...(applicationId === undefined ? {} : { [APPLICATION]: applicationId }),
  ...(parameters.length === 0 ? {} : { [PARAMETERS]: parameters.join(" ") }),
  ...(redirectUri === undefined ? {} : { [REDIRECT_URI]: Buffer.from(redirectUri).toString("base64url") }),
});

/** Parses the same on the services' side of the call; again drops what may not be stored. */
export const parseAskedMetadata = (metadata: Readonly<Record<string, string>>): Asked => ({
  applicationId: applicationIdOf(metadata[APPLICATION]),
  parameters: knownNames((metadata[PARAMETERS] ?? "").split(" ")),
  redirectUri: shownRedirectUri(Buffer.from(metadata[REDIRECT_URI] ?? "", "base64url").toString()),
});
