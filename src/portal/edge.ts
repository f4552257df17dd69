import contract from "#generated/contracts/portal.json" with { type: "json" };
import type { operations } from "#generated/types/portal.ts";
import { type Area, area } from "#runtime/http/operation.ts";
import { getAssetOperation } from "./assets/asset-handler.ts";
import { getContractOperation } from "./contracts/contract-handler.ts";
import { showDocumentationIndexOperation, showDocumentationOperation } from "./documentation/documentation-handler.ts";
import type { FrontPageValues } from "./front-page/front-page.ts";
import { showFrontPageOperation } from "./front-page/front-page-handler.ts";
import { showGuideOperation } from "./guides/guide-handler.ts";
import { showProblemOperation } from "./problems/problem-handler.ts";
import { getSdkOperation } from "./sdks/sdk-handler.ts";
import { searchDocumentationOperation } from "./search/search-handler.ts";
import { unrouted } from "./unrouted/unrouted-reply.ts";

export type PortalEdgeDeps = Omit<FrontPageValues, "contracts" | "guides">;

/** The operations of openapi/portal.yaml; answers for every path that no other area owns. */
export const portalEdge = (values: PortalEdgeDeps): Area =>
  area<operations>({
    name: "portal",
    contract,
    owns: () => true,
    unrouted: (status, code, requestId, asked) =>
      unrouted({ status, code, requestId, asked, gatewayUrl: values.gatewayUrl }),
    operations: {
      showFrontPage: showFrontPageOperation(values),
      getContract: getContractOperation(values),
      showDocumentationIndex: showDocumentationIndexOperation(values.gatewayUrl),
      showDocumentation: showDocumentationOperation(values),
      showGuide: showGuideOperation(values),
      searchDocumentation: searchDocumentationOperation(values.gatewayUrl),
      showProblem: showProblemOperation(values.gatewayUrl),
      getSdk: getSdkOperation(values.gatewayUrl),
      getAsset: getAssetOperation(values.gatewayUrl),
    },
  });
