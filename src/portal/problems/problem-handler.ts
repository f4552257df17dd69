import { PROBLEMS, type ProblemCode } from "#generated/problems.ts";
import { SIGN_ON_ERRORS, type SignOnErrorCode } from "#generated/sign-on-errors.ts";
import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import type { Servers } from "../contracts/published-contracts.ts";
import { getGuidePlace } from "../guides/published-guides.ts";
import { packedText } from "../packed-text.ts";
import { problem } from "../problem-reply.ts";
import { notFound, refused } from "../unknown-address/not-found-reply.ts";
import { problemListPage } from "./problem-list-page.ts";
import { problemPage } from "./problem-page.ts";
import { signOnErrorPage, signOnErrorPageName } from "./sign-on-error-page.ts";

const SAMPLE_REQUEST_ID = "req_4tGJ9sWmQ2xZbL7NcR5Kd";

/** GET /problems/{problem}: where a problem's `type` and sign-on's `error_uri` lead. Every page is rendered once, at start. */
export function showProblemOperation({ gatewayUrl, issuer }: Servers): Operation<operations["showProblem"]> {
  const pages = new Map([
    ...(Object.keys(PROBLEMS) as ProblemCode[]).map(
      (code) => [code.replaceAll("_", "-"), render(code, gatewayUrl)] as const,
    ),
    ...(Object.keys(SIGN_ON_ERRORS) as SignOnErrorCode[]).map(
      (code) => [signOnErrorPageName(code), signOnErrorPage(code, issuer, SAMPLE_REQUEST_ID)] as const,
    ),
  ]);
  const packed = packedText();
  const common = pageHeaders({ cacheControl: "public, max-age=300" });
  return {
    async handle(request) {
      const { params, headers } = request;
      const page = pages.get(params.problem);
      if (page === undefined) return notFound(gatewayUrl, request);
      const sent = await packed(page, headers["accept-encoding"]);
      return { status: 200, type: "text/html", headers: { ...common, ...sent.headers }, body: sent.body };
    },
    invalid: async (request, parts) => refused(gatewayUrl, request, parts),
  };
}

/** GET /problems: every kind of problem. */
export function listProblemsOperation(gatewayUrl: string): Operation<operations["listProblems"]> {
  const page = problemListPage();
  const packed = packedText();
  const common = pageHeaders({ cacheControl: "public, max-age=300" });
  return {
    async handle({ headers }) {
      const sent = await packed(page, headers["accept-encoding"]);
      return { status: 200, type: "text/html", headers: { ...common, ...sent.headers }, body: sent.body };
    },
    invalid: async (request, parts) => refused(gatewayUrl, request, parts),
  };
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
  invalid_request: { errors: [{ in: "query", name: "limit", detail: "must be <= 1000" }] },
};
