import type { Recovery } from "../../../generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { eventually } from "../../support/eventually.ts";
import { openProcesses, type ProcessGatehouse } from "../../support/processes.ts";
import type { Closer } from "../../support/scope.ts";
import type { ReceiverAnswer, WebhookReceiver } from "../../support/webhook-receiver.ts";
import { makeWorld, present, type World } from "../../support/world.ts";
import { subscribeToLocations } from "./location-subscriber.ts";
import { inShort } from "./recovery-kit.ts";

/** Two attempts, the second after a wait that a timer of Temporal can wait for. */
const QUICK = {
  "webhook-attempt-delays": "1s",
  "webhook-jitter": "0",
  // A healthy receiver on a busy machine is in time.
  "webhook-timeout-ms": "5000",
  "webhook-lease-ms": "10000",
  "log-level": "error",
};
const PATIENCE_MS = 60_000;

/** A receiver that was down: so many deliveries to it are exhausted. */
export interface Outage {
  readonly receiver: WebhookReceiver;
  readonly subscriptionId: string;
  /** The webhook-ids of what is exhausted. */
  readonly events: readonly string[];
  /** From now on it answers so; 204 unless given. */
  mend(answer?: ReceiverAnswer): void;
  /** Starts a recovery of everything; returns its id. */
  recover(): Promise<string>;
}

/** The product as processes of its own. */
export interface OutageKit {
  readonly gatehouse: ProcessGatehouse;
  readonly world: World;
  outage(label: string, count: number): Promise<Outage>;
  /** A recovery in few words, once it satisfies. */
  recovery(
    id: string,
    satisfies: (recovery: ReturnType<typeof inShort>) => boolean,
  ): Promise<ReturnType<typeof inShort>>;
}

export async function openOutageKit(
  closeLater: (closer: Closer) => void,
  { flags, separate = true }: { readonly flags: Readonly<Record<string, string>>; readonly separate?: boolean },
): Promise<OutageKit> {
  const gatehouse = await openProcesses(closeLater, { separate, flags: { ...QUICK, ...flags } });
  const { webhooks } = gatehouse;
  const world = await makeWorld(gatehouse);
  const get = async (recoveryId: string): Promise<Recovery> =>
    present((await webhooks.getRecovery({ recoveryId })).recovery);
  return {
    gatehouse,
    world,
    async outage(label, count) {
      let answer: ReceiverAnswer = { status: 503 };
      const subscriber = await subscribeToLocations(closeLater, { gatehouse, world, label, answer: () => answer });
      const { receiver, subscriptionId } = subscriber;
      const since = new Date();
      for (let index = 0; index < count; index++) await subscriber.createLocation(`Quay ${index}`);
      const exhausted = async () =>
        (
          await webhooks.listDeliveries({ subscriptionId, states: ["DELIVERY_STATE_EXHAUSTED"], limit: 500 })
        ).deliveries.map(({ eventId }) => eventId);
      const events = await eventually(exhausted, ({ length }) => length === count, PATIENCE_MS);
      return {
        ...{ receiver, subscriptionId, events },
        mend(given = { status: 204 }) {
          answer = given;
        },
        async recover() {
          const from = new Date(since.getTime() - 60_000);
          const { recovery } = await webhooks.startRecovery({
            ...{ subscriptionId, from, states: [], eventTypes: [], tenantIds: [] },
          });
          return present(recovery).id;
        },
      };
    },
    recovery: (id, satisfies) => eventually(async () => inShort(await get(id)), satisfies, PATIENCE_MS),
  };
}

/** How often each webhook-id has arrived. */
export const countsOf = ({ receiver, events }: Outage): readonly number[] =>
  events.map((eventId) => receiver.countOf(eventId));
