import { PROBLEMS, type ProblemCode } from "#generated/problems.ts";
import { SIGN_ON_ERRORS, type SignOnErrorCode } from "#generated/sign-on-errors.ts";
import type { Servers } from "../contracts/published-contracts.ts";
import { getGuidePlace } from "../guides/published-guides.ts";
import { pageReplies, portalOperation } from "../portal-operation.ts";
import { problem } from "../problem-reply.ts";
import { notFound } from "../unknown-address/not-found-reply.ts";
import { problemListPage } from "./problem-list-page.ts";
import { problemPage } from "./problem-page.ts";
import { signOnErrorPage, signOnErrorPageName } from "./sign-on-error-page.ts";

const SAMPLE_REQUEST_ID = "req_4tGJ9sWmQ2xZbL7NcR5Kd";

/** GET /problems/{problem}: where a problem's `type` and sign-on's `error_uri` lead. Every page is rendered once, at start. */
export function showProblemOperation({ gatewayUrl, issuer }: Servers) {
  const pages = new Map([
    ...(Object.keys(PROBLEMS) as ProblemCode[]).map(
      (code) => [code.replaceAll("_", "-"), render(code, gatewayUrl)] as const,
    ),
    ...(Object.keys(SIGN_ON_ERRORS) as SignOnErrorCode[]).map(
      (code) => [signOnErrorPageName(code), signOnErrorPage(code, issuer, SAMPLE_REQUEST_ID)] as const,
    ),
  ]);
  const reply = pageReplies("public, max-age=300");
  return portalOperation<"showProblem">(gatewayUrl, async (request) => {
    const name = request.params.problem;
    const page = pages.get(name);
    return page === undefined ? notFound(gatewayUrl, request) : reply(name, () => page, request);
  });
}

/** GET /problems: every kind of problem. */
export function listProblemsOperation(gatewayUrl: string) {
  const page = problemListPage();
  const reply = pageReplies("public, max-age=300");
  return portalOperation<"listProblems">(gatewayUrl, (request) => reply("", () => page, request));
}

const render = (code: ProblemCode, gatewayUrl: string): string =>
  problemPage({
    code,
    ...PROBLEMS[code],
    sample: { ...problem(code, gatewayUrl, SAMPLE_REQUEST_ID), ...MORE[code] },
    place: getGuidePlace(PROBLEMS[code].guide),
  });

/** Additional members of some problem types. */
const MORE: Readonly<Partial<Record<ProblemCode, object>>> = {
  cursor_expired: { keptFrom: "Hp3Jf0GaYk5VwZb2Nc7Lm4Qs9Xt1Rd6" },
  invalid_request: { errors: [{ in: "query", name: "limit", detail: "must be 1000 or less" }] },
};
