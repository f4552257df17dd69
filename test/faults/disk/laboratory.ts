import { createHash } from "node:crypto";
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CASES, type Case } from "./cases.ts";

/*
 * Runs one case again and again in one process on a disk that fails (disk-shim.c): first without a failure, to learn its calls, then with
 * each error at many of them. Arguments: the name of the case, a folder with its fixtures, the folder below which the disk fails, and the
 * file for the findings, one line of JSON each.
 */

/** What one run on the failing disk led to. */
export interface Finding {
  /** `none` for the run without a failure. */
  readonly error: string;
  /** The call that failed first. */
  readonly call: string;
  /** What the command said when it refused; undefined when it succeeded. */
  readonly said: string | undefined;
  /** Whether it is a refusal with one line, not a surprise with a stack. */
  readonly isRefusal: boolean;
  /** What is there afterwards, on the mended disk; in the words of the case. */
  readonly state: string;
  /** Files that were not there before. */
  readonly left: readonly string[];
  readonly isSourceSame: boolean;
}

const ERRORS = ["ENOSPC", "EIO", "EROFS"] as const;
/** Calls that fail for each error; `make disk-faults` has all kinds fail, at their first and last call, and more in between. */
const AT_MOST = process.env.GATEHOUSE_DISK_FAULTS === "all" ? 1_000 : 10;
/** Calls at even distances, beside the first and the last of each kind. */
const SPREAD = 6;

const [name = "", fixtures = "", under = "", findings = ""] = process.argv.slice(2);
const { DISK_ORDER = "", DISK_CALLS = "" } = process.env;
const one: Case = (() => {
  const found = CASES[name];
  if (found === undefined) throw new Error(`There is no case ${name}.`);
  return found;
})();

await one.work(join(fixtures, "warm"), fixtures).catch(() => undefined);
for (const error of ERRORS) {
  const calls = await run(error, 0);
  for (const at of chosen(calls)) await run(error, at);
}

async function run(error: (typeof ERRORS)[number], at: number): Promise<readonly string[]> {
  rmSync(DISK_ORDER, { force: true });
  rmSync(DISK_CALLS, { force: true });
  rmSync(under, { recursive: true, force: true });
  mkdirSync(under, { mode: 0o700 });
  cpSync(join(fixtures, one.folder), join(under, "data"), { recursive: true });
  const source = () => one.sources(join(under, "data"), fixtures).map(digest).join();
  const before = source();
  const filesBefore = new Set(files(under));
  writeFileSync(DISK_ORDER, `${at} ${error}`);
  const refusal = await one.work(join(under, "data"), fixtures).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  rmSync(DISK_ORDER);
  const left = files(under).filter((path) => !filesBefore.has(path));
  const isSourceSame = source() === before;
  const calls = readFileSync(DISK_CALLS, "utf8").trimEnd().split("\n");
  const finding: Finding = {
    error: at === 0 ? "none" : error,
    call: calls[at - 1] ?? "",
    said: refusal?.message,
    isRefusal: refusal !== undefined && one.isRefusal(refusal) && !refusal.message.includes("\n"),
    state: await one.state(join(under, "data"), fixtures),
    ...{ left, isSourceSame },
  };
  appendFileSync(findings, `${JSON.stringify(finding)}\n`);
  return calls;
}

function chosen(calls: readonly string[]): readonly number[] {
  // Random parts of names are no kinds.
  const kinds = calls.map((call) => call.replaceAll(/[0-9a-f]{12}|\d{8}T\d+Z/g, ""));
  const numbers = kinds.flatMap((kind, index) =>
    kinds.indexOf(kind) === index || kinds.lastIndexOf(kind) === index ? [index + 1] : [],
  );
  const spread = Array.from({ length: SPREAD }, (_, part) => Math.floor(((part + 0.5) / SPREAD) * calls.length) + 1);
  const all = [...new Set([...numbers, ...spread])].toSorted((earlier, later) => earlier - later);
  const step = Math.max(1, all.length / AT_MOST);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function files(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

function digest(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
