import type { PasswordLinkEnd, PasswordsService } from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { AnyReply, BrokenRequest, EdgeRequest, InvalidPart, Operation } from "#runtime/http/operation.ts";
import { pageHeaders, scriptAddress } from "#runtime/pages/page-headers.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { ACCOUNT, SIGN_IN_TO_ANOTHER_ACCOUNT } from "../../browser/account-response.ts";
import { deviceCookie, sessionSecretOf, settingCookies } from "../../browser/cookies.ts";
import { type ErrorPageValues, PAGES_OF } from "../../browser/error-page.ts";
import { inLanguage } from "../../browser/page-language.ts";
import {
  errorPageReply,
  isOwnForm,
  type PageTools,
  showOperation,
  submitOperation,
} from "../../browser/page-operation.ts";
import { pageRefusal } from "../../refusals/refused.ts";
import { passwordSetPage, setPasswordPage } from "./set-password-page.ts";

type Passwords = PromiseClient<typeof PasswordsService>;

const linkPage = <S extends 200 | 400>(status: S, body: string, { issuer }: PageTools) =>
  ({ status, type: "text/html", headers: pageHeaders({ script: scriptAddress(issuer) }), body }) as const;

const ENDS: Readonly<Record<PasswordLinkEnd, ErrorPageValues["reason"]>> = {
  PASSWORD_LINK_END_UNSPECIFIED: "serverError",
  PASSWORD_LINK_END_UNKNOWN: PAGES_OF["link.unknown"][0],
  PASSWORD_LINK_END_EXPIRED: PAGES_OF["link.expired"][0],
  PASSWORD_LINK_END_USED: PAGES_OF["link.used"][0],
  PASSWORD_LINK_END_WITHDRAWN: PAGES_OF["link.withdrawn"][0],
  UNRECOGNIZED: "serverError",
};

const wrongLink = (reason: ErrorPageValues["reason"], { requestId }: EdgeRequest, tools: PageTools) =>
  errorPageReply(400, { reason, requestId, ...(reason === "linkUsed" && toAccount(tools)) }, tools);

/**
 * Where a person signs in with the password that was set: perhaps just now, by a form that was sent twice. Whoever is
 * signed in here may be another person, whose account is not shown (R-X205).
 */
const toAccount = (tools: PageTools) => ({
  retryUrl: inLanguage(SIGN_IN_TO_ANOTHER_ACCOUNT, tools),
  retryLabel: tools.texts.signedOut.account,
});

const actionOf = (token: string, tools: PageTools): string =>
  inLanguage(`/auth/set-password?token=${encodeURIComponent(token)}`, tools);

/** The page's address contains the token, so even requests to us omit the referrer (S9). */
const NO_REFERRER = { "referrer-policy": "no-referrer" } as const;

/** True for a link whose address cannot be read; nothing is said of it where there was no form at all. */
const isOfLink = (parts: readonly InvalidPart[]): boolean =>
  parts[0]?.in !== "header" && parts.some((part) => part.in === "query");

/** An operation of a link: its pages send no referrer, and a link that cannot be read is refused as an unknown one. */
const linkOperation = <Request, Answer extends AnyReply>(operation: {
  handle(request: Request): Promise<Answer>;
  invalid(request: BrokenRequest, parts: readonly InvalidPart[]): Promise<AnyReply>;
}) => {
  const withPolicy = <R extends AnyReply>(reply: R) => ({ ...reply, headers: { ...reply.headers, ...NO_REFERRER } });
  return {
    handle: async (request: Request) => withPolicy(await operation.handle(request)),
    async invalid(request: BrokenRequest, parts: readonly InvalidPart[]) {
      const reply = withPolicy(await operation.invalid(request, parts));
      return isOfLink(parts) ? { ...reply, refused: pageRefusal("link.unknown") } : reply;
    },
  };
};

/** GET /auth/set-password (R-S19). */
export const showSetPasswordOperation = (
  passwords: Passwords,
  tools: PageTools,
): Operation<operations["showSetPassword"]> =>
  linkOperation(
    showOperation(tools, {
      async show(request, call) {
        const { token } = request.query;
        const { answer } = await passwords.showSetPassword({ token }, call);
        return answer?.$case === "page"
          ? linkPage(200, setPasswordPage({ ...answer.value, action: actionOf(token, tools) }, tools.texts), tools)
          : wrongLink(ENDS[answer?.value ?? "UNRECOGNIZED"], request, tools);
      },
      unreadable: (request) => wrongLink("linkUnknown", request, tools),
    }),
  );

/** POST /auth/set-password. A refused password is the page again, with status 400. */
export const submitSetPasswordOperation = (
  passwords: Passwords,
  tools: PageTools,
): Operation<operations["submitSetPassword"]> =>
  linkOperation(
    submitOperation(tools, {
      isAllowed: (request) => mayBeOwnForm(request, tools.issuer),
      async submit(request, call) {
        const { query, body } = request;
        const { form_token: formToken, password, password_again: passwordAgain } = body;
        const sessionSecret = sessionSecretOf(request, tools);
        const { answer } = await passwords.submitSetPassword(
          { token: query.token, formToken, password, passwordAgain, sessionSecret },
          call,
        );
        switch (answer?.$case) {
          case "passwordSet": {
            const { email, deviceProof } = answer.value;
            const markup = passwordSetPage({ email, account: inLanguage(ACCOUNT, tools) }, tools.texts);
            // Whose session it was, it has ended.
            const ended = sessionSecret === null ? [] : [{ name: tools.cookies.session, value: undefined }];
            const setCookie = [...ended, ...deviceCookie(deviceProof ?? undefined, tools.cookies)].map(
              tools.cookies.write,
            );
            const { headers, ...reply } = linkPage(200, markup, tools);
            return { ...reply, headers: { ...headers, ...settingCookies(setCookie) } };
          }
          case "page": {
            const values = { ...answer.value, action: actionOf(query.token, tools) };
            return linkPage(400, setPasswordPage(values, tools.texts), tools);
          }
          case "formRefused":
            return wrongLink("linkForm", request, tools);
          default:
            return wrongLink(ENDS[answer?.value ?? "UNRECOGNIZED"], request, tools);
        }
      },
      refused: (request) => wrongLink("linkForm", request, tools),
      // An unreadable link counts as unknown; an unreadable form counts as forbidden.
      unreadable: (request, parts) => wrongLink(isOfLink(parts) ? "linkUnknown" : "linkForm", request, tools),
    }),
  );

/**
 * Without Sec-Fetch-Site an origin of `null` may be our own page's, since it sends no referrer. Forging the form
 * requires the link, and with the link no forgery is needed (R-X94).
 */
const mayBeOwnForm = (request: Pick<EdgeRequest, "headers">, issuer: string): boolean =>
  isOwnForm(request, issuer) || (request.headers["sec-fetch-site"] === undefined && request.headers.origin === "null");
