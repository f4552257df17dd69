import { type Command, Option } from "commander";
import type { AuditEntry } from "#generated/proto/gatehouse/audit/v1/audit.ts";
import { isAnyId } from "#runtime/basis/ids.ts";
import { PEERS } from "#runtime/rpc/call.ts";
import { type ListPart, untilFound } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { LISTED_DEFAULT, limitOption, parseInstant, parseWholeNumber, restOf } from "../../input/flags.ts";
import { offering } from "../../input/offered.ts";
import { anyId, personId } from "../../input/references.ts";
import { type AdvisedCommand, leadingTo, run } from "../../output/advice.ts";
import type { Facts } from "../../output/card.ts";
import { commandError, EXIT } from "../../output/command-error.ts";
import { toJsonInstant } from "../../output/instant.ts";
import { many, one } from "../../output/outcome.ts";
import { AUDIT_ACTIONS, assertAction } from "./audit-actions.ts";

interface ListOptions {
  readonly object?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly request?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit?: number;
  readonly cursor?: string;
}

/** Readings of one command: a filter with few matches stops after this much of the log and prints how to continue. */
const READINGS_MAX = 20;

/** `gatehouse audit …` */
export function addAudit(program: Command, verb: Verb): void {
  const noun = program.command("audit").summary("who did what");

  noun
    .command("list")
    .summary("list what was done, newest first")
    .description(
      "Lists what was done, newest first. The actor of a command is operator or platform, and the account of the machine that it ran under, as the command says it. On one line facts are cut short: gatehouse audit show, or --json, has them whole.",
    )
    .option("--object <id or name>", "only changes to this object; a person by e-mail address, too")
    .option("--actor <id or name>", "only actions of this person, application or peer; operator is every account of it")
    .addOption(
      offering(
        new Option("--action <name>", "only this action, like application.create, or application.* for all of a noun"),
        AUDIT_ACTIONS,
      ),
    )
    .option("--request <id>", "only actions of this request")
    .option("--since <date>", "not before this date or instant", parseInstant)
    .option("--until <date>", "before this date or instant", parseInstant)
    .addOption(limitOption())
    .option("--cursor <text>", "continues where the previous list ended")
    .action(
      verb<ListOptions>(
        async (asked, options) => {
          const { entries, nextCursor, filter } = await readNamed(asked, options);
          const json = { entries: entries.map(toEntryJson), nextCursor };
          return many(json, entries, COLUMNS, {
            ifNone: {
              said: nextCursor === null ? "There are no such entries." : "There are no such entries so far back.",
              ...goingOn(filter, nextCursor),
            },
            ...goingOn(filter, nextCursor),
          });
        },
        { object: "--object", actor: "--actor", action: "--action" },
      ),
    );

  noun
    .command("show")
    .summary("show one entry whole")
    .argument("<number>", "number of the entry, as gatehouse audit list shows it", parseWholeNumber)
    .action(
      verb<object>(async ({ audit, call }, _options, number = "") => {
        const { entries } = await audit.listAuditEntries(
          { ...NO_FILTER, limit: 1, cursor: String(Number(number) + 1) },
          call,
        );
        const entry = entries.find((one) => one.number === String(Number(number)));
        if (entry === undefined)
          throw commandError(EXIT.refused, {
            code: "NOT_FOUND",
            reason: "audit_entry_not_found",
            message: `There is no entry ${number}.`,
            fix: leadingTo("See what there is:", run`gatehouse audit list`),
          });
        return one(toEntryJson(entry), entryFacts(entry));
      }),
    );
}

/**
 * The entries of a filter whose object and actor may be names: they are looked for where the log has nothing under
 * the text itself, and an action must be one.
 * @throws CommandError for an unknown or ambiguous name, and for an unknown action.
 */
async function readNamed(asked: Asked, options: ListOptions) {
  const filter = await withObjectId(asked, options);
  const found = await readEntries(asked, filter);
  if (found.entries.length > 0) return { ...found, filter };
  if (filter.action !== undefined) assertAction(filter.action);
  const object =
    filter.object === undefined || isId(filter.object) || (await isInLog(asked, filter, "object"))
      ? {}
      : { object: await anyId(asked, filter.object) };
  const actor =
    filter.actor === undefined || isActor(filter.actor) || (await isInLog(asked, filter, "actor"))
      ? {}
      : { actor: await anyId(asked, filter.actor) };
  const named = { ...filter, ...object, ...actor };
  if (named.object === filter.object && named.actor === filter.actor) return { ...found, filter };
  return { ...(await readEntries(asked, named)), filter: named };
}

/**
 * True where the log has entries under the text itself, whatever else is asked for: it is no name then, but the id of a
 * signing key or of an import, for example. Without another flag, the search that found nothing has said so.
 */
async function isInLog(asked: Asked, filter: ListOptions, flag: "object" | "actor"): Promise<boolean> {
  const { action, request, since, until, cursor } = filter;
  const other = flag === "object" ? filter.actor : filter.object;
  if ([other, action, request, since, until, cursor].every((one) => one === undefined)) return false;
  return (await readEntries(asked, { [flag]: filter[flag], limit: 1 })).entries.length > 0;
}

/** False for a name with an underscore, such as `time_clock`. */
const isId = (text: string): boolean => isAnyId(text) || text === "deliveries";

/** An id, or a peer, with or without the account of a machine. */
const isActor = (text: string): boolean =>
  isId(text) || PEERS.some((peer) => text === peer || text.startsWith(`${peer}:`));

/** The filter with a person's id in the place of an e-mail address. @throws CommandError when no person has it. */
async function withObjectId(asked: Asked, options: ListOptions): Promise<ListOptions> {
  if (options.object === undefined || !options.object.includes("@")) return options;
  return { ...options, object: await personId(asked, options.object) };
}

const NO_FILTER = { object: null, actor: null, action: null, requestId: null, since: null, until: null };

/** Reads until enough entries are found, since one call scans only a part of the log. */
const readEntries = ({ audit, call }: Asked, options: ListOptions): Promise<ListPart<AuditEntry>> => {
  const filter = {
    object: options.object ?? null,
    actor: options.actor ?? null,
    action: options.action ?? null,
    requestId: options.request ?? null,
    since: options.since ?? null,
    until: options.until ?? null,
  };
  const wanted = { limit: options.limit ?? LISTED_DEFAULT, cursor: options.cursor, readings: READINGS_MAX };
  return untilFound(wanted, async (limit, cursor) => {
    const { entries, nextCursor } = await audit.listAuditEntries({ ...filter, limit, cursor }, call);
    return { entries, nextCursor: nextCursor ?? null };
  });
};

/** With the other columns this fits 120 characters. */
const FACTS_WIDTH = 24;

const COLUMNS = [
  { heading: "no.", cell: ({ number }: AuditEntry) => number, align: "right" as const },
  { heading: "at (UTC)", cell: ({ at }: AuditEntry) => at?.toISOString().slice(0, 16).replace("T", " ") ?? null },
  { heading: "actor", cell: ({ actor }: AuditEntry) => actor },
  { heading: "action", cell: ({ action }: AuditEntry) => action },
  { heading: "object", cell: ({ object }: AuditEntry) => object },
  { heading: "facts", cell: ({ facts }: AuditEntry) => saidFacts(facts), cutAt: FACTS_WIDTH },
];

const entryFacts = ({ number, at, actor, action, object, requestId, facts }: AuditEntry): Facts => [
  ["number", number],
  ["at", toJsonInstant(at)],
  ["actor", actor],
  ["action", action],
  ["object", object],
  ["request", requestId],
  ["facts", Object.entries(factsOf(facts)).map(namedFact)],
];

const namedFact = ([name, value]: [string, unknown]): string => `${name}=${String(value)}`;

const factsOf = (facts: string): Readonly<Record<string, unknown>> => JSON.parse(facts) as Record<string, unknown>;

/** `{"count":3,"by":null,"of":"app"}` → `count=3, of=app`: facts that say something. */
const saidFacts = (facts: string): string =>
  Object.entries(factsOf(facts))
    .filter(([, value]) => value !== null && value !== "")
    .map(namedFact)
    .join(", ");

const toEntryJson = ({ number, at, actor, action, object, requestId, facts }: AuditEntry) => ({
  number,
  at: toJsonInstant(at),
  actor,
  action,
  object,
  requestId,
  facts: factsOf(facts),
});

/** The filter's flags once more, starting where the list ended. */
const goingOn = (options: ListOptions, cursor: string | null): { readonly next?: AdvisedCommand } => {
  const { object, actor, action, request, since, until, limit } = options;
  return restOf("audit list", { object, actor, action, request, since, until, limit }, cursor);
};
