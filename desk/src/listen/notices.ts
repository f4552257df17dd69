import type { Subscription } from "../gateway/subscriptions.ts";
import { type Answer, isAcknowledged, oneLine } from "../post.ts";
import { painter, type Surroundings } from "../terminal.ts";
import type { Notices } from "./follow.ts";
import type { Variant } from "./hostile.ts";

/** True when a good receiver answers so. */
export const isAsExpected = ({ expected }: Variant, answer: Answer): boolean =>
  isAcknowledged(answer) === (expected === "acknowledged");

/** A line on standard output for each request, everything else on standard error. */
export function noticesOn(
  { stdout, stderr }: Pick<Surroundings, "stdout" | "stderr">,
  subscription: Subscription,
  {
    gateway,
    target,
    json,
    several,
  }: { readonly gateway: URL; readonly target: URL; readonly json: boolean; readonly several: boolean },
): Notices {
  const label = oneLine(subscription.label);
  const paint = painter(stdout);
  const say = (sentence: string) => stderr.write(`${label}: ${sentence}\n`);
  return {
    listening: () => void say(`listening at ${gateway.origin}, forwarding to ${target.href}`),
    waiting: (reason, ms) => void say(`${reason}; asking again in ${Math.ceil(ms / 1000)} s`),
    gap: () =>
      void say("a gap: events since the last time are no longer kept. Read the present state where it matters."),
    forwarded(variant, answer) {
      if (json) return void stdout.write(`${JSON.stringify(documentOf(variant, answer, subscription))}\n`);
      const isExpected = isAsExpected(variant, answer);
      const parts = [
        new Date().toTimeString().slice(0, 8),
        ...(several ? [label] : []),
        oneLine(variant.event.type),
        oneLine(variant.event.id),
        ...(variant.what === "" ? [] : [`(${variant.what})`]),
        "→",
        paint(isExpected ? "green" : "red", inShort(answer)),
        ...(variant.expected === "refused" && !isExpected ? ["should have been refused"] : []),
      ];
      stdout.write(`${parts.join(" ")}\n`);
    },
  };
}

const inShort = ({ status, excerpt, durationMs }: Answer): string =>
  status === undefined
    ? `no answer within ${Math.round(durationMs / 1000)} s`
    : `${status}${(status >= 200 && status < 300) || excerpt === "" ? "" : ` “${excerpt}”`}, ${durationMs} ms`;

const documentOf = ({ what, event, expected }: Variant, answer: Answer, subscription: Subscription) => ({
  at: new Date().toISOString(),
  subscription,
  event: { id: event.id, type: event.type },
  variant: what === "" ? null : what,
  expected,
  status: answer.status ?? null,
  durationMs: answer.durationMs,
});
