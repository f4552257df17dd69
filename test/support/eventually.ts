import { setTimeout as sleep } from "node:timers/promises";

/** Asks again and again until the answer satisfies, and returns it; the last answer when time runs out, so that an assertion can show it. */
export async function eventually<T>(
  ask: () => Promise<T>,
  satisfies: (answer: T) => boolean,
  timeoutMs = 10_000,
): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (satisfies(answer) || Date.now() > until) return answer;
    await sleep(20);
  }
}
