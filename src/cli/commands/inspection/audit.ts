import type { Command } from "commander";
import type { AuditEntry } from "#generated/proto/gatehouse/audit/v1/audit.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { parseInstant, parseWholeNumber } from "../../input/flags.ts";
import { toJsonInstant } from "../../output/instant.ts";
import { many } from "../../output/outcome.ts";
import { shellWord } from "../../output/terminal-text.ts";

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

const LIMIT_DEFAULT = 50;
/** Readings of one command: a filter with few matches stops after this much of the log and prints how to continue. */
const READINGS_MAX = 20;

/** `gatehouse audit …` */
export function addAudit(program: Command, verb: Verb): void {
  program
    .command("audit")
    .summary("who did what")
    .command("list")
    .summary("list what was done, newest first")
    .option("--object <id>", "only changes to this object")
    .option("--actor <id>", "only actions of this person, application or peer")
    .option("--action <name>", "only this action, like application.create, or application.* for all of a noun")
    .option("--request <id>", "only actions of this request")
    .option("--since <date>", "not before this date or instant", parseInstant)
    .option("--until <date>", "before this date or instant", parseInstant)
    .option("--limit <n>", "how many, 1 to 500 (default: 50)", parseWholeNumber)
    .option("--cursor <text>", "continues where the previous list ended")
    .action(
      verb<ListOptions>(
        async (asked, options) => {
          const { entries, nextCursor } = await readEntries(asked, options);
          const json = { entries: entries.map(toEntryJson), nextCursor };
          return many(json, entries, COLUMNS, {
            ifNone: {
              said: nextCursor === null ? "There are no such entries." : "There are no such entries so far back.",
              ...goingOn(options, nextCursor),
            },
            ...goingOn(options, nextCursor),
          });
        },
        { object: "--object", actor: "--actor", action: "--action" },
      ),
    );
}

/** Reads until enough entries are found, since one call scans only a part of the log. */
async function readEntries({ audit, call }: Asked, options: ListOptions) {
  const entries: AuditEntry[] = [];
  let cursor: string | null = options.cursor ?? null;
  for (let reading = 0; reading < READINGS_MAX; reading++) {
    const limit: number = (options.limit ?? LIMIT_DEFAULT) - entries.length;
    const page = await audit.listAuditEntries(
      {
        object: options.object ?? null,
        actor: options.actor ?? null,
        action: options.action ?? null,
        requestId: options.request ?? null,
        since: options.since ?? null,
        until: options.until ?? null,
        limit,
        cursor,
      },
      call,
    );
    entries.push(...page.entries);
    cursor = page.nextCursor ?? null;
    if (cursor === null || page.entries.length >= limit) break;
  }
  return { entries, nextCursor: cursor };
}

const COLUMNS = [
  { heading: "at", cell: ({ at }: AuditEntry) => at?.toISOString().slice(0, 19).replace("T", " ") ?? null },
  { heading: "actor", cell: ({ actor }: AuditEntry) => actor },
  { heading: "action", cell: ({ action }: AuditEntry) => action },
  { heading: "object", cell: ({ object }: AuditEntry) => object },
  { heading: "facts", cell: ({ facts }: AuditEntry) => shownFacts(facts) },
  { heading: "request", cell: ({ requestId }: AuditEntry) => (requestId === "" ? null : requestId) },
];

const factsOf = (facts: string): Readonly<Record<string, unknown>> => JSON.parse(facts) as Record<string, unknown>;

/** `{"count":3}` → `count=3` */
const shownFacts = (facts: string): string | null => {
  const pairs = Object.entries(factsOf(facts));
  return pairs.length === 0 ? null : pairs.map(([name, value]) => `${name}=${String(value)}`).join(" ");
};

const toEntryJson = ({ at, actor, action, object, requestId, facts }: AuditEntry) => ({
  at: toJsonInstant(at),
  actor,
  action,
  object,
  requestId,
  facts: factsOf(facts),
});

/** The same filter again, as flags, starting where the list ended. */
function goingOn(options: ListOptions, cursor: string | null): { readonly next?: string } {
  if (cursor === null) return {};
  const { object, actor, action, request, since, until, limit } = options;
  const filter = Object.entries({ object, actor, action, request }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  );
  const flags = [
    ...filter,
    ...(since === undefined ? [] : [`--since ${since.toISOString()}`]),
    ...(until === undefined ? [] : [`--until ${until.toISOString()}`]),
    ...(limit === undefined ? [] : [`--limit ${limit}`]),
    `--cursor ${cursor}`,
  ];
  return { next: `gatehouse audit list ${flags.join(" ")}` };
}
