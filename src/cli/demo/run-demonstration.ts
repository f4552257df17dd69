import { join, relative } from "node:path";
import { systemClock } from "#runtime/basis/clock.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import { shellWord } from "#runtime/basis/terminal-lines.ts";
import { paintFor } from "../output/paint.ts";
import { demoFilePath, prepareDemonstration } from "./demonstration.ts";
import { demoPage } from "./page.ts";
import { readDemoProgress } from "./progress.ts";
import { startSample } from "./sample.ts";

/** A Gatehouse that has just been started, in this process. */
interface StartedGatehouse {
  readonly version: string;
  readonly issuer: string;
  readonly gatewayUrl: string;
  readonly healthUrl: string;
  readonly carrier: string;
  /** Where retries can be watched, when Temporal runs them. */
  readonly temporal: string | undefined;
  /** What is wrong with Temporal, in a sentence; may end with the command that fixes it. */
  temporalTrouble(): Promise<string | undefined>;
  readonly dataDirectory: string;
  readonly socketDirectory: string;
  /** A file, or `stdout`. */
  readonly logDestination: string;
  readonly sampleUrl: string;
}

/**
 * Fills a started Gatehouse with the demonstration, starts the sample beside it and prints the page. Returns a function
 * that stops the sample.
 * @throws CannotStart when the store holds other data or the sample's port is taken.
 */
export async function runDemonstration(started: StartedGatehouse): Promise<{ stop(): Promise<void> }> {
  const { dataDirectory, socketDirectory, issuer, gatewayUrl } = started;
  const sampleUrl = new URL(started.sampleUrl).origin;
  const demonstration = await prepareDemonstration({
    dataDirectory,
    socketDirectory,
    issuer,
    gatewayUrl,
    sampleUrl,
    random: systemRandom,
    now: systemClock.now(),
    onFirstStart: () => printLine("Making the demonstration's data …"),
  });
  const demoFile = demoFilePath(dataDirectory);
  const sample = await startSample({ demoFile, url: sampleUrl, onEnd: printLine });
  const { people, apiKey, application } = demonstration;
  const page = demoPage(
    {
      ...started,
      ...application,
      temporalTrouble: await started.temporalTrouble(),
      people,
      apiKey,
      progress: await readDemoProgress(socketDirectory),
      demoFile,
      sample: sample.state,
      logFile: started.logDestination === "stdout" ? undefined : started.logDestination,
      command: shellWord(relative(process.cwd(), join(import.meta.dirname, "../../../bin/gatehouse"))),
      commandFlags: directoryFlags(started),
    },
    paintFor(process.stdout),
  );
  process.stdout.write(page);
  return sample;
}

const printLine = (line: string): void => void process.stderr.write(`${line}\n`);

/** Flags by which the command line finds this Gatehouse, when the defaults do not suffice. */
function directoryFlags({ dataDirectory, socketDirectory }: StartedGatehouse): readonly string[] {
  if (socketDirectory === join(".gatehouse", "sockets")) return [];
  if (socketDirectory === join(dataDirectory, "sockets")) return [`--data-directory ${shellWord(dataDirectory)}`];
  return [`--socket-directory ${shellWord(socketDirectory)}`];
}
