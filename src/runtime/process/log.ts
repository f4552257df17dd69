import { closeSync, fstatSync, openSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, pino } from "pino";
import { makeDirectory } from "../basis/directories.ts";
import { CannotStart } from "../basis/errors.ts";

/**
 * Every field that a log line may have besides its sentence. Other fields cannot be logged, so no secret, body, cookie
 * or e-mail address is logged by accident (S50).
 */
export interface LogFields {
  readonly requestId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly role?: string;
  readonly peer?: string;
  readonly call?: string;
  /** Public id of the API key or the application that asked, once it is proven (R-X432). */
  readonly caller?: string | undefined;
  readonly operationId?: string | undefined;
  readonly method?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly code?: string;
  readonly reason?: string;
  readonly detail?: string | undefined;
  /** Stable name of the check that refused. */
  readonly check?: string | undefined;
  readonly loop?: string;
  readonly address?: string;
  readonly signal?: string;
  readonly count?: number;
  readonly milliseconds?: number;
  readonly version?: string;
  readonly error?: unknown;
}

export interface Log {
  debug(sentence: string, fields?: LogFields): void;
  info(sentence: string, fields?: LogFields): void;
  warn(sentence: string, fields?: LogFields): void;
  error(sentence: string, fields?: LogFields): void;
  /** Writes what is buffered at once, or loses it after a second; the last thing before the process ends in a hurry. */
  flush(): void;
  /** Writes what is buffered, or loses it after a second; the last thing before the process ends. */
  end(): Promise<void>;
}

/** What is written as it is: each field but the error. */
const ALLOWED: Readonly<Record<Exclude<keyof LogFields, "error">, true>> = {
  requestId: true,
  traceId: true,
  role: true,
  peer: true,
  call: true,
  caller: true,
  operationId: true,
  method: true,
  status: true,
  durationMs: true,
  code: true,
  reason: true,
  detail: true,
  check: true,
  loop: true,
  address: true,
  signal: true,
  count: true,
  milliseconds: true,
  version: true,
};

/** How long the end of a process waits for its last lines. */
const END_MS = 1_000;

/** How often the log looks whether its file is still at its path. */
const LOOK_EVERY_MS = 5_000;

/**
 * So many characters are written at once, or what has come within half a second: each write takes a thread of libuv's pool. A
 * little less than the stream writes at most.
 */
const WRITTEN_LENGTH_MIN = 15_000;

/** For each piece that it is given the stream counts the bytes of all that waits, so it gets lines in pieces of about this length. */
const PIECE_LENGTH = 4_096;

/** Unwritten lines are buffered up to this length, in characters; later lines are dropped. */
const UNWRITTEN_LENGTH_MAX = 4 * 1024 * 1024;

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/**
 * Keeps the allowed fields. Of an error, only name, message and stack are kept, not the properties that libraries
 * attach.
 */
function allowed(fields: LogFields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const given = fields as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(given))
    if (Object.hasOwn(ALLOWED, name) && given[name] !== undefined) kept[name] = given[name];
  if (fields.error instanceof Error) {
    const { name, message, stack } = fields.error;
    kept.error = { name, message, stack };
    if (fields.error.cause instanceof Error) kept.cause = fields.error.cause.message;
  } else if (fields.error !== undefined) {
    kept.error = { name: typeof fields.error };
  }
  return kept;
}

interface LogOptions {
  readonly level: LogLevel;
  readonly destination: string;
  /** Called for each line that is lost because too many wait to be written. */
  readonly onLost?: () => void;
}

/**
 * JSON lines, buffered, on standard output or appended to a file of mode 0600. A file that is moved away or removed gets a
 * successor at its path within seconds (R-X385). When lines were lost, the next line says how many (R-X402).
 * @throws CannotStart when the file cannot be opened.
 */
export function createLog(options: LogOptions): Log {
  const path = options.destination === "stdout" ? undefined : options.destination;
  const file = path === undefined ? 1 : openLogFile(path);
  const destination = pino.destination({
    dest: file,
    mode: LOG_FILE_MODE,
    sync: false,
    minLength: WRITTEN_LENGTH_MIN,
    maxLength: UNWRITTEN_LENGTH_MAX,
    periodicFlush: 500,
  });
  const pieces = inPieces(destination);
  // A full disk and a pipe that is not read cost lines, not the process, and not its end: neither our flush, nor the one
  // by which pino ends every process.
  let failing = false;
  const flushInTime = boundedFlush(destination);
  destination.flushSync = () => {
    pieces.pass();
    if (!failing) failing = !flushInTime();
  };
  destination.on("error", () => {
    failing = true;
  });
  destination.on("write", () => {
    failing = false;
  });
  let lost = 0;
  destination.on("drop", (piece: string) => {
    for (const character of piece) {
      if (character !== "\n") continue;
      lost++;
      options.onLost?.();
    }
  });
  // At the highest level, since lines of every level were lost.
  const sayLost = () => {
    if (lost === 0) return;
    const count = lost;
    lost = 0;
    logger.error({ count }, "Lines of this log were lost: it took none, and too many waited.");
  };
  // Not at the first write that succeeds: what waits by then leaves no room for a line more.
  destination.on("drain", sayLost);
  if (path !== undefined) followPath(destination, path, file);
  const logger: Logger = pino({ level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pieces);
  const write =
    (level: "debug" | "info" | "warn" | "error") =>
    (sentence: string, fields: LogFields = {}) => {
      if (logger.isLevelEnabled(level)) logger[level](allowed(fields), sentence);
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    flush() {
      destination.flushSync();
      if (failing || lost === 0) return;
      sayLost();
      destination.flushSync();
    },
    async end() {
      // Whether it could be synced as well says nothing: a pipe never can. What cannot be written is an error event.
      const flushed = () =>
        new Promise<boolean>((resolve) => {
          pieces.pass();
          destination.flush(() => resolve(true));
        });
      // A flush that finds a write under way ends with that write, before the lines that came meanwhile.
      const inTime = await Promise.race([flushed().then(flushed), sleep(END_MS, false, { ref: false })]);
      // Whatever cannot be written by then is lost; without this, what came last could still find the disk full.
      if (!inTime) failing = true;
    },
  };
}

/** Passes lines on to the stream in pieces: those of a turn of the event loop, or as soon as they are long enough. */
function inPieces(destination: ReturnType<typeof pino.destination>) {
  let piece = "";
  const pass = (): void => {
    if (piece === "") return;
    const whole = piece;
    piece = "";
    destination.write(whole);
  };
  return {
    write(line: string): void {
      if (piece === "") setImmediate(pass);
      piece += line;
      if (piece.length >= PIECE_LENGTH) pass();
    },
    /** What waits goes on at once. */
    pass,
  };
}

/**
 * A flush of the stream that gives up after a second. The stream's own tries for ever, on the thread that serves, whatever
 * the system answers; the one answer after which it asks whether to go on is EAGAIN (R-X396).
 * @returns a function that answers false when not everything was written.
 */
function boundedFlush(destination: ReturnType<typeof pino.destination>): () => boolean {
  const { flushSync } = destination;
  return () => {
    const endAt = performance.now() + END_MS;
    const isOver = () => performance.now() > endAt;
    const bounded = new Proxy(destination, {
      get(target, name) {
        if (name === "retryEAGAIN") return () => !isOver();
        // Read before each try.
        if (name === "fd" && isOver()) throw Object.assign(new Error("The log takes no lines."), { code: "EAGAIN" });
        return Reflect.get(target, name, target) as unknown;
      },
    });
    try {
      flushSync.call(bounded);
      return true;
    } catch {
      // The sink takes nothing, so this error cannot be logged.
      return false;
    }
  };
}

const LOG_FILE_MODE = 0o600;

/** As tools that rotate logs need it: they move a file away, and not all of them say so to the program. */
function followPath(destination: ReturnType<typeof pino.destination>, path: string, file: number): void {
  let opened = identityOf(fstatSync(file));
  // It was made of a number, so that a start can say why there is none, and takes a path only where it has had one.
  Object.assign(destination, { file: path });
  const look = async () => {
    const found = await stat(path).then(identityOf, () => undefined);
    if (found === opened) return;
    try {
      // A first time here: where it cannot be opened, the lines go on to the file that is open.
      const fresh = openSync(path, "a", LOG_FILE_MODE);
      opened = identityOf(fstatSync(fresh));
      closeSync(fresh);
    } catch {
      return;
    }
    destination.reopen(path);
  };
  setInterval(() => void look(), LOOK_EVERY_MS).unref();
}

const identityOf = ({ dev, ino }: Stats): string => `${dev}/${ino}`;

function openLogFile(path: string): number {
  try {
    makeDirectory(dirname(path));
    return openSync(path, "a", LOG_FILE_MODE);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CannotStart(
      `The log file ${path} cannot be written (${code}). Make its directory writable or set log-destination.`,
      { exitCode: 78, cause },
    );
  }
}
