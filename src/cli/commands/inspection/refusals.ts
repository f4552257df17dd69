import { type Command, InvalidArgumentError } from "commander";
import type { ListedRefusal } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import type { ListedGatewayRefusal } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { contradiction, LISTED_DEFAULT, limitOption, noneOf, restOf } from "../../input/flags.ts";
import { anyApiKeyId, applicationId, integrationId } from "../../input/references.ts";
import { leadingTo, run } from "../../output/advice.ts";
import { toJsonInstant, toShownSecond } from "../../output/instant.ts";
import { many } from "../../output/outcome.ts";
import type { Column } from "../../output/table.ts";
import { askedOperation } from "./asked-operation.ts";
import { asInApi } from "./explain.ts";

interface ListOptions {
  readonly application?: string;
  readonly integration?: string;
  readonly apiKey?: string;
  readonly limit?: number;
  readonly cursor?: Position;
}

/** Where a list goes on: behind the refusal of that time and request id. */
interface Position {
  readonly at: Date;
  readonly requestId: string;
}

/** A refused request of either part: of sign-on with its application, of the gateway with its key. */
type Refusal = Position & {
  readonly operation: string;
  readonly check: string;
} & Partial<Omit<ListedRefusal, keyof Position> & Omit<ListedGatewayRefusal, keyof Position>>;

/** `gatehouse refusals …` */
export function addRefusals(program: Command, verb: Verb): void {
  program
    .command("refusals")
    .summary("requests that were refused, of sign-on and of the gateway")
    .command("list")
    .summary("list requests that were refused, newest first")
    .description(
      "Lists requests of sign-on and of the gateway that were refused, newest first, as far as a record of them exists: they are kept for 14 days, and of a flood only a few of a kind in a minute. “gatehouse explain” says of each what to do.",
    )
    .option("--application <id or name>", "only requests of sign-on that named this application")
    .option("--integration <id or name>", "only requests of the gateway by a key of this integration")
    .option("--api-key <id or label>", "only requests of the gateway by this key")
    .addOption(limitOption())
    .option("--cursor <text>", "continues where the previous list ended", parsePosition)
    .action(
      verb<ListOptions>(list, {
        application_id: "--application",
        integration_id: "--integration",
        api_key_id: "--api-key",
      }),
    );
}

async function list(asked: Asked, { application, integration, apiKey, limit, cursor }: ListOptions) {
  if (application !== undefined && (integration !== undefined || apiKey !== undefined))
    throw contradiction("--application", integration === undefined ? "--api-key" : "--integration");
  const most = limit ?? LISTED_DEFAULT;
  const page = { limit: most, before: cursor ?? null };
  const ofSignOn =
    integration === undefined && apiKey === undefined
      ? await asked.inspection.listRefusals(
          { ...page, applicationId: application === undefined ? null : await applicationId(asked, application) },
          asked.call,
        )
      : NONE;
  const ofGateway =
    application === undefined
      ? await asked.workforce.listGatewayRefusals(
          {
            ...page,
            integrationId: integration === undefined ? null : await integrationId(asked, integration),
            apiKeyId: apiKey === undefined ? null : await anyApiKeyId(asked, apiKey, integration),
          },
          asked.call,
        )
      : NONE;
  const found = [...ofSignOn.refusals, ...ofGateway.refusals].map(toRefusal).toSorted(newestFirst);
  const refusals = found.slice(0, most);
  const last = refusals.at(-1);
  const isMore = ofSignOn.more || ofGateway.more || found.length > most;
  const nextCursor = isMore && last !== undefined ? toCursor(last) : null;
  const filter = { application, integration, "api-key": apiKey };
  const next = leadingTo("what to do about one:", run`gatehouse explain ${refusals[0]?.requestId}`);
  return many({ refusals: refusals.map(toJson), nextCursor }, refusals, COLUMNS, {
    ifNone: { said: noneOf("refused requests", { ...filter, from: cursor }, nextCursor) },
    next,
    ...restOf("refusals list", { ...filter, limit }, nextCursor),
  });
}

const NONE: { readonly refusals: readonly never[]; readonly more: boolean } = { refusals: [], more: false };

const toRefusal = (listed: ListedRefusal | ListedGatewayRefusal): Refusal => ({
  ...listed,
  at: listed.at ?? new Date(0),
});

/** As both lists are ordered: ids are ASCII, so that characters and bytes have one order. */
function newestFirst(one: Position, other: Position): number {
  const byTime = other.at.getTime() - one.at.getTime();
  if (byTime !== 0) return byTime;
  return one.requestId < other.requestId ? 1 : -1;
}

const toCursor = ({ at, requestId }: Position): string => `${at.getTime()}/${requestId}`;

/** @throws InvalidArgumentError for what is not a cursor of this list. */
function parsePosition(text: string): Position {
  const [, time, requestId] = /^(\d{1,15})\/([A-Za-z0-9_-]{1,64})$/.exec(text) ?? [];
  if (time === undefined || requestId === undefined)
    throw new InvalidArgumentError("It must be the one that the previous list printed.");
  return { at: new Date(Number(time)), requestId };
}

/** The application, or the key with its integration; null where the request named none that is known. */
function whoAsked({ applicationId: id, applicationName, ...key }: Refusal): string | null {
  if (id) return applicationName ?? id;
  if (!key.apiKeyId) return null;
  return key.integrationName ? `${key.apiKeyLabel} of ${key.integrationName}` : key.apiKeyId;
}

const COLUMNS: readonly Column<Refusal>[] = [
  { heading: "refused", cell: ({ at }) => toShownSecond(at) },
  { heading: "asked", cell: ({ operation }) => askedOperation(operation) ?? null },
  { heading: "by", cell: whoAsked },
  { heading: "failed check", cell: ({ check, error }) => (error === undefined ? asInApi(check) : check) },
  { heading: "request", cell: ({ requestId }) => requestId },
];

const toJson = (refusal: Refusal) => ({
  requestId: refusal.requestId,
  at: toJsonInstant(refusal.at),
  operation: askedOperation(refusal.operation) ?? null,
  check: refusal.check,
  error: refusal.error || null,
  applicationId: refusal.applicationId ?? null,
  applicationName: refusal.applicationName ?? null,
  apiKeyId: refusal.apiKeyId ?? null,
  apiKeyLabel: refusal.apiKeyLabel ?? null,
  integrationId: refusal.integrationId ?? null,
  integrationName: refusal.integrationName ?? null,
});
