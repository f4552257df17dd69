import { LogoutRefusal, type LogoutService, type LogoutStep } from "#generated/proto/gatehouse/sign_on/v1/logout.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { BrokenRequest, InvalidPart, Operation } from "#runtime/http/operation.ts";
import { formTarget, pageHeaders } from "#runtime/pages/page-headers.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { ACCOUNT, SIGNED_OUT } from "../../browser/account-response.ts";
import type { Cookies } from "../../browser/cookies.ts";
import { edgeCall } from "../../browser/edge-call.ts";
import { refusedByPage } from "../../browser/edge-refusals.ts";
import { toParameters } from "../../browser/encoded-parameters.ts";
import type { ErrorPageValues } from "../../browser/error-page.ts";
import { isOwnForm } from "../../browser/form-origin.ts";
import { sessionSecretOf } from "../../browser/interaction-proof.ts";
import { inLanguage } from "../../browser/page-language.ts";
import { brokenForm, errorPageReply, failurePage, type PageTools } from "../../browser/page-operation.ts";
import { signOutPage } from "./sign-out-page.ts";
import { signedOutPage } from "./signed-out-page.ts";

type Logout = PromiseClient<typeof LogoutService>;

export interface LogoutTools extends PageTools {
  readonly cookies: Cookies;
  readonly issuer: string;
}

const SIGN_OUT = "/auth/sign-out";

/** Where the sign-out question stands for one request, or for nobody's. */
const signOutAddress = (logoutId: string | undefined): string =>
  logoutId === undefined ? SIGN_OUT : `${SIGN_OUT}?logout=${encodeURIComponent(logoutId)}`;

/** GET /auth/logout. Unchecked by the contract's validator: mistakes are told by pages of our own words. */
export const logoutOperation = (logout: Logout, tools: LogoutTools): Operation<operations["logout"]> => ({
  unchecked: true,
  async handle(request) {
    const { requestId, rawQuery } = request;
    const sessionSecret = sessionSecretOf(request, tools);
    try {
      const begin = { parameters: toParameters(rawQuery), sessionSecret, posted: false };
      const { step } = await logout.beginLogout(begin, edgeCall(request));
      return stepReply(step, requestId, tools);
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async ({ requestId }) => malformed("logoutMalformed", requestId, tools),
});

/** POST /auth/logout. Comes from the application's page, so neither our cookie nor our origin is asked for. */
export const submitLogoutOperation = (logout: Logout, tools: LogoutTools): Operation<operations["submitLogout"]> => ({
  unchecked: true,
  async handle(request) {
    const { requestId, rawForm } = request;
    try {
      const begin = { parameters: toParameters(rawForm), sessionSecret: null, posted: true };
      const { step } = await logout.beginLogout(begin, edgeCall(request));
      return stepReply(step, requestId, tools);
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async (request, parts) => broken(request, parts, "logoutMalformed", tools),
});

/** GET /auth/sign-out. */
export const showSignOutOperation = (logout: Logout, tools: LogoutTools): Operation<operations["showSignOut"]> => ({
  async handle(request) {
    const { requestId, query } = request;
    const sessionSecret = sessionSecretOf(request, tools);
    try {
      const show = { logoutId: query.logout ?? null, sessionSecret };
      const { answer } = await logout.showSignOut(show, edgeCall(request));
      if (answer?.$case !== "page") return stepReply(answer?.value ?? null, requestId, tools);
      const { logoutId, formToken, applicationName, redirectOrigin } = answer.value;
      const values = {
        action: inLanguage(signOutAddress(logoutId ?? undefined), tools),
        formToken,
        stayAddress: inLanguage(ACCOUNT, tools),
        applicationName: applicationName ?? undefined,
        redirectOrigin: redirectOrigin ?? undefined,
      };
      const formTargets = redirectOrigin ? [formTarget(redirectOrigin)] : [];
      const headers = pageHeaders({ formTargets });
      return { status: 200, type: "text/html", headers, body: signOutPage(values, tools.texts) };
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async ({ requestId }) => malformed("logoutGone", requestId, tools),
});

/** POST /auth/sign-out. */
export const submitSignOutOperation = (logout: Logout, tools: LogoutTools): Operation<operations["submitSignOut"]> => ({
  async handle(request) {
    const { requestId, query, body } = request;
    if (!isOwnForm(request, tools.issuer))
      return refusedByPage("form.refused", refusedReply("logoutForm", requestId, tools));
    const sessionSecret = sessionSecretOf(request, tools);
    try {
      const form = { logoutId: query.logout ?? null, sessionSecret, formToken: body.form_token };
      const { step } = await logout.submitSignOut(form, edgeCall(request));
      return stepReply(step, requestId, tools);
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async (request, parts) => broken(request, parts, "logoutForm", tools),
});

/** GET /auth/signed-out. */
export const showSignedOutOperation = (logout: Logout, tools: LogoutTools): Operation<operations["showSignedOut"]> => ({
  async handle(request) {
    const sessionSecret = sessionSecretOf(request, tools);
    try {
      const { signedIn } = await logout.showSignedOut({ sessionSecret }, edgeCall(request));
      if (signedIn) return redirect(inLanguage(SIGN_OUT, tools), []);
      return { status: 200, type: "text/html", headers: pageHeaders(), body: signedOutPage(tools.texts) };
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async ({ requestId }) => malformed("logoutMalformed", requestId, tools),
});

const redirect = (location: string, setCookie: readonly string[]) =>
  ({
    status: 303,
    headers: { location, "cache-control": "no-store", ...(setCookie.length === 0 ? {} : { "set-cookie": setCookie }) },
  }) as const;

const REASONS: Readonly<Record<LogoutRefusal, ErrorPageValues["reason"]>> = {
  [LogoutRefusal.LOGOUT_REFUSAL_UNSPECIFIED]: "serverError",
  [LogoutRefusal.LOGOUT_REFUSAL_MALFORMED]: "logoutMalformed",
  [LogoutRefusal.LOGOUT_REFUSAL_UNREADABLE_HINT]: "logoutHint",
  [LogoutRefusal.LOGOUT_REFUSAL_UNKNOWN_APPLICATION]: "logoutApplication",
  [LogoutRefusal.LOGOUT_REFUSAL_UNREGISTERED_ADDRESS]: "logoutAddress",
  [LogoutRefusal.LOGOUT_REFUSAL_GONE]: "logoutGone",
  [LogoutRefusal.LOGOUT_REFUSAL_FORM]: "logoutForm",
  [LogoutRefusal.UNRECOGNIZED]: "serverError",
};

/** Turns what was decided into HTTP; the session's cookie goes with the session. */
function stepReply(decided: LogoutStep | null, requestId: string, { cookies, ...tools }: LogoutTools) {
  const step = decided?.step;
  switch (step?.$case) {
    case "question":
      return redirect(inLanguage(signOutAddress(step.value.logoutId ?? undefined), tools), []);
    case "signedOut": {
      const { location, sessionEnded } = step.value;
      return redirect(
        location ?? inLanguage(SIGNED_OUT, tools),
        sessionEnded ? [cookies.write({ name: cookies.session, value: undefined })] : [],
      );
    }
    default:
      return refusedReply(REASONS[step?.value.reason ?? LogoutRefusal.LOGOUT_REFUSAL_UNSPECIFIED], requestId, tools);
  }
}

/** Says what is wrong, and leads to the question that needs no application. */
const refusedReply = (reason: ErrorPageValues["reason"], requestId: string, tools: PageTools) =>
  errorPageReply(
    400,
    { reason, requestId, retryUrl: inLanguage(SIGN_OUT, tools), retryLabel: tools.texts.signOut.instead },
    tools,
  );

const malformed = (reason: ErrorPageValues["reason"], requestId: string, tools: PageTools) =>
  refusedByPage("page.malformed", refusedReply(reason, requestId, tools));

const broken = (
  { requestId }: BrokenRequest,
  parts: readonly InvalidPart[],
  reason: ErrorPageValues["reason"],
  tools: PageTools,
) => (parts[0]?.in === "header" ? brokenForm(requestId, parts, tools) : malformed(reason, requestId, tools));
