import type { AuditService } from "#generated/proto/gatehouse/audit/v1/audit.ts";
import type { AccountService } from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import type { BrowserService } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { ExpiryService } from "#generated/proto/gatehouse/sign_on/v1/expiry.ts";
import type { InspectionService } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import type { LogoutService } from "#generated/proto/gatehouse/sign_on/v1/logout.ts";
import type { OperatorService as SignOnOperator } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { PasswordsService } from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
import type { PeopleService } from "#generated/proto/gatehouse/sign_on/v1/people.ts";
import type { RefusalsService } from "#generated/proto/gatehouse/sign_on/v1/refusals.ts";
import type { SigningKeysService } from "#generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { StoreService } from "#generated/proto/gatehouse/store/v1/store.ts";
import type { DispatchService } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { EventsService } from "#generated/proto/gatehouse/webhooks/v1/events.ts";
import type { IntegratorService } from "#generated/proto/gatehouse/webhooks/v1/integrator.ts";
import type { OperatorService as WebhooksOperator } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { PublicKeysService, SubscriptionsService } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import type { TestEventsService } from "#generated/proto/gatehouse/webhooks/v1/test_events.ts";
import type { BulkService } from "#generated/proto/gatehouse/workforce/v1/bulk.ts";
import type { CallersService } from "#generated/proto/gatehouse/workforce/v1/callers.ts";
import type { ConnectionsService } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import type { ErasureService } from "#generated/proto/gatehouse/workforce/v1/erasure.ts";
import type { GatewayService } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { OperatorService as WorkforceOperator } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import type { PlatformService } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Peer, ServiceDefinition } from "#runtime/rpc/call.ts";

type NameOf<S extends ServiceDefinition> = S[keyof S]["path"] extends `/${infer Name}/${string}` ? Name : never;

/** Full name of every service that is generated from proto/. */
export type ServiceName =
  | NameOf<typeof AuditService>
  | NameOf<typeof StoreService>
  | NameOf<typeof BrowserService>
  | NameOf<typeof AccountService>
  | NameOf<typeof LogoutService>
  | NameOf<typeof TokensService>
  | NameOf<typeof ExpiryService>
  | NameOf<typeof SignOnOperator>
  | NameOf<typeof SigningKeysService>
  | NameOf<typeof PasswordsService>
  | NameOf<typeof PeopleService>
  | NameOf<typeof InspectionService>
  | NameOf<typeof RefusalsService>
  | NameOf<typeof GatewayService>
  | NameOf<typeof SignInService>
  | NameOf<typeof ConnectionsService>
  | NameOf<typeof CallersService>
  | NameOf<typeof PlatformService>
  | NameOf<typeof BulkService>
  | NameOf<typeof ErasureService>
  | NameOf<typeof WorkforceOperator>
  | NameOf<typeof DispatchService>
  | NameOf<typeof WebhooksOperator>
  | NameOf<typeof IntegratorService>
  | NameOf<typeof EventsService>
  | NameOf<typeof SubscriptionsService>
  | NameOf<typeof PublicKeysService>
  | NameOf<typeof TestEventsService>;

/** Which peer may call which service (R-D4): a total table; a service without a row does not compile. */
export const access: Readonly<Record<ServiceName, readonly Peer[]>> = {
  "gatehouse.audit.v1.Audit": ["operator"],
  "gatehouse.store.v1.Store": ["operator"],
  "gatehouse.sign_on.v1.Browser": ["edge"],
  "gatehouse.sign_on.v1.Account": ["edge"],
  "gatehouse.sign_on.v1.Logout": ["edge"],
  "gatehouse.sign_on.v1.Tokens": ["edge"],
  "gatehouse.sign_on.v1.Expiry": ["worker"],
  "gatehouse.sign_on.v1.Operator": ["operator"],
  "gatehouse.sign_on.v1.SigningKeys": ["operator"],
  "gatehouse.sign_on.v1.Passwords": ["edge"],
  "gatehouse.sign_on.v1.People": ["operator", "platform"],
  "gatehouse.sign_on.v1.Inspection": ["operator"],
  "gatehouse.sign_on.v1.Refusals": ["edge"],
  "gatehouse.workforce.v1.Gateway": ["edge"],
  "gatehouse.workforce.v1.SignIn": ["services"],
  "gatehouse.workforce.v1.Connections": ["services"],
  "gatehouse.workforce.v1.Callers": ["services"],
  "gatehouse.workforce.v1.Platform": ["platform"],
  "gatehouse.workforce.v1.Bulk": ["platform"],
  "gatehouse.workforce.v1.Erasure": ["platform"],
  "gatehouse.workforce.v1.Operator": ["operator"],
  "gatehouse.webhooks.v1.Dispatch": ["worker"],
  "gatehouse.webhooks.v1.Operator": ["operator"],
  "gatehouse.webhooks.v1.Integrator": ["edge"],
  "gatehouse.webhooks.v1.Events": ["operator"],
  "gatehouse.webhooks.v1.Subscriptions": ["operator"],
  "gatehouse.webhooks.v1.PublicKeys": ["edge"],
  "gatehouse.webhooks.v1.TestEvents": ["operator"],
};
