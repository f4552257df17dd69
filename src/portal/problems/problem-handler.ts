import { PROBLEMS, type ProblemCode } from "#generated/problems.ts";
import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import { notFound, problem, refused } from "../problem-reply.ts";
import { problemPage } from "./problem-page.ts";

const SAMPLE_REQUEST_ID = "req_4tGJ9sWmQ2xZbL7NcR5Kd";

/** GET /problems/{problem}: where a problem's `type` leads. Every page is rendered once, at start. */
export function showProblemOperation(gatewayUrl: string): Operation<operations["showProblem"]> {
  const pages = new Map(
    Object.keys(PROBLEMS).map((code) => [code.replaceAll("_", "-"), render(code as ProblemCode, gatewayUrl)]),
  );
  const headers = pageHeaders({ cacheControl: "public, max-age=300" });
  return {
    async handle({ params, requestId }) {
      const body = pages.get(params.problem);
      return body === undefined ? notFound(gatewayUrl, requestId) : { status: 200, type: "text/html", headers, body };
    },
    invalid: async ({ requestId }, parts) => refused(gatewayUrl, requestId, parts),
  };
}

const render = (code: ProblemCode, gatewayUrl: string): string =>
  problemPage({ code, ...PROBLEMS[code], sample: { ...problem(code, gatewayUrl, SAMPLE_REQUEST_ID), ...MORE[code] } });

/** Additional members of some problem types. */
const MORE: Readonly<Partial<Record<ProblemCode, object>>> = {
  invalid_request: { errors: [{ in: "query", name: "limit", detail: "must be <= 1000" }] },
};
