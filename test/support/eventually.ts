import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks again and again until the answer satisfies, and returns it; the last answer when time runs out, so that an assertion can show it.
 * The time is that of a busy machine: what it waits for comes sooner.
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  satisfies: (answer: T) => boolean,
  timeoutMs = 30_000,
): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (satisfies(answer) || Date.now() > until) return answer;
    await sleep(20);
  }
}

/** Waits until a receiver has so many requests. */
export const arrived = (receiver: { readonly received: readonly unknown[] }, count: number): Promise<number> =>
  eventually(
    async () => receiver.received.length,
    (length) => length >= count,
  );
