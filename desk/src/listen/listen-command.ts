import { homedir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { CommandError, EXIT, type ExitCode } from "../command-error.ts";
import { readFlags, readNumber, readUrl } from "../flags.ts";
import { GATEWAY_FLAGS, GATEWAY_HELP, gatewayOf } from "../gateway/gateway-flags.ts";
import { chooseSubscriptions, type Subscription } from "../gateway/subscriptions.ts";
import { oneLine, post } from "../post.ts";
import { readSigningSecret } from "../private-input.ts";
import type { ProcessLock } from "../process-lock.ts";
import { type Surroundings, variableOf } from "../terminal.ts";
import { cursorFile, makeStateFolder, type StoredCursor, stateFolder } from "./cursor-file.ts";
import type { FeedEvent } from "./feed.ts";
import { follow } from "./follow.ts";
import { alteredByGateway, alteredBySecret, hostileVariants, type Variant } from "./hostile.ts";
import { lockListener } from "./listener-lock.ts";
import { isAsExpected, noticesOn } from "./notices.ts";

export const LISTEN_HELP = `Forwards real events to a program on your own machine, with the exact bytes and
signature headers that an endpoint would get. They come from the feed of your
subscription; nothing has to reach your machine from outside.

Usage: <command> listen --forward-to <url> [flags]

  --forward-to <url>     where your program receives events
${GATEWAY_HELP};
                         may be repeated
  --from <place>         where to begin the first time, and instead of where it
                         was: now (default the first time) or oldest
  --state <folder>       where it remembers how far it came
  --hostile              newest first, each event again, and test events with
                         unknown members and signatures of six minutes ago
  --secret-file <path>   for --hostile: file with the signing secret, or
                         WEBHOOK_SECRET: the events themselves are altered
  --exit-after <number>  ends after so many requests; with exit code 1 when one
                         of them was not answered as it should be
  --json                 a JSON document on a line for each request

A request without an answer is repeated until your program listens. Every
answer is shown, and whatever it is, the next event follows. Ctrl-C ends it;
the next start goes on behind the last event that was forwarded.`;

const FORWARD_WITHIN_MS = 15_000;

/** `listen --forward-to <url>` */
export async function listenCommand(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { values, positionals } = readFlags(words, {
    ...GATEWAY_FLAGS,
    "forward-to": { type: "string" },
    from: { type: "string" },
    state: { type: "string" },
    hostile: { type: "boolean", default: false },
    secret: { type: "string" },
    "secret-file": { type: "string" },
    "exit-after": { type: "string" },
    json: { type: "boolean", default: false },
  });
  if (positionals.length > 0) throw new CommandError("listen takes flags alone.", { fix: "--help lists them." });
  const from = values.from ?? "now";
  if (from !== "now" && from !== "oldest") throw new CommandError("--from is now or oldest.");
  const target = readUrl(values["forward-to"], "--forward-to", "--forward-to http://localhost:3000/webhooks");
  const exitAfter = values["exit-after"];
  const last = exitAfter === undefined ? undefined : readNumber(exitAfter, "--exit-after", [1, 1_000_000]);
  const gateway = await gatewayOf(values, surroundings);
  const key = values.hostile ? await hostileKey(values, surroundings) : undefined;
  const subscriptions = await chooseSubscriptions(gateway, values.subscription);
  if (key !== undefined && subscriptions.length > 1) throw oneSecretForSeveral(subscriptions.length);
  const folder = stateFolder(values.state, surroundings.env, homedir());
  makeStateFolder(folder);
  const places = subscriptions.map((subscription) => ({
    subscription,
    stored: cursorFile(folder, gateway.address, subscription.id),
  }));
  const locks = lockAll(places);
  const ending = endingOf(surroundings);
  let requests = 0;
  let exitCode: ExitCode = EXIT.ok;
  const followed = places.map(async ({ subscription, stored }) => {
    const alter =
      key === undefined ? alteredByGateway(gateway, subscription.id) : alteredBySecret(key, () => new Date());
    const several = subscriptions.length > 1;
    const shown = { gateway: gateway.address, target, json: values.json, several };
    const notices = noticesOn(surroundings, subscription, shown);
    // A place that is asked for goes before the stored one.
    const cursors = values.from === undefined ? stored : { ...stored, read: () => undefined };
    await follow({
      gateway,
      subscriptionId: subscription.id,
      cursors,
      from,
      variantsOf: values.hostile ? (events) => hostileVariants(events, alter) : asTheyCame,
      inOrder: !values.hostile,
      forward: ({ headers, body }) => post(target, headers, body, FORWARD_WITHIN_MS),
      notices: {
        ...notices,
        forwarded(variant, answer) {
          notices.forwarded(variant, answer);
          if (last === undefined) return;
          if (!isAsExpected(variant, answer)) exitCode = EXIT.refused;
          if (++requests >= last) ending.stop();
        },
      },
      pause: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
      now: () => Date.now(),
      signal: ending.signal,
    });
  });
  try {
    await Promise.all(followed);
  } finally {
    ending.stop();
    await Promise.allSettled(followed);
    for (const lock of locks) lock.release();
  }
  return exitCode;
}

/** A receiver would refuse what is signed with the secret of another subscription, and be blamed for it. */
const oneSecretForSeveral = (count: number): CommandError =>
  new CommandError(`The signing secret is one, and each of the ${count} subscriptions has its own.`, {
    fix: "Choose one --subscription, or give no secret (--secret-file, WEBHOOK_SECRET): then the gateway signs.",
  });

interface Place {
  readonly subscription: Subscription;
  readonly stored: StoredCursor;
}

/** Locks every place, or none. @throws CommandError when another listener has one of them. */
function lockAll(places: readonly Place[]): readonly ProcessLock[] {
  const locks: ProcessLock[] = [];
  try {
    for (const { subscription, stored } of places) locks.push(lockListener(stored.path, oneLine(subscription.label)));
  } catch (error) {
    for (const lock of locks) lock.release();
    throw error;
  }
  return locks;
}

const asTheyCame = async (events: readonly FeedEvent[]): Promise<readonly Variant[]> =>
  events.map((event) => ({ what: "", event, expected: "acknowledged" }));

/** Ctrl-C, an orderly end, and a terminal that was closed. */
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ends at one of these signals, or with the given signal; and when nobody reads any more what is forwarded (`… | head`). */
function endingOf({ signal: given, stdout }: Surroundings): { readonly signal: AbortSignal; stop(): void } {
  const ending = new AbortController();
  const stop = () => ending.abort();
  stdout.once("error", stop);
  if (given === undefined) for (const name of ENDING) process.once(name, stop);
  return {
    signal: given === undefined ? ending.signal : AbortSignal.any([given, ending.signal]),
    stop() {
      stop();
      stdout.off("error", stop);
      for (const name of ENDING) process.off(name, stop);
    },
  };
}

/** The secret, where one is given: it alters the events themselves, without the gateway. */
async function hostileKey(
  values: { readonly secret?: string | undefined; readonly "secret-file"?: string | undefined },
  surroundings: Surroundings,
): Promise<Buffer | undefined> {
  const isInEnvironment = variableOf(surroundings, "WEBHOOK_SECRET") !== undefined;
  const isGiven = values.secret !== undefined || values["secret-file"] !== undefined || isInEnvironment;
  return isGiven ? readSigningSecret(values, surroundings) : undefined;
}
