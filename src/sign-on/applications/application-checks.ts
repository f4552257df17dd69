import type {
  CreateApplicationRequest,
  Lifetimes as LifetimesMessage,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { DNS_NAME_FORM, isPossibleHost } from "#runtime/basis/dns-name.ts";
import type { FieldViolation } from "#runtime/basis/errors.ts";
import { hasAtMost } from "#runtime/basis/text.ts";
import { parseScopes } from "../claims/scopes.ts";
import {
  type ApplicationKind,
  DEFAULT_REFRESH_REPEAT_SECONDS,
  GRANT_TYPES,
  isGrantType,
  type Lifetimes,
} from "./application.ts";
import { toConsentPolicy, toKind } from "./application-message.ts";
import { conflictProblem, redirectUriProblem } from "./redirect-uri.ts";

/** Most redirect URIs of one application, and most entries of each of its other lists: all are read with it. */
export const REDIRECT_URIS_MAX = 100;
const LIST_ENTRIES_MAX = 50;
/** A longer lifetime would keep a stolen token valid for too long. */
const REFRESH_REPEAT_SECONDS_MAX = 300;

/** Least and most seconds of each lifetime; a code may only be shortened (R-S9). */
const LIFETIME_BOUNDS: Readonly<Record<keyof Lifetimes, readonly [number, number]>> = {
  authorizationCodeSeconds: [30, 600],
  accessTokenSeconds: [60, 86_400],
  idTokenSeconds: [60, 86_400],
  refreshTokenIdleSeconds: [60, 400 * 86_400],
  refreshTokenAbsoluteSeconds: [60, 400 * 86_400],
};

interface CheckedFor {
  readonly kind: ApplicationKind;
  /** Development only: http://localhost may be registered. */
  readonly development: boolean;
  /** The application exists already, so people may have signed in to it. */
  readonly registered: boolean;
}

/** Why a value of a field is refused, as the ends of sentences about it. */
type Refuse = (field: string, reason: string) => void;

type Settled = Pick<
  CreateApplicationRequest,
  | "name"
  | "scopes"
  | "consent"
  | "grantTypes"
  | "refreshRepeatSeconds"
  | "corsOrigins"
  | "postLogoutRedirectUris"
  | "lifetimes"
>;

/** What an application may be registered with, field by field; the same when it is created and when it changes (R-S8, R-S9, R-S15, R-S18). */
export const FIELD_CHECKS = {
  name({ name: given }, _for, refuse) {
    const name = given.trim();
    if (name === "" || !hasAtMost(name, 100) || /\p{Cc}/u.test(name))
      refuse("name", "must have 1 to 100 characters, none of them a control character");
  },
  scopes({ scopes }, _for, refuse) {
    if (parseScopes(scopes.join(" ")) === undefined)
      refuse("scopes", "must be one or more of openid, profile, email, offline_access");
  },
  consent({ consent }, _for, refuse) {
    if (toConsentPolicy(consent) === undefined) refuse("consent", "must be always, once or never");
  },
  grant_types({ grantTypes }, { registered }, refuse) {
    if (grantTypes.some((name) => !isGrantType(name))) refuse("grant_types", `must be of ${GRANT_TYPES.join(", ")}`);
    // An application that is being retired may keep its refresh tokens without new sign-ins (R-X161).
    if (!registered && grantTypes.length > 0 && !grantTypes.includes("authorization_code"))
      refuse("grant_types", "must contain authorization_code, since everything begins with a code");
  },
  refresh_repeat_seconds({ refreshRepeatSeconds }, _for, refuse) {
    const seconds = refreshRepeatSeconds ?? DEFAULT_REFRESH_REPEAT_SECONDS;
    if (seconds < 0 || seconds > REFRESH_REPEAT_SECONDS_MAX)
      refuse("refresh_repeat_seconds", `must be 0 to ${REFRESH_REPEAT_SECONDS_MAX}`);
  },
  cors_origins({ corsOrigins }, checkedFor, refuse) {
    each("cors_origins", corsOrigins, refuse, (origin) => originProblem(origin, checkedFor));
  },
  post_logout_redirect_uris({ postLogoutRedirectUris }, checkedFor, refuse) {
    each("post_logout_redirect_uris", postLogoutRedirectUris, refuse, (uri) =>
      redirectUriProblem(uri, checkedFor.kind, checkedFor),
    );
  },
  lifetimes({ lifetimes }, _for, refuse) {
    for (const { field, reason } of lifetimeViolations(lifetimes)) refuse(field, reason);
  },
} satisfies Readonly<Record<string, (given: Settled, checkedFor: CheckedFor, refuse: Refuse) => void>>;

export type CheckedField = keyof typeof FIELD_CHECKS;

/** All mistakes of the named fields. */
export function fieldViolations(
  fields: readonly CheckedField[],
  given: Settled,
  checkedFor: CheckedFor,
): FieldViolation[] {
  const violations: FieldViolation[] = [];
  const refuse: Refuse = (field, reason) => void violations.push({ field, reason });
  for (const field of fields) FIELD_CHECKS[field](given, checkedFor, refuse);
  return violations;
}

/** All mistakes of a registration. */
export function registrationViolations(request: CreateApplicationRequest, development: boolean): FieldViolation[] {
  const known = toKind(request.kind);
  const checkedFor = { kind: known ?? "web", development, registered: false };
  const violations = fieldViolations(["name"], request, checkedFor);
  if (known === undefined) violations.push({ field: "kind", reason: "must be web, browser or native" });
  violations.push(
    ...fieldViolations(["scopes", "consent"], request, checkedFor),
    ...redirectUriViolations(request, checkedFor),
  );
  const rest = ["grant_types", "refresh_repeat_seconds", "cors_origins", "post_logout_redirect_uris", "lifetimes"];
  return [...violations, ...fieldViolations(rest as CheckedField[], request, checkedFor)];
}

function redirectUriViolations({ redirectUris }: CreateApplicationRequest, checkedFor: CheckedFor): FieldViolation[] {
  if (redirectUris.length === 0) return [{ field: "redirect_uris", reason: "must name at least one" }];
  if (redirectUris.length > REDIRECT_URIS_MAX)
    return [{ field: "redirect_uris", reason: `must name at most ${REDIRECT_URIS_MAX}` }];
  return redirectUris.flatMap((redirectUri, index) => {
    const { uri } = redirectUri;
    const field = `redirect_uris[${index}].uri`;
    const problem =
      redirectUriProblem(uri, checkedFor.kind, checkedFor) ??
      conflictProblem(redirectUri, redirectUris.slice(0, index));
    const repeated = redirectUris.findIndex((other) => other.uri === uri) !== index;
    return [
      ...(problem === undefined ? [] : [{ field, reason: problem }]),
      ...(repeated ? [{ field, reason: "is repeated" }] : []),
    ];
  });
}

function each(
  field: string,
  entries: readonly string[],
  refuse: Refuse,
  problemOf: (entry: string) => string | undefined,
): void {
  if (entries.length > LIST_ENTRIES_MAX) {
    refuse(field, `must have at most ${LIST_ENTRIES_MAX} entries`);
    return;
  }
  for (const [index, entry] of entries.entries()) {
    const problem = problemOf(entry);
    if (problem !== undefined) refuse(`${field}[${index}]`, problem);
  }
}

/** `accessTokenSeconds` → `lifetimes.access_token_seconds` */
const lifetimeField = (name: string): string =>
  `lifetimes.${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

/** The lifetimes by the field that names each. */
export const LIFETIME_FIELDS: ReadonlyMap<string, keyof Lifetimes> = new Map(
  (Object.keys(LIFETIME_BOUNDS) as (keyof Lifetimes)[]).map((name) => [lifetimeField(name), name]),
);

const lifetimeViolations = (lifetimes: LifetimesMessage | null): FieldViolation[] =>
  Object.entries(LIFETIME_BOUNDS).flatMap(([name, [least, most]]) => {
    const value = lifetimes?.[name as keyof Lifetimes];
    const wrong = typeof value === "number" && (value < least || value > most);
    return wrong ? [{ field: lifetimeField(name), reason: `must be ${least} to ${most}` }] : [];
  });

/** Why an origin cannot be registered, as the end of a sentence about it; `undefined` when it can (R-S15, RFC 6454 §6.1). */
function originProblem(origin: string, { development }: { readonly development: boolean }): string | undefined {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin)
    return "is not an origin as browsers send it, like https://app.example, without path and trailing slash";
  const { protocol, hostname } = new URL(origin);
  if (!isPossibleHost({ hostname })) return `must have ${DNS_NAME_FORM}`;
  if (protocol === "https:" || (development && protocol === "http:" && hostname === "localhost")) return undefined;
  return "must be https (http is for localhost under the development switch)";
}
