import { join } from "node:path";
import { AuditService } from "../../generated/proto/gatehouse/audit/v1/audit.ts";
import { InspectionService } from "../../generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { OperatorService as SignOnOperatorService } from "../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { PeopleService } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { SigningKeysService } from "../../generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { StoreService } from "../../generated/proto/gatehouse/store/v1/store.ts";
import { EventsService } from "../../generated/proto/gatehouse/webhooks/v1/events.ts";
import { OperatorService as WebhooksOperatorService } from "../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { SubscriptionsService } from "../../generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { TestEventsService } from "../../generated/proto/gatehouse/webhooks/v1/test_events.ts";
import { BulkService } from "../../generated/proto/gatehouse/workforce/v1/bulk.ts";
import { ErasureService } from "../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { OperatorService as WorkforceOperatorService } from "../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { PlatformService } from "../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { access } from "../../src/access.ts";
import type { Failure } from "../../src/runtime/basis/errors.ts";
import type { Carrier, MethodDefinition, ServiceDefinition } from "../../src/runtime/rpc/call.ts";
import { serviceOf } from "../../src/runtime/rpc/call.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { openGatehouse } from "../support/gatehouse.ts";
import { withScope } from "../support/scope.ts";
import { eachStore } from "../support/stores.ts";

/** What operators and the platform may call. */
const SERVICES: readonly ServiceDefinition[] = [
  AuditService,
  StoreService,
  SignOnOperatorService,
  PeopleService,
  SigningKeysService,
  InspectionService,
  PlatformService,
  BulkService,
  ErasureService,
  WorkforceOperatorService,
  WebhooksOperatorService,
  EventsService,
  SubscriptionsService,
  TestEventsService,
];
const PEERS = ["operator", "platform"] as const;

/** An empty request of the method with this in each text. */
const requestWith = (text: string, { requestDeserialize }: MethodDefinition) => {
  const entries = Object.entries(requestDeserialize(Buffer.alloc(0)) as object);
  const texts = entries.filter(([, value]) => value === "");
  return {
    texts: texts.length,
    request: Object.fromEntries(entries.map(([name, value]) => [name, value === "" ? text : value])),
  };
};

const METHODS = SERVICES.flatMap((definition) =>
  Object.entries(definition).flatMap(([name, method]) =>
    PEERS.filter((peer) => access[serviceOf(method.path) as keyof typeof access].includes(peer as never)).map(
      (peer) => [`${peer} ${method.path}`, { peer, definition, name, method }] as const,
    ),
  ),
).filter(([, { method }]) => !method.requestStream && requestWith("", method).texts > 0);

eachStore((store, open) => {
  withScope((closeLater) => {
    const carriers = new Map<string, Carrier>();

    beforeAll(async () => {
      const storeUrl = store === "postgres" ? { storeUrl: (await open([])).location } : {};
      const { dataDirectory } = await openGatehouse(closeLater, storeUrl);
      for (const peer of PEERS) {
        const carrier = socketCarrier(join(dataDirectory, "sockets", `${peer}.sock`));
        closeLater(() => carrier.close());
        carriers.set(peer, carrier);
      }
    });

    it.each(METHODS)("a NUL is a mistake of the request: %s (R-X26)", async (_, { peer, definition, name, method }) => {
      const { request } = requestWith("a\0b", method);
      const call = carriers.get(peer)?.connect(definition)[name] as (request: object) => unknown;
      const answered = async () => {
        if (!method.responseStream) return call(request);
        for await (const _ of call(request) as AsyncIterable<unknown>);
        return undefined;
      };
      const failure = await answered().then(
        () => undefined,
        (error: Failure) => error,
      );
      expect([failure?.code, failure?.violations[0]?.reason]).toEqual(["INVALID_ARGUMENT", "must not hold NUL"]);
    });

    it("an instant after the year 9999 is a mistake of the request (R-X26)", async () => {
      const webhooks = carriers.get("operator")?.connect(WebhooksOperatorService);
      const list = (to: Date) => webhooks?.listDeliveries({ states: [], limit: 0, to });
      const last = new Date("9999-12-31T23:59:59.999Z");
      expect(await list(last)).toEqual({ deliveries: [], nextCursor: null });
      for (const later of [new Date(last.getTime() + 1), new Date(8.64e15)])
        await expect(list(later)).rejects.toMatchObject({
          code: "INVALID_ARGUMENT",
          violations: [{ field: "to", reason: "must be an instant that there is" }],
        });
    });
  });
});
