import { resolve } from "node:path";
import type { Failure } from "#runtime/basis/errors.ts";
import {
  namedTrouble,
  STORE_TROUBLE_CURES,
  STORE_TROUBLE_TEXTS,
  type StoreTrouble,
} from "#runtime/basis/store-troubles.ts";
import { shellWord } from "#runtime/basis/terminal-lines.ts";
import { type Advice, type AdvisedCommand, adviceText, asTyped, leadingTo } from "./advice.ts";
import { CommandError, commandError, EXIT, type ExitCode } from "./command-error.ts";
import { plain } from "./terminal-text.ts";

/** Which flag carries a field of the request, for example `address.iso_country_code` → `--country`. */
export type FieldFlags = Readonly<Record<string, string>>;

interface FailedCommand {
  readonly fields: FieldFlags;
  readonly socketDirectory: string;
  /** Identifies the call in the logs of Gatehouse. */
  readonly requestId: string;
  /** The command can be repeated under its request id without doing its work twice (R-G18). */
  readonly repeatable: boolean;
  /** As which id each thing was found that the command line named. */
  readonly found: ReadonlyMap<string, string>;
  /** A word for a shell with what the command line said for `<name>`, in its argument or flag; `undefined` if it did not. */
  readonly saidFor: (name: string) => string | undefined;
}

/** Command that lists the valid ids, by the reason of a NOT_FOUND. What the command line said has the place of `<…>`. */
const LISTS: Readonly<Record<string, string>> = {
  instance_not_found: "gatehouse instances list",
  tenant_not_found: "gatehouse tenants list",
  user_not_found: "gatehouse users list --tenant <tenant>",
  person_not_found: "gatehouse users list --tenant <tenant>",
  access_role_not_found: "gatehouse roles list --tenant <tenant>",
  worker_not_found: "gatehouse workers list --tenant <tenant>",
  unit_type_not_found: "gatehouse unit-types list --tenant <tenant>",
  unit_not_found: "gatehouse units list --tenant <tenant>",
  location_not_found: "gatehouse locations list --tenant <tenant>",
  integration_not_found: "gatehouse integrations list",
  instance_integration_not_found: "gatehouse integrations list",
  api_key_not_found: "gatehouse api-keys list",
  signing_key_not_found: "gatehouse signing-keys list",
  application_not_found: "gatehouse applications list",
  redirect_uri_not_registered: "gatehouse applications show <application>",
  refusal_not_found: "gatehouse audit list --request <request-id>",
  subscription_not_found: "gatehouse subscriptions list",
  delivery_not_found: "gatehouse deliveries list",
  recovery_not_found: "gatehouse recoveries list",
  event_not_found: "gatehouse events list",
  secret_not_found: "gatehouse subscriptions secrets list <subscription>",
};

/** Converts a failure into the command line's terms: with flags instead of fields, and with a remedy. */
export function failedCall(failure: Failure, command: FailedCommand): CommandError {
  const { code, reason, violations, named } = failure;
  const violationsByFlag = violations.map(({ field, reason: why }) => ({
    flag: flagOf(field, command.fields),
    reason: inFlags(why, named, command.fields),
  }));
  const { exitCode, message, fix } = explain(failure, command);
  if (violationsByFlag.length === 0) {
    return new CommandError(
      exitCode,
      fix === undefined ? [message] : [message, fix],
      { code, reason, message, fix: fix === undefined ? null : adviceText(fix), violations: violationsByFlag },
      { cause: failure },
    );
  }
  const each = violationsByFlag.map(({ flag, reason: why }) => `${flag} ${why}`);
  const json = { code, reason, message: `${each.join("; ")}.`, fix: null, violations: violationsByFlag };
  return new CommandError(exitCode, ["The request was refused:", ...each.map((one) => `  ${one}`)], json, {
    cause: failure,
  });
}

interface Explanation {
  readonly exitCode: ExitCode;
  readonly message: string;
  readonly fix?: Advice | undefined;
}

function explain(failure: Failure, command: FailedCommand): Explanation {
  const message = inFlags(failure.message, failure.named, command.fields);
  switch (failure.code) {
    case "UNAVAILABLE":
      return unavailable(failure, command);
    case "DEADLINE_EXCEEDED":
      return { exitCode: EXIT.notReachable, message: "Gatehouse did not answer in time.", fix: afterSilence(command) };
    case "NOT_FOUND": {
      const list = LISTS[failure.reason];
      // Access roles are given by name, and an unknown name is a mistake of usage (R-X194).
      const exitCode = failure.reason === "access_role_not_found" ? EXIT.usage : EXIT.refused;
      return { exitCode, message, fix: list && leadingTo("See what there is:", filled(list, command)) };
    }
    case "ALREADY_EXISTS":
      return { exitCode: EXIT.refused, message, fix: duplicateFix(failure.reason, command) };
    case "PERMISSION_DENIED":
    case "UNIMPLEMENTED":
      return {
        exitCode: EXIT.refused,
        message: "The running Gatehouse does not support this command.",
        fix: "Restart it, so that it is of the same version as this command line.",
      };
    case "INTERNAL":
      return {
        exitCode: EXIT.refused,
        message: "Something went wrong inside Gatehouse.",
        fix: `Its log says more; look for ${command.requestId}.`,
      };
    default:
      return { exitCode: EXIT.refused, message, fix: retryFix(failure) };
  }
}

function unavailable(failure: Failure, command: FailedCommand): Explanation {
  const trouble = namedTrouble(failure.reason);
  if (trouble !== undefined) return { exitCode: EXIT.notReachable, ...whyNoStore(trouble, failure, command) };
  // Only a failed connection has a cause on this side; an overloaded service reports that itself.
  if (failure.cause === undefined) {
    return {
      exitCode: EXIT.notReachable,
      message: failure.message,
      fix: retryFix(failure) ?? "Try again in a moment.",
    };
  }
  return { exitCode: EXIT.notReachable, ...whyNoConnection(failure.detail ?? "", command) };
}

/** Troubles that may come after the commit: its answer is lost, or the flush that it waits for. */
const MAY_HAVE_COMMITTED: ReadonlySet<StoreTrouble> = new Set<StoreTrouble>(["away", "disk", "hangs"]);

/** A store that is busy for a moment needs no operator; one that stays busy does, who finds the word in the manual. */
function whyNoStore(
  trouble: StoreTrouble,
  failure: Failure,
  command: FailedCommand,
): Pick<Explanation, "message" | "fix"> {
  const message = `The store cannot be used (${STORE_TROUBLE_TEXTS[trouble]}).`;
  if (trouble === "busy") return { message, fix: retryFix(failure) };
  const again = MAY_HAVE_COMMITTED.has(trouble) ? safeRepeat(command) : "Then run the command again.";
  return { message, fix: `${STORE_TROUBLE_CURES[trouble]}. ${again}` };
}

/** How grpc-js begins when a request was not sent. */
const NOT_SENT = "No connection established";

/** By the error of the socket, which grpc-js quotes. */
function whyNoConnection(detail: string, command: FailedCommand): Pick<Explanation, "message" | "fix"> {
  const { socketDirectory } = command;
  if (!detail.startsWith(NOT_SENT))
    return {
      message: "The connection to Gatehouse was lost before its answer came.",
      fix: `Gatehouse has ended, or is restarted: its log says more. ${safeRepeat(command)}`,
    };
  if (detail.includes("EACCES"))
    return {
      message: `This account may not use the sockets in ${socketDirectory}.`,
      fix: "Run the command as the account that runs Gatehouse.",
    };
  const [full] = /E[MN]FILE/.exec(detail) ?? [];
  if (full !== undefined)
    return {
      message: `This command cannot open a socket: too many files are open (${full}).`,
      fix: "Raise the limit (ulimit -n), or close other programs.",
    };
  // Without an error of the socket: it was accepted and closed.
  if (detail.includes("Failed to connect"))
    return {
      message: `A process listens in ${socketDirectory}, but closes each connection at once.`,
      fix: "Gatehouse is stopping, or has too many files open. Try again in a moment, or raise its limit (ulimit -n).",
    };
  return {
    // Absolute: in another directory the default is another one.
    message: `Gatehouse is not running: no process answers in ${resolve(socketDirectory)}.`,
    fix: "Start it with “make run” or “gatehouse serve”, or name its --socket-directory.",
  };
}

const filled = (list: string, { saidFor }: FailedCommand): AdvisedCommand =>
  asTyped(list.replaceAll(/<([a-z-]+)>/g, (place, name: string) => saidFor(name) ?? place));

const afterSilence = (command: FailedCommand): string =>
  command.repeatable ? safeRepeat(command) : `Its log and /health/ready say what it waits for. ${safeRepeat(command)}`;

/** How to repeat a command that may have done its work without doing it twice. */
function safeRepeat(command: FailedCommand): string {
  if (!command.repeatable) return "If the command makes a change, look whether it was made before you repeat it.";
  return `The change may have been made. Repeat the command with ${sameRequest(command)}.`;
}

/** A command that a signal ends, and that may be repeated; what it has sent is not known. */
export const interrupted = (command: Pick<FailedCommand, "requestId" | "found">): CommandError =>
  commandError(EXIT.notReachable, {
    code: "CANCELLED",
    reason: "interrupted",
    message: "Interrupted.",
    fix: `If the change was sent, it may have been made. Repeat the command with ${sameRequest(command)}.`,
  });

function sameRequest({ requestId, found }: Pick<FailedCommand, "requestId" | "found">): string {
  // The change may have ended the name.
  const ids = [...found].flatMap(([given, id]) => (given === id ? [] : [` and ${id} in place of ${shellWord(given)}`]));
  return `--request-id ${requestId}${ids.join("")}, so that it is made only once`;
}

const UNFINISHED = "gatehouse recoveries list --subscription <subscription> --state running --state paused";

function duplicateFix(reason: string, command: FailedCommand): Advice | undefined {
  if (reason === "request_id_reused") return "Omit --request-id, and a new one is used.";
  return reason === "recovery_not_over" ? leadingTo("See how far it is:", filled(UNFINISHED, command)) : undefined;
}

const retryFix = ({ retryAfterSeconds }: Failure): string | undefined =>
  retryAfterSeconds === undefined ? undefined : `Try again in ${retryAfterSeconds} s.`;

/** `job_titles[1]` → `--job-title (2)`; a field without a flag of its own keeps its name, dashed. */
function flagOf(field: string, fields: FieldFlags): string {
  const [, name = field, index, rest = ""] = /^(.*?)\[(\d+)\](?:\.(.*))?$/.exec(field) ?? [];
  const flag = fields[rest === "" ? name : `${name}.${rest}`] ?? fields[name] ?? `--${name.replaceAll(/[_.]/g, "-")}`;
  return index === undefined ? flag : `${flag} (${Number(index) + 1})`;
}

/** A list prints it after --cursor, as what to give to the next. */
const NEXT_CURSOR = "cursor";

/**
 * A sentence of the services, with the flags of this command for the fields that it names. A short name is in backticks. It
 * is one line: a name in it, which others chose, may have several.
 */
const inFlags = (sentence: string, named: readonly string[], fields: FieldFlags): string =>
  plain(sentence).replaceAll(/`([a-z]+)`|\b[a-z]+(?:_[a-z0-9]+)+\b/g, (found, word = found) => {
    if (!named.includes(word)) return found;
    return word === "next_cursor" ? NEXT_CURSOR : (fields[word] ?? found);
  });
