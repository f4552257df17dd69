import {
  EventsService,
  type FeedEvent,
  type FeedPage,
  type ReadFeedRequest,
} from "../../../generated/proto/gatehouse/webhooks/v1/events.ts";
import { inProcessCarrier } from "../../../src/runtime/rpc/in-process.ts";
import { quietBoundary } from "../../support/carriers.ts";
import { patiently } from "../../support/patient-calls.ts";
import { userUpdated, type WebhooksKit } from "../webhooks-kit.ts";

/** The gRPC service as operators call it. */
export const eventsOf = ({ registrations }: Pick<WebhooksKit, "registrations">) =>
  patiently(
    inProcessCarrier({ peer: "operator", registrations, interceptors: quietBoundary(), hand: "frozen" }).connect(
      EventsService,
    ),
  );

export async function readFeed(
  kit: WebhooksKit,
  subscriptionId: string,
  request: Partial<ReadFeedRequest> = {},
  signal = new AbortController().signal,
): Promise<FeedPage> {
  const asked = { subscriptionId, limit: 0, waitMs: 0, ...request };
  const { page } = await eventsOf(kit).readFeed(asked, { deadlineMs: 40_000, signal });
  return page as FeedPage;
}

/** Every event from the beginning on, in pages of a size. */
export async function readAll(kit: WebhooksKit, subscriptionId: string, limit: number): Promise<readonly FeedEvent[]> {
  const all: FeedEvent[] = [];
  for (let after: string | null = null; ; ) {
    const page: FeedPage = await readFeed(kit, subscriptionId, { after, limit });
    all.push(...page.events);
    after = page.next;
    if (!page.hasMore) return all;
  }
}

export async function emitted(kit: WebhooksKit, count: number): Promise<void> {
  await kit.emit(...Array.from({ length: count }, () => userUpdated()));
  await kit.relay();
}

export const idsOf = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id);
