import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { newFolder } from "../../../support/folder.ts";
import { describeWith } from "../../../support/optional-part.ts";

/** What a disk and its process did, in order. */
type Step =
  | { readonly what: "write"; readonly path: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly what: "truncate"; readonly path: string; readonly length: number }
  | { readonly what: "remove"; readonly path: string }
  | { readonly what: "begin" | "end"; readonly path: string; readonly flush: number }
  | { readonly what: "told" | "seen"; readonly payment: number };

function stepsOf(record: Buffer): readonly Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < record.length; ) {
    const end = record.indexOf("\n", at);
    // The last one may be cut by the kill.
    if (end < 0) break;
    const [what, ...words] = record.toString("utf8", at, end).split(" ");
    const number = Number(words[0]);
    const path = words.at(-1) ?? "";
    at = end + 1;
    if (what === "write") {
      const bytes = record.subarray(at, at + Number(words[1]));
      at += bytes.length;
      steps.push({ what, path, offset: number, bytes });
    } else if (what === "truncate") steps.push({ what, path, length: number });
    else if (what === "remove") steps.push({ what, path });
    else if (what === "begin" || what === "end") steps.push({ what, path, flush: number });
    else if (what === "told" || what === "seen") steps.push({ what, payment: number });
    else throw new Error(`The record has the word ${what}.`);
  }
  return steps;
}

/** In the order in which they were told or seen. */
const paymentsOf = (steps: readonly Step[], what: "told" | "seen"): readonly number[] =>
  steps.flatMap((step) => (step.what === what && "payment" in step ? [step.payment] : []));

/** A small generator whose sequence depends on its seed alone, so that a failure can be repeated. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const PAGE = 4_096;

/** A file of a disk. */
class Content {
  #bytes = Buffer.alloc(2 ** 20);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  truncate(length: number): void {
    if (this.#bytes.length < length) this.#bytes = Buffer.concat([this.#bytes], 2 * length);
    this.#bytes.fill(0, Math.min(length, this.#length), this.#length);
    this.#length = length;
  }

  write(offset: number, bytes: Buffer): void {
    if (this.#length < offset + bytes.length) this.truncate(offset + bytes.length);
    bytes.copy(this.#bytes, offset);
  }
}

/**
 * The files after a power failure behind `steps`: what was written before a flush that has ended is there, of everything later any
 * part may be there, page by page, in any order.
 */
function afterPowerFailure(steps: readonly Step[], chance: () => number): ReadonlyMap<string, Buffer> {
  const durable = new Map<string, number>();
  const begun = new Map<number, number>();
  steps.forEach((step, index) => {
    if (step.what === "begin") begun.set(step.flush, index);
    if (step.what === "end") durable.set(step.path, Math.max(durable.get(step.path) ?? 0, begun.get(step.flush) ?? 0));
  });
  const files = new Map<string, Content>();
  steps.forEach((step, index) => {
    // SQLite removes a journal before the first acknowledgement only, and flushes the folder.
    if (step.what === "remove") files.delete(step.path);
    if (step.what !== "write" && step.what !== "truncate") return;
    const file = files.get(step.path) ?? new Content();
    files.set(step.path, file);
    const isDurable = index < (durable.get(step.path) ?? 0);
    if (step.what === "truncate") {
      if (isDurable || chance() < 0.5) file.truncate(step.length);
      return;
    }
    for (let from = 0; from < step.bytes.length; ) {
      const until = Math.min(step.bytes.length, from + PAGE - ((step.offset + from) % PAGE));
      if (isDurable || chance() < 0.5) file.write(step.offset + from, step.bytes.subarray(from, until));
      from = until;
    }
  });
  return new Map([...files].map(([path, { bytes }]) => [path, bytes]));
}

const compiler = spawnSync("cc", ["--version"]).error && "cc is not installed";
const onLinux = process.platform === "linux" ? undefined : "its files are found by /proc";

const CUTS = 60;
/** The log becomes long, is copied and begins anew. */
const RECORDED_BYTES = 40 * 1024 * 1024;

describeWith({ name: "a C compiler on Linux", missing: compiler || onLinux }, "a power failure (decision 0076)", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder("gh-power-");
  });

  /** What the writer's disk did until so much was written. */
  const recorded = async (delayMs: string): Promise<readonly Step[]> => {
    const library = join(folder, "power-shim.so");
    const source = join(import.meta.dirname, "..", "..", "..", "support", "power-shim.c");
    execFileSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, source]);
    const data = join(folder, "data");
    const record = join(folder, "record");
    mkdirSync(data);
    writeFileSync(record, "");
    const writer = spawn(
      process.execPath,
      [join(import.meta.dirname, "power-cut-writer.ts"), join(data, "gatehouse.sqlite"), record],
      {
        stdio: ["ignore", "inherit", "inherit"],
        env: {
          ...process.env,
          LD_PRELOAD: library,
          POWER_FOLDER: data,
          POWER_RECORD: record,
          FLUSH_DELAY_MS: delayMs,
        },
      },
    );
    const exited = once(writer, "exit");
    const watch = setInterval(() => statSync(record).size > RECORDED_BYTES && writer.kill("SIGKILL"), 20);
    try {
      await exited;
    } finally {
      clearInterval(watch);
    }
    return stepsOf(readFileSync(record));
  };

  it.each([
    ["that flushes quickly", "0"],
    ["whose flushes take 3 ms longer", "3"],
  ])(
    "undoes nothing that was acknowledged, and nothing that a read has shown, on a disk %s",
    async (_, delayMs) => {
      const steps = await recorded(delayMs);
      const chance = chanceOf(7);
      const wrong: unknown[] = [];
      const first = steps.findIndex((step) => step.what === "told");
      for (let cut = 0; cut < CUTS; cut++) {
        const until = first + 1 + Math.floor(chance() * (steps.length - first - 1));
        const before = steps.slice(0, until);
        const disk = join(folder, `disk-${cut}`);
        mkdirSync(disk);
        for (const [path, bytes] of afterPowerFailure(before, chance)) writeFileSync(join(disk, basename(path)), bytes);
        const db = new BetterSqlite3(join(disk, "gatehouse.sqlite"));
        const integrity = db.pragma("integrity_check", { simple: true });
        const ids = (table: string, column: string) =>
          new Set(db.prepare<[], number>(`select ${column} from ${table}`).pluck().all());
        const [payments, receipts] = [ids("payments", "id"), ids("receipts", "payment")];
        db.close();
        const told = paymentsOf(before, "told").filter((payment) => payment > 0);
        const seen = paymentsOf(before, "seen").at(-1) ?? 0;
        const missing = [...told, ...Array.from({ length: seen }, (_one, index) => index + 1)].filter(
          (id) => !payments.has(id) || !receipts.has(id),
        );
        if (integrity !== "ok" || missing.length > 0 || payments.size !== receipts.size)
          wrong.push({ until, integrity, missing, payments: payments.size, receipts: receipts.size });
        rmSync(disk, { recursive: true });
      }
      expect(wrong).toEqual([]);
      const kinds = new Set(steps.map(({ what }) => what));
      expect([...kinds].toSorted()).toEqual(expect.arrayContaining(["begin", "end", "seen", "told", "write"]));
      expect(paymentsOf(steps, "seen").at(-1)).toBeGreaterThan(100);
      const logHeaders = steps.filter(
        (step) => step.what === "write" && step.path.endsWith("-wal") && step.offset === 0,
      );
      expect(logHeaders.length).toBeGreaterThan(1);
    },
    300_000,
  );
});
