import { type AddressInfo, connect, createServer, type Socket, type TcpNetConnectOpts } from "node:net";
import type { Closer } from "./scope.ts";

/** Where the proxy connects to. */
export type FaultTarget = Pick<TcpNetConnectOpts, "host" | "port"> | { readonly path: string };

/** What is swallowed: what clients send, what the target answers, or both. */
export type Swallowed = "requests" | "answers" | "both";

export interface FaultProxyOptions {
  readonly target: FaultTarget;
}

/** A TCP proxy on 127.0.0.1 between the product and something outside, with faults that tests switch on and off. */
export interface FaultProxy {
  readonly port: number;
  /** How many connections of clients are open. */
  connections(): number;
  /** Ends every fault. What was swallowed stays lost; a connection that was half open stays so. */
  pass(): void;
  /**
   * Swallows bytes without a word to either side, as a network does that has forgotten its connections. The ends of connections are
   * swallowed too. `existing` leaves the connections that are opened later alone.
   */
  silence(options?: { readonly of?: "existing" | "all"; readonly what?: Swallowed }): void;
  /** Keeps all bytes until `pass`, and delivers them then: a network that was interrupted for so long, as TCP comes through it. */
  hold(): void;
  /** Swallows answers from the first one on that contains the text: what was asked for is done, and its caller does not learn of it. */
  holdAnswerTo(text: string): void;
  /**
   * Resets the connection whose answer is the n-th from now on that contains the text: what was asked for is done, and its caller
   * learns at once that it has lost the answer. Returns how many such answers were seen, until `pass`.
   */
  cutAtAnswer(text: string, nth: number): () => number;
  /** Resets the open connections; all of them, or those that `picks` chooses by their order. New ones pass. */
  cut(picks?: (index: number) => boolean): void;
  /** Resets new connections at once, until `pass`. */
  refuse(): void;
  /** Keeps each piece of data for so long before it goes on, in order. */
  delay(ms: number): void;
  /** Ends the target's side of the open connections; their clients learn nothing of it. */
  halfOpen(): void;
  /**
   * As when the address moves to another server, which does not know the open connections: their clients learn it by a reset, once they
   * send something.
   */
  move(): void;
}

/** One connection of a client, and ours to the target. */
interface Pair {
  readonly client: Socket;
  readonly target: Socket;
  swallowed: Swallowed | undefined;
  isUnknown: boolean;
}

/** Starts a proxy that passes everything; closed with the scope, also while it is silent. */
export async function openFaultProxy(
  closeLater: (closer: Closer) => void,
  { target }: FaultProxyOptions,
): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  let swallowedOfNew: Swallowed | undefined;
  let refusing = false;
  let delayMs = 0;
  let released = Promise.resolve();
  let release = () => {};
  let heldText: string | undefined;
  let cutAt: { readonly text: string; readonly nth: number; seen: number } | undefined;

  const server = createServer((client) => {
    client.on("error", () => undefined);
    if (refusing) {
      client.resetAndDestroy();
      return;
    }
    const pair: Pair = {
      client,
      target: connect({ ...target, noDelay: true }),
      swallowed: swallowedOfNew,
      isUnknown: false,
    };
    pair.target.on("error", () => undefined);
    client.setNoDelay(true);
    pairs.add(pair);
    client.on("close", () => pairs.delete(pair));
    forward(client, pair.target, (chunk) => {
      if (pair.isUnknown && chunk !== undefined) client.resetAndDestroy();
      return pair.isUnknown || pair.swallowed === "requests" || pair.swallowed === "both";
    });
    forward(pair.target, client, (chunk) => {
      if (heldText !== undefined && chunk?.includes(heldText)) pair.swallowed = "answers";
      if (cutAt !== undefined && chunk?.includes(cutAt.text) && ++cutAt.seen === cutAt.nth) {
        reset(pair);
        return true;
      }
      return pair.swallowed === "answers" || pair.swallowed === "both";
    });
  });

  function reset(pair: Pair): void {
    pair.client.resetAndDestroy();
    // Only TCP knows a reset; to a Unix socket this is an end.
    if ("path" in target) pair.target.destroy();
    else pair.target.resetAndDestroy();
  }

  /** Data, the end and the reset of one direction, in their order. */
  function forward(from: Socket, to: Socket, isSwallowed: (chunk?: Buffer) => boolean): void {
    let last = Promise.resolve();
    const inOrder = (go: () => void, chunk?: Buffer) => {
      if (isSwallowed(chunk)) return;
      const ms = delayMs;
      const held = released;
      last = last
        .then(() => held)
        .then(() => (ms === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, ms).unref())))
        .then(go);
    };
    from.on("data", (chunk) =>
      inOrder(() => {
        if (!to.destroyed) to.write(chunk);
      }, chunk),
    );
    from.on("end", () => inOrder(() => to.end()));
    from.on("close", () => inOrder(() => to.destroy()));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeLater(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const { client, target: ours } of pairs) {
      client.destroy();
      ours.destroy();
    }
    await closed;
  });

  return {
    port: (server.address() as AddressInfo).port,
    connections: () => pairs.size,
    pass() {
      swallowedOfNew = undefined;
      refusing = false;
      delayMs = 0;
      release();
      heldText = undefined;
      cutAt = undefined;
      for (const pair of pairs) if (!pair.target.destroyed) pair.swallowed = undefined;
    },
    silence({ of = "all", what = "both" } = {}) {
      if (of === "all") swallowedOfNew = what;
      for (const pair of pairs) pair.swallowed = what;
    },
    hold() {
      release();
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      release = resolve;
    },
    holdAnswerTo(text) {
      heldText = text;
    },
    cutAtAnswer(text, nth) {
      const at = { text, nth, seen: 0 };
      cutAt = at;
      return () => at.seen;
    },
    cut(picks = () => true) {
      for (const pair of [...pairs].filter((_, index) => picks(index))) reset(pair);
    },
    refuse() {
      refusing = true;
    },
    delay(ms) {
      delayMs = ms;
    },
    move() {
      for (const pair of pairs) {
        pair.swallowed = "both";
        pair.isUnknown = true;
        pair.target.destroy();
      }
    },
    halfOpen() {
      for (const pair of pairs) {
        pair.swallowed = "both";
        pair.target.destroy();
      }
    },
  };
}
