import { parseId } from "#runtime/basis/ids.ts";

/** What a refused request asked for, as far as it may be written down. */
export interface Asked {
  readonly applicationId: string | undefined;
  readonly parameters: readonly string[];
  readonly redirectUri: string | undefined;
}

export const REDIRECT_URI_LENGTH_MAX = 500;

/** Names that may be written down: those of our protocols. Any other name may itself hold what is nobody's business. */
const KNOWN: ReadonlySet<string> = new Set([
  "response_type",
  "client_id",
  "client_secret",
  "redirect_uri",
  "scope",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "code_verifier",
  "prompt",
  "max_age",
  "login_hint",
  "id_token_hint",
  "ui_locales",
  "claims_locales",
  "display",
  "acr_values",
  "claims",
  "response_mode",
  "request",
  "request_uri",
  "registration",
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

/** Where somebody was to be sent: what is not printable ASCII becomes a question mark, what is too long ends with an ellipsis. */
function shownRedirectUri(text: unknown): string | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  const printable = text.slice(0, REDIRECT_URI_LENGTH_MAX).replaceAll(/[^\x20-\x7e]/g, "?");
  return text.length > REDIRECT_URI_LENGTH_MAX ? `${printable.slice(0, -3)}...` : printable;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a message of ours asks for, in the wire's names: of an authorization request its parameters, of others the fields that are filled. */
export function askedBy(request: unknown): Asked {
  const fields = isFields(request) ? request : {};
  return Array.isArray(fields.parameters) ? askedByParameters(fields.parameters) : askedByFields(fields);
}

function askedByParameters(given: readonly unknown[]): Asked {
  const pairs = given.filter(isFields);
  const valueNamed = (wanted: string) => pairs.find(({ name }) => name === wanted)?.value;
  return {
    applicationId: applicationIdOf(valueNamed("client_id")),
    parameters: knownNames(pairs.map(({ name }) => String(name))),
    redirectUri: shownRedirectUri(valueNamed("redirect_uri")),
  };
}

function askedByFields({ application, grant, ...rest }: Fields): Asked {
  const proof = isFields(application) ? application : {};
  const granted = isFields(grant) && isFields(grant.value) ? grant.value : {};
  const names = [
    ...(proof.applicationId ? ["client_id"] : []),
    ...(proof.secret ? ["client_secret"] : []),
    ...(isFields(grant) ? ["grant_type"] : []),
    ...[...Object.entries(granted), ...Object.entries(rest)]
      .filter(([, value]) => isFilled(value))
      .map(([name]) => snake(name)),
  ];
  return {
    applicationId: applicationIdOf(proof.applicationId ?? rest.applicationId),
    parameters: knownNames(names.map((name) => (name === "scopes" ? "scope" : name))),
    redirectUri: shownRedirectUri(granted.redirectUri),
  };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== "";

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
