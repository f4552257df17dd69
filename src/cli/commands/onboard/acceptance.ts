import { Failure, type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import type { Asked } from "../../connection/verb.ts";
import type { Existing } from "./existing.ts";
import { apiKeyRequest, applicationRequest, subscriptionRequest } from "./requests.ts";
import type { Wanted } from "./wanted.ts";

/**
 * Has the services check what is to be made of an onboarding, and makes nothing (R-X201). Ids that are not there yet are
 * left out; what exists is not checked.
 * @throws INVALID_ARGUMENT naming every wrong field of all parts at once.
 */
export async function assertAcceptable(
  { workforce, signOn, webhooks, call }: Asked,
  wanted: Wanted,
  existing: Existing,
): Promise<void> {
  const { application, subscription } = wanted;
  const checkOnly = true;
  const violations = [
    ...(existing.apiKey === undefined
      ? await violationsOf(() => workforce.issueApiKey({ ...apiKeyRequest(wanted, ""), checkOnly }, call))
      : []),
    ...(application !== undefined && existing.application === undefined
      ? await violationsOf(() =>
          signOn.createApplication({ ...applicationRequest(wanted, application), checkOnly }, call),
        )
      : []),
    ...(subscription !== undefined && existing.subscription === undefined
      ? await violationsOf(() =>
          webhooks.createSubscription({ ...subscriptionRequest(subscription, ""), checkOnly }, call),
        )
      : []
    ).map(ofSubscription),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
}

/** The key has a label too. */
const ofSubscription = (violation: FieldViolation): FieldViolation =>
  violation.field === "label" ? { ...violation, field: "subscription_label" } : violation;

/** What a check names; a refusal that names no field is thrown. */
async function violationsOf(check: () => Promise<unknown>): Promise<readonly FieldViolation[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof Failure && error.violations.length > 0) return error.violations;
    throw error;
  }
}
