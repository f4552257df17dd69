import contract from "#generated/contracts/portal.json" with { type: "json" };
import type { operations } from "#generated/types/portal.ts";
import { type Area, area } from "#runtime/http/operation.ts";
import { mayGetPage } from "#runtime/http/preferred-form.ts";
import { unroutedDetail } from "#runtime/http/unrouted.ts";
import { getAssetOperation } from "./assets/asset-handler.ts";
import { ANY_ORIGIN, getContractOperation } from "./contracts/contract-handler.ts";
import { showDocumentationIndexOperation, showDocumentationOperation } from "./documentation/documentation-handler.ts";
import type { FrontPageValues } from "./front-page/front-page.ts";
import { showFrontPageOperation } from "./front-page/front-page-handler.ts";
import { showGuideOperation } from "./guides/guide-handler.ts";
import { getGuidePlace } from "./guides/published-guides.ts";
import { getOverviewOperation } from "./overview/overview-handler.ts";
import { leadOperation } from "./portal-operation.ts";
import { problem } from "./problem-reply.ts";
import { listProblemsOperation, showProblemOperation } from "./problems/problem-handler.ts";
import { getSdkOperation } from "./sdks/sdk-handler.ts";
import { searchDocumentationOperation } from "./search/search-handler.ts";
import { getToolOperation } from "./tools/tool-handler.ts";
import { nothingHere, unreadAddress } from "./unknown-address/not-found-reply.ts";

type PortalEdgeDeps = Omit<FrontPageValues, "contracts" | "guides">;

/** The operations of openapi/portal.yaml; answers for every path that no other area owns. */
export const portalEdge = (values: PortalEdgeDeps): Area =>
  area<operations>({
    name: "portal",
    contract,
    owns: () => true,
    allowedOrigin: async () => ANY_ORIGIN,
    unrouted(status, code, requestId, asked) {
      const detail = unroutedDetail(code, asked);
      if (mayGetPage(code, asked)) {
        const answer = asked.isPathUnread ? unreadAddress : nothingHere;
        return answer({ requestId, accept: asked.accept, detail }, values.gatewayUrl);
      }
      const body = problem(code, values.gatewayUrl, requestId, detail);
      return { status, type: "application/problem+json", headers: { "cache-control": "no-store" }, body };
    },
    operations: {
      showFrontPage: showFrontPageOperation(values),
      getOverview: getOverviewOperation(values),
      findContracts: leadOperation("/docs#contracts", values.gatewayUrl),
      getContract: getContractOperation(values),
      showDocumentationIndex: showDocumentationIndexOperation(values.gatewayUrl),
      showDocumentation: showDocumentationOperation(values),
      findGuides: leadOperation("/docs#guides", values.gatewayUrl),
      showGuide: showGuideOperation(values),
      searchDocumentation: searchDocumentationOperation(values.gatewayUrl),
      listProblems: listProblemsOperation(values.gatewayUrl),
      showProblem: showProblemOperation(values),
      findSdks: leadOperation(getGuidePlace("read-the-gateway#with-an-sdk").href, values.gatewayUrl),
      getSdk: getSdkOperation(values.gatewayUrl),
      findTools: leadOperation(getGuidePlace("local-development#what-you-need").href, values.gatewayUrl),
      getTool: getToolOperation(values.gatewayUrl),
      getAsset: getAssetOperation(values.gatewayUrl),
    },
  });
