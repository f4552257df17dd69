import {
  ApplicationKind,
  ConsentPolicy,
  type CreateApplicationRequest,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { CreateSubscriptionRequest } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { IssueApiKeyRequest } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import { toKeyScopes } from "../integrations/key-scopes.ts";
import type { Wanted, WantedApplication, WantedSubscription } from "./wanted.ts";

/** The API key of an onboarding. Who gets events manages the subscription with the same key. */
export const apiKeyRequest = (
  { keyLabel: label, keyScopes, subscription }: Wanted,
  integrationId: string,
): IssueApiKeyRequest => ({
  integrationId,
  label,
  expiresAt: null,
  rateLimit: null,
  scopes: toKeyScopes(keyScopes ?? (subscription === undefined ? ["read"] : ["read", "webhooks"])),
});

/** Its application, with what the guides begin with. */
export const applicationRequest = (
  { name, instance }: Wanted,
  { kind, redirectUris }: WantedApplication,
): CreateApplicationRequest => ({
  name,
  kind: valueOfLower(ApplicationKind, kind),
  redirectUris: redirectUris.map((uri) => ({ uri, instanceId: instance.id })),
  scopes: ["openid", "profile", "email"],
  pkceRequired: false,
  consent: ConsentPolicy.ONCE,
  lifetimes: null,
  grantTypes: [],
  refreshRepeatSeconds: null,
  corsOrigins: [],
  postLogoutRedirectUris: [],
});

/** Its subscription. */
export const subscriptionRequest = (
  { label, endpointUrl, eventTypes }: WantedSubscription,
  instanceIntegrationId: string,
): CreateSubscriptionRequest => ({
  label,
  instanceIntegrationId,
  endpointUrl,
  eventTypes: [...eventTypes],
  tenantIds: [],
});
