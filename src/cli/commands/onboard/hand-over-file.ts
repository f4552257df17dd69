import { open, readFile, rename, rm, truncate } from "node:fs/promises";
import { shellWord } from "#runtime/basis/terminal-lines.ts";
import { lockPath, type ProcessLock } from "../../../../desk/src/process-lock.ts";
import { commandError, EXIT } from "../../output/command-error.ts";
import { assertNewFile, publish, unwritable } from "../../output/new-file.ts";
import { plain } from "../../output/terminal-text.ts";

/** The variables of a hand-over file, which the guides use. */
export type HandOverValues = Partial<Record<(typeof NAMES)[number], string>>;

const NAMES = [
  "ISSUER",
  "GATEWAY_URL",
  "INSTANCE_INTEGRATION_ID",
  "API_KEY",
  "APPLICATION_ID",
  "APPLICATION_SECRET",
  "REDIRECT_URI",
  "SUBSCRIPTION_ENDPOINT",
  "WEBHOOK_SECRET",
] as const;

/**
 * The file that is handed to an integrator, readable by its owner alone. While it is made it is called `….unfinished`:
 * each value is on the disk before the next thing is made, so an interrupted run loses no secret, and the next one goes
 * on with the same file (R-X203).
 */
export interface HandOverFile {
  /** What an interrupted run has left. */
  readonly values: HandOverValues;
  /** What an interrupted run has left under one of these names is replaced: what it belonged to was ended meanwhile. */
  add(values: HandOverValues): Promise<void>;
  /** A line for people, once. */
  remark(text: string): Promise<void>;
  /** Gives it its name. @throws CommandError when a file of this name was made meanwhile. */
  finish(): Promise<void>;
  /** Removes it if this run has begun it: nothing was made that it could hand over. */
  discard(): Promise<void>;
  /** Lets other runs have it, however this one has ended. */
  close(): void;
}

/**
 * To be closed by the caller.
 * @throws CommandError when there is such a file, when it cannot be written, when the unfinished one is another party's, or
 * when another run has it.
 */
export async function openHandOverFile(
  path: string,
  integration: string,
  instance: string,
  isThere: boolean,
): Promise<HandOverFile> {
  await assertNewFile(path, isThere ? `, and there is an integration ${plain(integration)}` : "");
  const draft = `${path}.unfinished`;
  const lock = lockDraft(draft, integration);
  try {
    return { ...(await openDraft(path, draft, integration, instance)), close: () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openDraft(
  path: string,
  draft: string,
  integration: string,
  instance: string,
): Promise<Omit<HandOverFile, "close">> {
  const title = `# Gatehouse: values for ${plain(integration)} on ${plain(instance)}.`;
  const left = await textOf(draft);
  let text = left ?? "";
  if (text !== "" && !text.startsWith(`${title}\n`))
    throw commandError(EXIT.usage, {
      code: "USAGE",
      reason: "hand_over_of_another",
      message: `${draft} is from an interrupted run for another integration or instance.`,
      fix: "Finish that one, or name another file.",
    });
  const append = async (lines: readonly string[]) => {
    if (lines.length === 0) return;
    const added = lines.map((line) => `${line}\n`).join("");
    await onDisk(draft, added, "a");
    text += added;
  };
  /** All or nothing, since the file has the only copies of the other values. */
  const replace = async (names: readonly string[], lines: readonly string[]) => {
    const kept = text.split("\n").filter((line) => !names.some((name) => line.startsWith(`${name}=`)));
    const whole = [...kept.slice(0, -1), ...lines].map((line) => `${line}\n`).join("");
    const next = `${draft}.next`;
    try {
      await onDisk(next, whole, "w");
      await rename(next, draft).catch((cause) => {
        throw unwritable(draft, String((cause as NodeJS.ErrnoException).code));
      });
    } catch (error) {
      // It has secrets, and nobody would look for them there.
      await rm(next, { force: true });
      throw error;
    }
    text = whole;
  };
  const values = valuesIn(text);
  const head = [title, "# They contain secrets: pass this file on as you would a password."];
  if (text === "") await append(head);
  return {
    values,
    async add(more) {
      const before: Readonly<Record<string, string>> = valuesIn(text);
      const changed = Object.entries(more).filter(([name, value]) => before[name] !== value);
      const former = changed.map(([name]) => name).filter((name) => name in before);
      const lines = changed.map(([name, value]) => `${name}=${shellWord(value)}`);
      await (former.length === 0 ? append(lines) : replace(former, lines));
    },
    remark: (remark) => append(text.includes(`# ${remark}\n`) ? [] : [`# ${remark}`]),
    async finish() {
      await publish(draft, path, `; the values are in ${draft}`);
    },
    async discard() {
      // One that cannot be removed says nothing about what the command was refused for.
      if (left === undefined) await rm(draft, { force: true }).catch(() => undefined);
    },
  };
}

/**
 * Of two runs at once one has the file: each would make everything, and both would write into it.
 * @throws CommandError for the other one, which has made nothing.
 */
function lockDraft(draft: string, integration: string): ProcessLock {
  const lock = `${draft}.lock`;
  const taken = attempt(draft, lock);
  if ("release" in taken) return taken;
  throw commandError(EXIT.usage, {
    code: "USAGE",
    reason: "hand_over_under_way",
    message: `Another run (process ${taken.owner}) is making ${draft}. Nothing was made for ${plain(integration)} by this one.`,
    fix: `Wait until that one is done, or name another file. If process ${taken.owner} is no such run, remove the folder ${lock}.`,
  });
}

function attempt(draft: string, lock: string): ReturnType<typeof lockPath> {
  try {
    return lockPath(lock);
  } catch (cause) {
    throw unwritable(draft, String((cause as NodeJS.ErrnoException).code));
  }
}

/** Its whole lines: what was cut off is made again. `undefined` when there is no file. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, "utf8");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole !== text) await truncate(path, Buffer.byteLength(whole));
    return whole;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw unwritable(path, `it cannot be read (${code})`);
  }
}

async function onDisk(path: string, text: string, flags: "a" | "w"): Promise<void> {
  try {
    const file = await open(path, flags, 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw unwritable(path, String((cause as NodeJS.ErrnoException).code));
  }
}

function valuesIn(text: string): HandOverValues {
  const names: readonly string[] = NAMES;
  const pairs = [...text.matchAll(/^([A-Z_]+)=(.*)\n/gm)].filter(([, name = ""]) => names.includes(name));
  return Object.fromEntries(pairs.map(([, name, value = ""]) => [name, withoutQuotes(value)]));
}

/** The text of a shell's word as `shellWord` writes it. */
const withoutQuotes = (word: string): string =>
  word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
