import {
  type ConsentStep,
  ErrorPageReason,
  type NextStep,
  type SignInStep,
} from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { EdgeRequest } from "#runtime/http/operation.ts";
import { formTarget, type PageHeaders, pageHeaders } from "#runtime/pages/page-headers.ts";
import { textsForLocales } from "../texts/languages.ts";
import { type CookieChange, type Cookies, cookieHeaderOf, deviceCookie, settingCookies } from "./cookies.ts";
import { errorPage } from "./error-page.ts";
import { FORM_POST_SCRIPT, formPostPage } from "./form-post-page.ts";
import { inLanguage, type PageLanguage } from "./page-language.ts";
import type { PageTools } from "./page-operation.ts";

/** As long as an interaction lives. */
const INTERACTION_COOKIE_SECONDS = 3_600;
/** After an application's form, until the page that follows at once sets the cookie for longer. */
const KEPT_COOKIE_SECONDS = 300;
/** Browsers send every cookie with every request; this bound keeps abandoned sign-ins from filling the header. */
const INTERACTION_COOKIES_MAX = 16;

/** The next step, with the secrets that the browser must keep. */
interface Decided {
  readonly nextStep: NextStep | null;
  /** For the cookie of an interaction that has just begun. */
  readonly interactionSecret?: string | null | undefined;
  /** For the cookie of a session that has just begun. */
  readonly sessionSecret?: string | null | undefined;
  /** For the cookie by which a later sign-in recognises this browser. */
  readonly deviceProof?: string | null | undefined;
}

/** Redirects, forms that submit themselves, and error pages; `R` is 302 after a GET, 303 after a form. */
type NextStepReply<R extends 302 | 303> =
  | { status: R; headers: { location: string; "cache-control": "no-store"; "set-cookie": string[] } }
  | { status: 200; type: "text/html"; headers: PageHeaders & { "set-cookie": string[] }; body: string }
  | { status: 400; type: "text/html"; headers: PageHeaders & ReturnType<typeof settingCookies>; body: string };

/** Turns a next step into HTTP; the only place that does, for all conversations. */
export function nextStepResponse<R extends 302 | 303>(
  redirectStatus: R,
  decided: Decided,
  request: EdgeRequest,
  tools: PageTools,
): NextStepReply<R> {
  const step = decided.nextStep?.step;
  const redirect = (location: string, openInteractionId?: string, endedInteractionId?: string): NextStepReply<R> => {
    const setCookie = cookiesAfter(decided, request, tools, openInteractionId, endedInteractionId);
    return { status: redirectStatus, headers: { location, "cache-control": "no-store", "set-cookie": setCookie } };
  };
  switch (step?.$case) {
    case "signIn":
      return redirect(
        pageAddress("/auth/login", step.value.interactionId, languageIn(step.value, tools)),
        step.value.interactionId,
      );
    case "consent":
      return redirect(
        pageAddress("/auth/consent", step.value.interactionId, languageIn(step.value, tools)),
        step.value.interactionId,
      );
    case "redirect":
      return redirect(step.value.location, undefined, step.value.endedInteractionId ?? undefined);
    case "formPost": {
      const { redirectUri, endedInteractionId } = step.value;
      const page = pageHeaders({ formTargets: [formTarget(redirectUri)], script: FORM_POST_SCRIPT });
      const setCookie = cookiesAfter(decided, request, tools, undefined, endedInteractionId ?? undefined);
      const headers = { ...page, "set-cookie": setCookie };
      return { status: 200, type: "text/html", headers, body: formPostPage(step.value, tools.texts) };
    }
    default: {
      const reason = step?.value.reason ?? ErrorPageReason.UNSPECIFIED;
      const startAgainOrigin = step?.value.startAgainOrigin ?? undefined;
      const { supportContact } = tools;
      const body = errorPage({ reason, requestId: request.requestId, startAgainOrigin, supportContact }, tools.texts);
      // The sign-in may have ended by another press of its button; whose password was right is signed in all the same.
      const setCookie = cookiesAfter(decided, request, tools, undefined, undefined);
      const headers = { ...pageHeaders(), ...settingCookies(setCookie) };
      return { status: 400, type: "text/html", headers, body };
    }
  }
}

/** The address of a page of ours for one interaction, with the asked language. */
export const pageAddress = (
  path: "/auth/login" | "/auth/consent",
  interactionId: string,
  language: Pick<PageLanguage, "askedLanguage">,
): string => inLanguage(`${path}?interaction=${encodeURIComponent(interactionId)}`, language);

/** The language of the authorization request takes precedence over that of this request. */
const languageIn = ({ uiLocales }: SignInStep | ConsentStep, { askedLanguage }: PageLanguage) => ({
  askedLanguage: textsForLocales(uiLocales ?? "")?.language ?? askedLanguage,
});

/**
 * The cookie of an open interaction, for as long as it may live, and the removal of the oldest others that are too many.
 * A browser sends no cookie with another site's form, so that nothing can be counted there: that cookie is short-lived.
 */
export function openInteraction(
  interactionId: string,
  secret: string,
  request: EdgeRequest,
  cookies: Cookies,
): readonly CookieChange[] {
  const isForm = request.rawForm !== "";
  const maxAgeSeconds = isForm ? KEPT_COOKIE_SECONDS : INTERACTION_COOKIE_SECONDS;
  const others = cookies.interactionIds(cookieHeaderOf(request)).filter((id) => id !== interactionId);
  const surplus = others.slice(0, -INTERACTION_COOKIES_MAX);
  return [
    { name: cookies.interaction(interactionId), value: secret, maxAgeSeconds },
    ...surplus.map((id) => ({ name: cookies.interaction(id), value: undefined })),
  ];
}

function cookiesAfter(
  { interactionSecret, sessionSecret, deviceProof }: Decided,
  request: EdgeRequest,
  { cookies }: PageTools,
  openInteractionId: string | undefined,
  endedInteractionId: string | undefined,
): string[] {
  const changes: CookieChange[] = [];
  if (openInteractionId !== undefined && typeof interactionSecret === "string")
    changes.push(...openInteraction(openInteractionId, interactionSecret, request, cookies));
  if (endedInteractionId !== undefined)
    changes.push({ name: cookies.interaction(endedInteractionId), value: undefined });
  if (typeof sessionSecret === "string") changes.push({ name: cookies.session, value: sessionSecret });
  changes.push(...deviceCookie(deviceProof ?? undefined, cookies));
  return changes.map((change) => cookies.write(change));
}
