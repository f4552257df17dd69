import { createSecretKey } from "node:crypto";
import type { Change } from "../../../src/runtime/changes/change.ts";
import { type SignDeps, sortByReceiver } from "../../../src/webhooks/queue/claim-service.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { silentLog } from "../../support/silent-log.ts";

const AT = new Date("2026-06-30T08:15:27.412Z");

const signer = {
  subscriptionId: "subscription_1",
  label: "payroll",
  state: "active",
  connection: "configured",
  endpointUrl: "https://new.example/in",
  secrets: [{ number: 1, kind: "shared", sealed: Buffer.alloc(1) }],
  sealedHeaders: Buffer.alloc(1),
  slow: false,
};

const deps = {
  subscriptions: { listSigners: async () => [signer] },
  secrets: {
    keyOf: () => createSecretKey(Buffer.alloc(32)),
    headersOf: () => [{ name: "authorization", value: "for the new endpoint" }],
  },
  log: silentLog,
  metrics: { unopened: () => undefined },
} as unknown as SignDeps;

const delivery = (id: string, endpointUrl?: string) =>
  ({
    ...{ id, subscriptionId: "subscription_1", eventType: "user.updated", made: [] },
    underWay: endpointUrl === undefined ? undefined : { startedAt: AT, endpointUrl },
  }) as unknown as Parameters<typeof sortByReceiver>[2][number];

it("an attempt that was claimed for the former endpoint waits for the next claim: it gets no headers of the new one (R-X272)", async () => {
  const change = { db: undefined, at: AT } as unknown as Change<WebhooksTables>;
  const deliveries = [
    delivery("former", "https://old.example/in"),
    delivery("current", signer.endpointUrl),
    delivery("unclaimed"),
  ];
  const { sendable, unsendable } = await sortByReceiver(deps, change, deliveries);
  expect(sendable.map((one) => one.delivery.id)).toEqual(["current", "unclaimed"]);
  expect(unsendable).toEqual([
    { delivery: expect.objectContaining({ id: "former" }), instead: { state: "pending", dueAt: AT } },
  ]);
});
