import type { ErrorPageReason } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import { wholeWords } from "#runtime/pages/whole-words.ts";
import { CHECKS, type CheckName } from "../refusals/catalogue.ts";
import type { Check } from "../refusals/check.ts";
import type { Texts } from "../texts/en.ts";
import { helpWithError } from "./support.ts";

type Reason = keyof Texts["errorPage"]["reasons"];

type LinkReason = "linkUnknown" | "linkExpired" | "linkUsed" | "linkWithdrawn" | "linkForm";

export interface ErrorPageValues {
  /**
   * The reason that the service decided, for a sign-in or a password link, or a reason of the edge: `unreadable` for
   * requests, `serverError`, or `unavailable` when a retry helps.
   */
  readonly reason:
    | ErrorPageReason
    | LinkReason
    | "nothingHere"
    | "unreadable"
    | "serverError"
    | "unavailable"
    | "logoutMalformed"
    | "logoutHint"
    | "logoutApplication"
    | "logoutAddress"
    | "logoutGone"
    | "logoutForm"
    | "accountForm"
    | "accountCookie";
  readonly requestId: string;
  /** The setting `support-contact`. */
  readonly supportContact?: string | undefined;
  /** A path of ours that leads back to where the person was; anything else is omitted. */
  readonly retryUrl?: string | undefined;
  /** The words of that link; "try again" unless given. */
  readonly retryLabel?: string;
  /** Web origin of a registered application; anything else is omitted. */
  readonly startAgainOrigin?: string | undefined;
}

const REASONS: Readonly<Record<ErrorPageValues["reason"], Reason>> = {
  ERROR_PAGE_REASON_UNKNOWN_APPLICATION: "unknownApplication",
  ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI: "unregisteredRedirectUri",
  ERROR_PAGE_REASON_INTERACTION_GONE: "interactionGone",
  ERROR_PAGE_REASON_INTERACTION_ELSEWHERE: "interactionElsewhere",
  ERROR_PAGE_REASON_FORM_REFUSED: "formRefused",
  ERROR_PAGE_REASON_UNSPECIFIED: "serverError",
  UNRECOGNIZED: "serverError",
  linkUnknown: "linkUnknown",
  linkExpired: "linkExpired",
  linkUsed: "linkUsed",
  linkWithdrawn: "linkWithdrawn",
  linkForm: "linkForm",
  nothingHere: "nothingHere",
  unreadable: "unreadable",
  serverError: "serverError",
  unavailable: "unavailable",
  logoutMalformed: "logoutMalformed",
  logoutHint: "logoutHint",
  logoutApplication: "logoutApplication",
  logoutAddress: "logoutAddress",
  logoutGone: "logoutGone",
  logoutForm: "logoutForm",
  accountForm: "accountForm",
  accountCookie: "accountCookie",
};

/** What those who run the application can mend. */
const OF_APPLICATION: ReadonlySet<Reason> = new Set<Reason>([
  "unknownApplication",
  "unregisteredRedirectUri",
  "unreadable",
  "logoutHint",
  "logoutApplication",
  "logoutAddress",
]);

/**
 * The error pages of checks that do not name theirs in the catalogue, the first one the usual one. Handlers take them from
 * here, and the guide its titles.
 */
export const PAGES_OF = {
  "link.unknown": ["linkUnknown"],
  "link.expired": ["linkExpired"],
  "link.used": ["linkUsed"],
  "link.withdrawn": ["linkWithdrawn"],
  "logout.malformed": ["logoutMalformed"],
  "logout.hint_unreadable": ["logoutHint"],
  "logout.application_unknown": ["logoutApplication"],
  "logout.address_not_registered": ["logoutAddress"],
  "logout.gone": ["logoutGone"],
  "address.unknown": ["nothingHere"],
  "address.slash": ["nothingHere"],
  "page.malformed": ["unreadable", "interactionGone", "logoutMalformed", "logoutGone", "accountForm"],
  "service.busy": ["unavailable"],
  "service.failed": ["serverError"],
  "workforce.failed": ["serverError", "unavailable"],
} as const satisfies Readonly<Partial<Record<CheckName, readonly [Reason, ...Reason[]]>>>;

/** Checks of a sign-in that the current password undergoes, too, when it is changed. */
const OF_PASSWORD_CHANGE: ReadonlySet<CheckName> = new Set<CheckName>(["sign_in.wrong_password", "sign_in.throttled"]);

/** The titles that people see when a check refuses; the pages of a password show themselves again. */
export function pageTitles(check: CheckName, { errorPage: { reasons }, login, setPassword }: Texts): readonly string[] {
  if (check.startsWith("sign_in."))
    return [login.titleRefused, ...(OF_PASSWORD_CHANGE.has(check) ? [setPassword.titleRefused] : [])];
  const { page } = CHECKS[check] as Check;
  const named = page === undefined ? [] : [REASONS[page]];
  const others: readonly Reason[] = Object.hasOwn(PAGES_OF, check) ? PAGES_OF[check as keyof typeof PAGES_OF] : [];
  return [...new Set([...named, ...others].map((reason) => reasons[reason].title))];
}

/**
 * The error page: cause, what to do, whom to ask, and the request id as a reference for them. Shows nothing from the
 * request, in particular no redirect URI (S1). The caller chooses the status.
 */
export function errorPage(
  { reason, requestId, supportContact, retryUrl, retryLabel, startAgainOrigin }: ErrorPageValues,
  texts: Texts,
): string {
  const { errorPage: words } = texts;
  const { title, causes, advice } = words.reasons[REASONS[reason]];
  return frame({
    title,
    language: texts.language,
    body: html`<h1>${wholeWords(title)}</h1>
${
  causes.length === 1
    ? html`<p>${causes}</p>`
    : html`<p>${words.oneOfThese}</p>
<ul>
${causes.map((cause) => html`<li>${cause}</li>`)}
</ul>`
}
<h2>${words.whatToDo}</h2>
<p>${advice}</p>
${retryUrl !== undefined && isOwnPath(retryUrl) && html`<p><a class="button primary" href="${retryUrl}">${retryLabel ?? words.retry}</a></p>`}
${startAgainOrigin !== undefined && isWebOrigin(startAgainOrigin) && html`<p><a class="button primary" href="${startAgainOrigin}">${words.startAgain(html`<bdi>${new URL(startAgainOrigin).host}</bdi>`)}</a></p>`}
${helpWithError({ contact: supportContact, requestId, isOfApplication: OF_APPLICATION.has(REASONS[reason]) }, texts)}`,
    footer: html`<dl><dt>${words.reference}</dt><dd><code>${requestId}</code></dd></dl>`,
  });
}

// Parsed as a browser parses it: "//host", "/\\host" and "/<tab>/host" lead to another site.
const isOwnPath = (url: string) => url.startsWith("/") && URL.parse(url, ANY_ORIGIN)?.origin === ANY_ORIGIN;

const isWebOrigin = (origin: string) => /^https?:/.test(origin) && URL.parse(origin)?.origin === origin;

const ANY_ORIGIN = "https://here.invalid";
