import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Closer } from "../support/scope.ts";

/** A program to be run, as a language's tools made it. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** One call of a generated operation, with the contract's names. Entity tags are off. */
export interface OperationCall {
  readonly baseUrl: string;
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly apiKey: string | null;
  readonly basic: { readonly username: string; readonly password: string } | null;
  readonly bearer: string | null;
  /** `if-none-match` only. */
  readonly headers: Readonly<Record<string, string>>;
  /** None unless given. */
  readonly retries?: number;
}

/** One call of the hand-written layer. */
export interface DoorCall {
  readonly door: string;
  readonly arguments: readonly string[];
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly options: DoorOptions;
  /** Lines with the same name share one object. */
  readonly keep: string | null;
  /** When its caller cancels the call, in the way that is usual in the language. */
  readonly cancelAfterMs?: number;
  /** The call is made so often at once; the value is a list of what each gave. */
  readonly times?: number;
}

export interface DoorOptions {
  readonly retries?: number;
  readonly deadlineMs?: number;
  readonly longestWaitMs?: number;
  readonly answerBytesMax?: number;
  readonly entityTags?: false | { readonly answers?: number; readonly bytes?: number };
}

/** One event to be verified. */
export interface VerifyCall {
  readonly door: "verify";
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Unix seconds. */
  readonly now: number;
  readonly toleranceSeconds?: number;
}

/** The SDK's one error, by the members that all languages share. */
export interface CallerError {
  readonly status: number;
  readonly code: string;
  readonly detail?: string;
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
  readonly violations?: readonly { readonly location: string; readonly name: string; readonly message: string }[];
  readonly error?: string | null;
  readonly errorDescription?: string | null;
}

/** What the caller of an SDK got: one of these members. */
export interface CallerAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly value?: unknown;
  readonly event?: { readonly type: string; readonly known: boolean };
  readonly eventRefused?: string;
  readonly error?: CallerError;
  readonly refused?: string;
  readonly unsupported?: string;
  /** Something other than the SDK's one error was thrown. */
  readonly crash?: string;
}

/** An SDK in its own language, as a program that takes calls and gives answers, a line of JSON each. */
export interface Driver {
  ask(call: OperationCall | DoorCall | VerifyCall): Promise<CallerAnswer>;
}

export function startDriver(closeLater: (closer: Closer) => void, { file, args, cwd, env }: Command): Driver {
  const child = spawn(file, [...args], { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  closeLater(async () => {
    if (child.exitCode !== null) return;
    child.stdin.end();
    await once(child, "exit");
  });
  return {
    async ask(call) {
      child.stdin.write(`${JSON.stringify(call)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`The driver ended:\n${said}`);
      const answer = JSON.parse(value) as CallerAnswer;
      if (answer.crash !== undefined) throw new Error(`Not the SDK's one error: ${answer.crash}`);
      return answer;
    },
  };
}
