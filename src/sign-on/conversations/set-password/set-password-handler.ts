import type { PasswordLinkEnd, PasswordsService } from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { EdgeRequest, InvalidPart, Operation } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { edgeCall } from "../../browser/edge-call.ts";
import { refusedByPage } from "../../browser/edge-refusals.ts";
import type { ErrorPageValues } from "../../browser/error-page.ts";
import { isOwnForm } from "../../browser/form-origin.ts";
import { inLanguage } from "../../browser/page-language.ts";
import { brokenForm, errorPageReply, failurePage, type PageTools } from "../../browser/page-operation.ts";
import { passwordSetPage } from "./password-set-page.ts";
import { setPasswordPage } from "./set-password-page.ts";

type Passwords = PromiseClient<typeof PasswordsService>;

export interface SetPasswordTools extends PageTools {
  readonly issuer: string;
}

/** The page's address holds the token, so not even our own requests name it (S9). */
const NO_REFERRER = { "referrer-policy": "no-referrer" } as const;

const withoutReferrer = <R extends { readonly headers: object }>(reply: R) =>
  ({ ...reply, headers: { ...reply.headers, ...NO_REFERRER } }) as const;

const linkPage = <S extends 200 | 400>(status: S, body: string) =>
  ({ status, type: "text/html", headers: { ...pageHeaders(), ...NO_REFERRER }, body }) as const;

const ENDS: Readonly<Record<PasswordLinkEnd, ErrorPageValues["reason"]>> = {
  PASSWORD_LINK_END_UNSPECIFIED: "serverError",
  PASSWORD_LINK_END_UNKNOWN: "linkUnknown",
  PASSWORD_LINK_END_EXPIRED: "linkExpired",
  PASSWORD_LINK_END_USED: "linkUsed",
  PASSWORD_LINK_END_WITHDRAWN: "linkWithdrawn",
  UNRECOGNIZED: "serverError",
};

const wrongLink = (
  reason: ErrorPageValues["reason"],
  { requestId }: Pick<EdgeRequest, "requestId">,
  tools: PageTools,
) => withoutReferrer(errorPageReply(400, { reason, requestId }, tools));

const actionOf = (token: string, tools: PageTools): string =>
  inLanguage(`/auth/set-password?token=${encodeURIComponent(token)}`, tools);

/** GET /auth/set-password (R-S19). */
export const showSetPasswordOperation = (
  passwords: Passwords,
  tools: SetPasswordTools,
): Operation<operations["showSetPassword"]> => ({
  async handle(request) {
    const { query } = request;
    try {
      const { answer } = await passwords.showSetPassword({ token: query.token }, edgeCall(request));
      if (answer?.$case !== "page") return wrongLink(ENDS[answer?.value ?? "UNRECOGNIZED"], request, tools);
      return linkPage(200, setPasswordPage({ ...answer.value, action: actionOf(query.token, tools) }, tools.texts));
    } catch (error) {
      return withoutReferrer(failurePage(error, request, tools));
    }
  },
  invalid: async (request) => refusedByPage("page.malformed", wrongLink("linkUnknown", request, tools)),
});

/** POST /auth/set-password. A refused password is the page again, with status 400. */
export const submitSetPasswordOperation = (
  passwords: Passwords,
  tools: SetPasswordTools,
): Operation<operations["submitSetPassword"]> => ({
  async handle(request) {
    const { query, body } = request;
    const { token } = query;
    if (!mayBeOwnForm(request, tools.issuer))
      return refusedByPage("form.refused", wrongLink("ERROR_PAGE_REASON_FORM_REFUSED", request, tools));
    const { form_token: formToken, password, password_again: passwordAgain } = body;
    try {
      const form = { token, formToken, password, passwordAgain };
      const { answer } = await passwords.submitSetPassword(form, edgeCall(request));
      switch (answer?.$case) {
        case "passwordSet":
          return linkPage(200, passwordSetPage(answer.value, tools.texts));
        case "page":
          return linkPage(400, setPasswordPage({ ...answer.value, action: actionOf(token, tools) }, tools.texts));
        case "formRefused":
          return wrongLink("ERROR_PAGE_REASON_FORM_REFUSED", request, tools);
        default:
          return wrongLink(ENDS[answer?.value ?? "UNRECOGNIZED"], request, tools);
      }
    } catch (error) {
      return withoutReferrer(failurePage(error, request, tools));
    }
  },
  invalid: async (request, parts) => refusedParts(request, parts, tools),
});

/** A link that cannot be read is no link of ours; a form that cannot be read, no form of ours. */
const refusedParts = (request: EdgeRequest, parts: readonly InvalidPart[], tools: PageTools) =>
  parts.some((part) => part.in === "query")
    ? refusedByPage("page.malformed", wrongLink("linkUnknown", request, tools))
    : withoutReferrer(brokenForm(request.requestId, parts, tools));

/**
 * Without Sec-Fetch-Site an origin of `null` may be our own page's, which tells no referrer. Nobody can forge the form who has not the link;
 * and who has it needs no forgery (R-X94).
 */
const mayBeOwnForm = (request: Pick<EdgeRequest, "headers">, issuer: string): boolean =>
  isOwnForm(request, issuer) || (request.headers["sec-fetch-site"] === undefined && request.headers.origin === "null");
