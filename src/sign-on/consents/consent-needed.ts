import { type Application, isPublic } from "../applications/application.ts";
import { covers } from "../claims/scopes.ts";

/** True when the person must be asked before the application learns anything (R-S18). */
export function isConsentNeeded(
  application: Application,
  request: { readonly redirectUri: string; readonly scopes: readonly string[]; readonly prompts: readonly string[] },
  approvedBefore: readonly string[],
): boolean {
  if (request.prompts.includes("consent")) return true;
  // Another program on the device could claim such an address, so a public application needs consent each time.
  if (isPublic(application) && !request.redirectUri.startsWith("https://")) return true;
  if (application.consentPolicy === "always") return true;
  return application.consentPolicy === "once" && !covers(approvedBefore, request.scopes);
}
