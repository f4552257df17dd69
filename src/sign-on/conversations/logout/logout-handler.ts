import { LogoutRefusal, type LogoutService, type LogoutStep } from "#generated/proto/gatehouse/sign_on/v1/logout.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { EdgeRequest, Operation } from "#runtime/http/operation.ts";
import { formTarget, pageHeaders, scriptAddress } from "#runtime/pages/page-headers.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { takeNote } from "../../browser/account-note.ts";
import { ACCOUNT, SIGNED_OUT } from "../../browser/account-response.ts";
import { sessionSecretOf, settingCookies } from "../../browser/cookies.ts";
import { toParameters } from "../../browser/edge-call.ts";
import { type ErrorPageValues, PAGES_OF } from "../../browser/error-page.ts";
import { inLanguage } from "../../browser/page-language.ts";
import { errorPageReply, type PageTools, showOperation, submitOperation } from "../../browser/page-operation.ts";
import { signedOutPage, signOutPage } from "./sign-out-page.ts";

type Logout = PromiseClient<typeof LogoutService>;

const SIGN_OUT = "/auth/sign-out";

/** Address of the sign-out question, with the id of an application's request if there is one. */
const signOutAddress = (logoutId: string | undefined): string =>
  logoutId === undefined ? SIGN_OUT : `${SIGN_OUT}?logout=${encodeURIComponent(logoutId)}`;

/** Address of the page after a sign-out, with the application that asked for it if there is one. */
const signedOutAddress = (applicationId: string | undefined): string =>
  applicationId === undefined ? SIGNED_OUT : `${SIGNED_OUT}?application=${encodeURIComponent(applicationId)}`;

/** GET /auth/logout. The contract's validator does not check it: mistakes get error pages of our own. */
export const logoutOperation = (logout: Logout, tools: PageTools): Operation<operations["logout"]> => ({
  unchecked: true,
  ...showOperation(tools, {
    async show(request, call) {
      const sessionSecret = sessionSecretOf(request, tools);
      const { rawQuery, remoteAddress: networkAddress } = request;
      const begin = { parameters: toParameters(rawQuery), sessionSecret, posted: false, networkAddress };
      const { step } = await logout.beginLogout(begin, call);
      return stepReply(step, request, tools);
    },
    unreadable: (request) => refusedReply("logoutMalformed", request, tools),
  }),
});

/** POST /auth/logout. Comes from the application's page, so it needs neither our cookie nor our origin. */
export const submitLogoutOperation = (logout: Logout, tools: PageTools): Operation<operations["submitLogout"]> => ({
  unchecked: true,
  ...submitOperation(tools, {
    isAllowed: () => true,
    async submit(request, call) {
      const { rawForm, remoteAddress: networkAddress } = request;
      const begin = { parameters: toParameters(rawForm), sessionSecret: null, posted: true, networkAddress };
      const { step } = await logout.beginLogout(begin, call);
      return stepReply(step, request, tools);
    },
    refused: (request) => refusedReply("logoutMalformed", request, tools),
  }),
});

/** GET /auth/sign-out. */
export const showSignOutOperation = (logout: Logout, tools: PageTools): Operation<operations["showSignOut"]> =>
  showOperation(tools, {
    async show(request, call) {
      const show = { logoutId: request.query.logout ?? null, sessionSecret: sessionSecretOf(request, tools) };
      const { answer } = await logout.showSignOut(show, call);
      if (answer?.$case !== "page") return stepReply(answer?.value ?? null, request, tools);
      const { logoutId, formToken, applicationName, redirectOrigin } = answer.value;
      const values = {
        action: inLanguage(signOutAddress(logoutId ?? undefined), tools),
        formToken,
        stayAddress: inLanguage(ACCOUNT, tools),
        applicationName: applicationName ?? undefined,
        redirectOrigin: redirectOrigin ?? undefined,
      };
      const formTargets = redirectOrigin ? [formTarget(redirectOrigin)] : [];
      const headers = pageHeaders({ formTargets, script: scriptAddress(tools.issuer) });
      return { status: 200, type: "text/html", headers, body: signOutPage(values, tools.texts) } as const;
    },
    unreadable: (request) => refusedReply("logoutGone", request, tools),
  });

/** POST /auth/sign-out. */
export const submitSignOutOperation = (logout: Logout, tools: PageTools): Operation<operations["submitSignOut"]> =>
  submitOperation(tools, {
    async submit(request, call) {
      const { query, body } = request;
      const sessionSecret = sessionSecretOf(request, tools);
      const form = { logoutId: query.logout ?? null, sessionSecret, formToken: body.form_token };
      const { step } = await logout.submitSignOut(form, call);
      return stepReply(step, request, tools);
    },
    refused: (request) => refusedReply("logoutForm", request, tools),
  });

/** GET /auth/signed-out. */
export const showSignedOutOperation = (logout: Logout, tools: PageTools): Operation<operations["showSignedOut"]> =>
  showOperation(tools, {
    async show(request, call) {
      const sessionSecret = sessionSecretOf(request, tools);
      const show = { sessionSecret, applicationId: request.query.application ?? null };
      const { signedIn, application } = await logout.showSignedOut(show, call);
      if (signedIn) return redirect(inLanguage(SIGN_OUT, tools), []);
      const { note, setCookie } = takeNote(request, tools);
      const values = {
        application: application ?? null,
        account: inLanguage(ACCOUNT, tools),
        isEverywhere: note === "everywhere",
      };
      const headers = { ...pageHeaders(), ...settingCookies(setCookie) };
      return { status: 200, type: "text/html", headers, body: signedOutPage(values, tools.texts) } as const;
    },
    unreadable: (request) => refusedReply("logoutMalformed", request, tools),
  });

const redirect = (location: string, setCookie: readonly string[]) =>
  ({
    status: 303,
    headers: { location, "cache-control": "no-store", ...settingCookies(setCookie) },
  }) as const;

const REASONS: Readonly<Record<LogoutRefusal, ErrorPageValues["reason"]>> = {
  [LogoutRefusal.UNSPECIFIED]: "serverError",
  [LogoutRefusal.MALFORMED]: PAGES_OF["logout.malformed"][0],
  [LogoutRefusal.UNREADABLE_HINT]: PAGES_OF["logout.hint_unreadable"][0],
  [LogoutRefusal.UNKNOWN_APPLICATION]: PAGES_OF["logout.application_unknown"][0],
  [LogoutRefusal.UNREGISTERED_ADDRESS]: PAGES_OF["logout.address_not_registered"][0],
  [LogoutRefusal.GONE]: PAGES_OF["logout.gone"][0],
  [LogoutRefusal.FORM]: "logoutForm",
  [LogoutRefusal.UNRECOGNIZED]: "serverError",
};

/** Turns the decision into HTTP; removes the session's cookie when the session ends. */
function stepReply(decided: LogoutStep | null, request: EdgeRequest, tools: PageTools) {
  const { cookies } = tools;
  const step = decided?.step;
  switch (step?.$case) {
    case "question":
      return redirect(inLanguage(signOutAddress(step.value.logoutId ?? undefined), tools), []);
    case "signedOut": {
      const { location, sessionEnded, applicationId } = step.value;
      return redirect(
        location ?? inLanguage(signedOutAddress(applicationId ?? undefined), tools),
        sessionEnded ? [cookies.write({ name: cookies.session, value: undefined })] : [],
      );
    }
    default:
      return refusedReply(REASONS[step?.value.reason ?? LogoutRefusal.UNSPECIFIED], request, tools);
  }
}

/** The error page, with a link to the sign-out question that needs no application. */
const refusedReply = (reason: ErrorPageValues["reason"], { requestId }: EdgeRequest, tools: PageTools) =>
  errorPageReply(
    400,
    { reason, requestId, retryUrl: inLanguage(SIGN_OUT, tools), retryLabel: tools.texts.signOut.instead },
    tools,
  );
