import { rmSync } from "node:fs";
import { startInstallation } from "../harness/installation.ts";

export interface StartFigures {
  readonly firstStartMs: number;
  readonly laterStartMs: number;
  readonly residentMib: number;
}

/** Start to ready with an empty directory and with one that is there, and resident memory when idle. */
export async function benchStart(): Promise<StartFigures> {
  const first = await startInstallation(undefined, true);
  await first.stop();
  const later = await startInstallation(first.directory, true);
  const residentMib = later.residentMib();
  await later.stop();
  rmSync(first.directory, { recursive: true, force: true });
  return { firstStartMs: first.startedInMs, laterStartMs: later.startedInMs, residentMib };
}
