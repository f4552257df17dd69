import type { BadLine, ImportProgress } from "#generated/proto/gatehouse/workforce/v1/bulk.ts";
import { onEndingSignals } from "#runtime/process/lifecycle.ts";
import type { Asked } from "../connection/verb.ts";
import type { AdvisedCommand } from "../output/advice.ts";
import { EXIT } from "../output/command-error.ts";
import type { Outcome } from "../output/outcome.ts";
import { write } from "../output/streams.ts";
import { plain } from "../output/terminal-text.ts";
import { type ImportPlan, progressOf, sendInParts } from "./parts.ts";
import { ProgressBar } from "./progress-bar.ts";

/** The lines to send, and how their progress is counted. */
interface Sending extends Pick<ImportPlan, "start" | "linesAfter"> {
  /** End offset of the last line. */
  readonly total: number;
  readonly amount: (done: number) => string;
  /** The command that continues where this one stops. */
  readonly goOn: AdvisedCommand;
  /** What to do once everything is imported, to import more than this. */
  readonly afterAll: string;
}

interface Talk {
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/**
 * Sends an import with a progress bar and reports bad lines as they occur; Ctrl-C, SIGTERM and SIGHUP end it
 * behind the stored position.
 */
export async function send(asked: Asked, sending: Sending, { quiet = false, json = false }: Talk): Promise<Outcome> {
  const { stderr } = asked;
  const { start, total, goOn } = sending;
  const isQuiet = quiet || json;
  const bar = new ProgressBar(stderr, total, sending.amount, isQuiet);
  const stop = new AbortController();
  // Only the first signal is handled: a second one ends the program at once, which leaves the store consistent.
  const stopListening = onEndingSignals(() => {
    stopListening();
    stop.abort();
  });
  let latest = await progressOf(asked, start.importId);
  if (latest !== undefined && !isQuiet) await write(stderr, `${await resumed(latest, sending)}\n`);
  let lastReported = 0;
  const report = async (badLines: readonly BadLine[]): Promise<void> => {
    bar.clear();
    for (const { number, reason } of badLines.filter((line) => line.number > lastReported)) {
      if (!json) await write(stderr, `line ${number}: ${plain(reason)}\n`);
      lastReported = number;
    }
  };
  try {
    if (latest !== undefined) await report(latest.badLines);
    latest = await sendInParts(asked, {
      ...sending,
      signal: stop.signal,
      onSent: (endOffset) => bar.update({ done: endOffset, lines: latest?.lines ?? 0, bad: latest?.bad ?? 0 }),
      onProgress: async (progress) => {
        latest = progress;
        if (progress.badLines.some(({ number }) => number > lastReported)) await report(progress.badLines);
        bar.update({ done: progress.endOffset, lines: progress.lines, bad: progress.bad });
      },
    });
  } finally {
    stopListening();
    bar.clear();
  }
  return summary(latest, { goOn, isComplete: !stop.signal.aborted, allOrNothing: start.allOrNothing });
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

async function resumed(progress: ImportProgress, { linesAfter, afterAll }: Sending): Promise<string> {
  const { lines, lastNumber, importId } = progress;
  return (await hasAny(linesAfter(progress)))
    ? `Continuing behind line ${lastNumber.toLocaleString("en")}, where the import ${importId} stopped.`
    : `This was imported before (${count(lines, "line")}), and nothing is left to do. ${afterAll}`;
}

/** The lines themselves say it: what is counted may be complete before them, and empty lines may follow the last one. */
async function hasAny(lines: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of lines) return true;
  return false;
}

interface Ending {
  readonly goOn: AdvisedCommand;
  readonly isComplete: boolean;
  readonly allOrNothing: boolean;
}

function summary(progress: ImportProgress, { goOn, isComplete, allOrNothing }: Ending): Outcome {
  const { importId, lines, created, unchanged, bad, badLines, endOffset, lastNumber } = progress;
  const isTakenBack = allOrNothing && bad > 0 && lines === 0;
  const parts = [`${count(created, "line")} imported`, `${unchanged.toLocaleString("en")} unchanged`];
  const text = isTakenBack
    ? `Nothing was imported: ${count(bad, "bad line")}.`
    : `${[...parts, `${bad.toLocaleString("en")} bad`].join(", ")}.`;
  const more = bad > badLines.length ? ` The first ${badLines.length.toLocaleString("en")} bad lines are shown.` : "";
  return {
    json: { importId, complete: isComplete, lines, created, unchanged, bad, badLines, endOffset, lastNumber },
    text: () =>
      `${isComplete ? "" : `Interrupted behind line ${lastNumber.toLocaleString("en")}. So far: `}${text}${more}\n`,
    ...(isComplete ? {} : { next: goOn }),
    ...(bad > 0 || !isComplete ? { exitCode: EXIT.refused } : {}),
  };
}
