import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Closer } from "../../support/scope.ts";

/** A directory, on a small file system of its own where this machine lets us make one. */
export interface Volume {
  readonly directory: string;
  /** Takes all space that is left; undefined where the directory has no file system of its own. */
  readonly fill: (() => void) | undefined;
  /** Gives the space back. */
  free(): void;
}

let told = false;

/** @param mebibytes How large the file system is; a tmpfs, so it is memory. */
export function openVolume(closeLater: (closer: Closer) => void, mebibytes: number): Volume {
  const directory = mkdtempSync(join(tmpdir(), "gh-w-"));
  closeLater(async () => rmSync(directory, { recursive: true, force: true }));
  const ballast = join(directory, "ballast");
  const free = () => rmSync(ballast, { force: true });
  const missing = mountFailure(directory, mebibytes);
  if (missing !== undefined) {
    if (!told) process.stderr.write(`SKIPPED disk full: a tmpfs cannot be mounted here (${missing})\n`);
    told = true;
    return { directory, fill: undefined, free };
  }
  closeLater(async () => void execFileSync("umount", ["--lazy", directory]));
  chmodSync(directory, 0o700);
  return { directory, free, fill: () => fill(directory, ballast) };
}

/** The product goes on writing meanwhile, so that what was left a moment ago may be too much to ask for. */
function fill(directory: string, ballast: string): void {
  for (let part = 1; part <= 64; part *= 2) {
    const { bavail, bsize } = statfsSync(directory);
    const size = statSync(ballast, { throwIfNoEntry: false })?.size ?? 0;
    const more = Math.floor((bavail * bsize) / part);
    if (more < 4_096) return;
    spawnSync("fallocate", ["--offset", String(size), "--length", String(more), ballast]);
  }
}

function mountFailure(directory: string, mebibytes: number): string | undefined {
  if (process.platform !== "linux") return "not Linux";
  if (process.getuid?.() !== 0) return "not root";
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", directory], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return String((error as { readonly stderr?: Buffer }).stderr ?? error).trim();
  }
}
