import { join } from "node:path";
import { AuditService } from "#generated/proto/gatehouse/audit/v1/audit.ts";
import { InspectionService } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { OperatorService as SignOnOperatorService } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { PeopleService } from "#generated/proto/gatehouse/sign_on/v1/people.ts";
import { SigningKeysService } from "#generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { StoreService } from "#generated/proto/gatehouse/store/v1/store.ts";
import { EventsService } from "#generated/proto/gatehouse/webhooks/v1/events.ts";
import { OperatorService as WebhooksOperatorService } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { SubscriptionsService } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { TestEventsService } from "#generated/proto/gatehouse/webhooks/v1/test_events.ts";
import { BulkService } from "#generated/proto/gatehouse/workforce/v1/bulk.ts";
import { ErasureService } from "#generated/proto/gatehouse/workforce/v1/erasure.ts";
import { OperatorService as WorkforceOperatorService } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { PlatformService } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { socketCarrier } from "#runtime/rpc/socket-client.ts";

/** Services that the command line may call: the platform's and the operators', each over its own socket (R-D4). */
export interface Connection {
  readonly platform: PromiseClient<typeof PlatformService>;
  readonly bulk: PromiseClient<typeof BulkService>;
  readonly erasure: PromiseClient<typeof ErasureService>;
  readonly workforce: PromiseClient<typeof WorkforceOperatorService>;
  readonly signOn: PromiseClient<typeof SignOnOperatorService>;
  readonly signingKeys: PromiseClient<typeof SigningKeysService>;
  readonly people: PromiseClient<typeof PeopleService>;
  readonly inspection: PromiseClient<typeof InspectionService>;
  readonly audit: PromiseClient<typeof AuditService>;
  readonly store: PromiseClient<typeof StoreService>;
  readonly webhooks: PromiseClient<typeof WebhooksOperatorService>;
  readonly events: PromiseClient<typeof EventsService>;
  readonly subscriptions: PromiseClient<typeof SubscriptionsService>;
  readonly testEvents: PromiseClient<typeof TestEventsService>;
  close(): Promise<void>;
}

/** Connects at the first call. */
export function connectTo(socketDirectory: string): Connection {
  const platform = socketCarrier(join(socketDirectory, "platform.sock"));
  const operator = socketCarrier(join(socketDirectory, "operator.sock"));
  return {
    platform: platform.connect(PlatformService),
    bulk: platform.connect(BulkService),
    erasure: platform.connect(ErasureService),
    workforce: operator.connect(WorkforceOperatorService),
    signOn: operator.connect(SignOnOperatorService),
    signingKeys: operator.connect(SigningKeysService),
    people: operator.connect(PeopleService),
    inspection: operator.connect(InspectionService),
    audit: operator.connect(AuditService),
    store: operator.connect(StoreService),
    webhooks: operator.connect(WebhooksOperatorService),
    events: operator.connect(EventsService),
    subscriptions: operator.connect(SubscriptionsService),
    testEvents: operator.connect(TestEventsService),
    async close() {
      await Promise.all([platform.close(), operator.close()]);
    },
  };
}
