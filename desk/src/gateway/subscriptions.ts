import { CommandError } from "../command-error.ts";
import { oneLine } from "../post.ts";
import { askPatiently, foreignError, type Gateway, membersOf } from "./gateway.ts";

/** A subscription of the key's integration. */
export interface Subscription {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
}

interface SubscriptionPage {
  readonly data: readonly Subscription[];
  readonly next?: string;
}

const NAMED_MAX = 10;

/** An id becomes a part of addresses and of a file's name. */
const ID = /^subscription_[A-Za-z0-9]+$/;

function isSubscription(one: unknown): boolean {
  const { id, label } = membersOf(one);
  return typeof id === "string" && ID.test(id) && typeof label === "string";
}

function isPage(body: unknown): boolean {
  const { data, next } = membersOf(body);
  return Array.isArray(data) && data.every(isSubscription) && ["string", "undefined"].includes(typeof next);
}

async function listSubscriptions(gateway: Gateway): Promise<readonly Subscription[]> {
  const found: Subscription[] = [];
  let cursor: string | undefined;
  let seen: string | undefined;
  let pages = 0;
  let nextNoted = 1;
  do {
    const path = "/v1/webhooks/subscriptions";
    const request = { path, query: { cursor, limit: "100" }, isExpected: isPage };
    const page = (await askPatiently(gateway, request)) as SubscriptionPage;
    found.push(...page.data.map(({ id, label, description = "" }) => ({ id, label, description })));
    // Pages that go round in a circle have no end. The cursor of one of them finds the circle: that of page 1, 2, 4, …
    if (page.next !== undefined && page.next === seen) throw foreignError(gateway);
    if (++pages === nextNoted) [seen, nextNoted] = [page.next, nextNoted * 2];
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}

/**
 * The subscriptions that are named by id or label, or the only one.
 * @throws CommandError that lists the existing ones.
 */
export async function chooseSubscriptions(
  gateway: Gateway,
  names: readonly string[] | undefined,
): Promise<readonly [Subscription, ...Subscription[]]> {
  const all = await listSubscriptions(gateway);
  const chosen = names === undefined ? all : names.map((name) => byName(all, name));
  const [first, ...others] = [...new Set(chosen)];
  if (first === undefined) {
    throw new CommandError("There is no subscription yet.", { fix: "Make one: POST /v1/webhooks/subscriptions" });
  }
  if (names === undefined && others.length > 0) {
    throw new CommandError(`There are ${all.length} subscriptions.`, {
      fix: `Choose with --subscription: ${labels(all)}`,
    });
  }
  return [first, ...others];
}

function byName(all: readonly Subscription[], name: string): Subscription {
  const found = all.find(({ id, label }) => id === name || label === name);
  if (found !== undefined) return found;
  const fix = all.length === 0 ? "There is none yet." : `There are: ${labels(all)}`;
  throw new CommandError(`There is no subscription ${oneLine(name)}.`, { fix });
}

const named = ({ label, description = "" }: Subscription): string =>
  description === "" ? oneLine(label) : `${oneLine(label)} (${oneLine(description)})`;

const labels = (all: readonly Subscription[]): string =>
  [...all.slice(0, NAMED_MAX).map(named), ...(all.length > NAMED_MAX ? ["…"] : [])].join(", ");
