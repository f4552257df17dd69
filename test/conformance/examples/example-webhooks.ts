import { join } from "node:path";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { masterKeyFile } from "../../../src/runtime/sealing/master-key.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { type Attempt, attemptsToText } from "../../../src/webhooks/deliveries/attempt.ts";
import { signingSecretRow } from "../../../src/webhooks/secrets/signing-secret.ts";
import type { Row, Rows } from "./example-names.ts";

const SUBSCRIPTION = "subscription_4KsWx7BtQm2ZpN9VcR6Hd";
const ENDPOINT = "https://payroll.example/webhooks";
/** Its recovery is unfinished, so that the examples' own subscription can have one started. */
const OTHER_SUBSCRIPTION = "subscription_1PsWx7BtQm2ZpN9VcR6Hd";
const MINUTE_MS = 60_000;
const SEQUENCE = 1;

/** Deliveries that the product makes itself get higher numbers than the one that is planted. */
export const webhooksNumbers: Rows = [["sqlite_sequence", { name: "webhooks_queue", seq: 100 }]];

const BODY = {
  id: "event_8WcHn3GvKp6YtJ1XsB4Zq",
  type: "user.updated",
  specVersion: 1,
  dataVersion: 1,
  occurredAt: "2026-06-30T08:17:03.006Z",
};

/** A subscription with two secrets, a delivery that was given up an hour ago, and recoveries; bodies of now are kept. */
export function webhooksRows(dataDirectory: string, now: number): Rows {
  const keys = masterKeyFile(join(dataDirectory, "master.key"), systemRandom, { mayMake: false });
  const sealer = createSealer(keys, systemRandom);
  const earlier = now - 60 * MINUTE_MS;
  const secret = (number: number, expiresAt: number | null): Row => ({
    subscription_id: SUBSCRIPTION,
    number,
    sealed: sealer.seal(Buffer.alloc(32, number), signingSecretRow(SUBSCRIPTION, number)),
    created_at: earlier,
    expires_at: expiresAt,
  });
  const keyPair: Row = {
    ...secret(3, null),
    kind: "asymmetric",
    public_key: `whpk_${Buffer.alloc(32, 9).toString("base64")}`,
  };
  const attempt: Attempt = {
    ...{ round: 1, number: 1, startedAt: new Date(earlier), finishedAt: new Date(earlier + 141), outcome: "refused" },
    ...{ httpStatus: 503, durationMs: 141, retryAfter: undefined, endpointUrl: ENDPOINT },
    responseExcerpt: Buffer.from("Maintenance"),
  };
  return [
    ["webhooks_subscriptions", subscription(SUBSCRIPTION, earlier), subscription(OTHER_SUBSCRIPTION, earlier + 1)],
    ["webhooks_signing_secrets", secret(1, now + 60 * MINUTE_MS), secret(2, null), keyPair],
    [
      "webhooks_settled",
      {
        ...{ sequence: SEQUENCE, id: "delivery_8RkTw3YbLm6XqP1ZsN5Vc", event_id: BODY.id, event_type: BODY.type },
        ...{ occurred_at: earlier, subscription_id: SUBSCRIPTION, tenant_id: "client_3HsYp8QdWm5KzR1XbN7Vt" },
        ...{ endpoint_origin: "https://payroll.example", round: 1, attempts: 1, delays: "[]", created_at: earlier },
        ...{ fence: 1, made: attemptsToText([attempt]), state: "exhausted", reason: null, settled_at: earlier + 141 },
      },
    ],
    ["webhooks_delivery_bodies", { sequence: SEQUENCE, created_at: earlier, body: Buffer.from(JSON.stringify(BODY)) }],
    ["webhooks_recoveries", recovery("recovery_6ZtHn4KbWq9XmS2LcV7Rp", OTHER_SUBSCRIPTION, earlier)],
    ["webhooks_queue"],
    ["webhooks_recovery_deliveries"],
  ];
}

const subscription = (id: string, createdAt: number): Row => ({
  ...{ id, label: id.slice(-21).toLowerCase(), instance_integration_id: "installation_7Kq2mZx9Lw4TnB6RcV8Yd" },
  ...{ instance_id: "instance_5TfWj2RkYx8MbQ1ZnC6Lp", integration_id: "integration_4WcZt8NbRk2YxL6VqJ9Pm" },
  ...{ endpoint_url: ENDPOINT, event_types: '["user.*","worker.*"]', tenant_ids: "[]", state: "active" },
  ...{ state_reason: null, created_at: createdAt, events_after: 0, description: "Payroll runs", secrets_made: 3 },
});

const recovery = (id: string, subscriptionId: string, at: number): Row => ({
  ...{ id, subscription_id: subscriptionId, subscription_label: "payroll" },
  ...{ integration_id: "integration_4WcZt8NbRk2YxL6VqJ9Pm", reason: "integration", from_at: at - MINUTE_MS, to_at: at },
  ...{ states: '["exhausted","skipped"]', event_types: "[]", tenant_ids: "[]", created_at: at, counted_to: 0 },
  ...{ is_counted: 1, sent_to: 0, is_all_found: 1, matched: 1, sent: 1, acknowledged: 1, failed: 0, body_removed: 0 },
  ...{ failed_in_row: 0, driven_until: 0, state: "paused", ended_at: null },
});
