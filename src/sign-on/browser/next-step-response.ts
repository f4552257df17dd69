import { ErrorPageReason, type NextStep } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { type PageHeaders, pageHeaders } from "#runtime/pages/page-headers.ts";
import type { CookieChange, Cookies } from "./cookies.ts";
import { errorPage } from "./error-page.ts";
import type { PageTools } from "./page-operation.ts";

/** As long as an interaction lives. */
const INTERACTION_COOKIE_SECONDS = 3_600;
/** As long as a proof is good: 180 days. */
export const DEVICE_COOKIE_SECONDS = 15_552_000;
/** Browsers send every cookie with every request; abandoned sign-ins must not fill the header. */
const INTERACTION_COOKIES_MAX = 16;

export interface NextStepInput {
  readonly nextStep: NextStep | null;
  readonly requestId: string;
  readonly cookieHeader: string | undefined;
  /** For the cookie of an interaction that has just begun. */
  readonly interactionSecret?: string | undefined;
  /** For the cookie of a session that has just begun. */
  readonly sessionSecret?: string | undefined;
  /** For the cookie by which a later sign-in knows this browser. */
  readonly deviceProof?: string | undefined;
}

export interface NextStepTools extends PageTools {
  readonly cookies: Cookies;
}

/** Redirects and error pages are all there is; `R` is 302 after a GET that began it, 303 after a form. */
type NextStepReply<R extends 302 | 303> =
  | { status: R; headers: { location: string; "cache-control": "no-store"; "set-cookie": string[] } }
  | { status: 400; type: "text/html"; headers: PageHeaders; body: string };

/** Turns what sign-on decided into HTTP; the only place that does, for all conversations. */
export function nextStepResponse<R extends 302 | 303>(
  redirectStatus: R,
  input: NextStepInput,
  tools: NextStepTools,
): NextStepReply<R> {
  const step = input.nextStep?.step;
  switch (step?.$case) {
    case "signIn":
      return redirect(
        redirectStatus,
        pageAddress("/auth/login", step.value.interactionId),
        input,
        tools,
        step.value.interactionId,
      );
    case "consent":
      return redirect(
        redirectStatus,
        pageAddress("/auth/consent", step.value.interactionId),
        input,
        tools,
        step.value.interactionId,
      );
    case "redirect":
      return redirect(
        redirectStatus,
        step.value.location,
        input,
        tools,
        undefined,
        step.value.endedInteractionId ?? undefined,
      );
    default: {
      const reason = step?.value.reason ?? ErrorPageReason.ERROR_PAGE_REASON_UNSPECIFIED;
      const body = errorPage({ reason, requestId: input.requestId }, tools.texts);
      return { status: 400, type: "text/html", headers: pageHeaders(), body };
    }
  }
}

/** The address of a page of ours for one interaction. */
export const pageAddress = (path: "/auth/login" | "/auth/consent", interactionId: string): string =>
  `${path}?interaction=${encodeURIComponent(interactionId)}`;

function redirect<R extends 302 | 303>(
  status: R,
  location: string,
  { cookieHeader, interactionSecret, sessionSecret, deviceProof }: NextStepInput,
  { cookies }: NextStepTools,
  openInteractionId?: string,
  endedInteractionId?: string,
): NextStepReply<R> {
  const changes: CookieChange[] = [];
  if (openInteractionId !== undefined && interactionSecret !== undefined) {
    changes.push({
      name: cookies.interaction(openInteractionId),
      value: interactionSecret,
      maxAgeSeconds: INTERACTION_COOKIE_SECONDS,
    });
    const surplus = cookies.interactionIds(cookieHeader).slice(0, -INTERACTION_COOKIES_MAX);
    changes.push(...surplus.map((id) => ({ name: cookies.interaction(id), value: undefined })));
  }
  if (endedInteractionId !== undefined)
    changes.push({ name: cookies.interaction(endedInteractionId), value: undefined });
  if (sessionSecret !== undefined) changes.push({ name: cookies.session, value: sessionSecret });
  if (deviceProof !== undefined)
    changes.push({ name: cookies.device, value: deviceProof, maxAgeSeconds: DEVICE_COOKIE_SECONDS });
  const setCookie = changes.map((change) => cookies.write(change));
  return { status, headers: { location, "cache-control": "no-store", "set-cookie": setCookie } };
}
