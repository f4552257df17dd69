import { type Command, InvalidArgumentError } from "commander";
import type { ApiKey, RateLimit } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { present } from "../../connection/answers.ts";
import { type Names, namesOf } from "../../connection/names.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { allApiKeys } from "../../connection/whole-lists.ts";
import { parseInstant, requestIdOption } from "../../input/flags.ts";
import { integrationId } from "../../input/references.ts";
import { readToken } from "../../input/secret-input.ts";
import { API_KEY } from "../../input/subjects.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { leadingTo, run } from "../../output/advice.ts";
import { commandError, EXIT } from "../../output/command-error.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { many, type OutcomeWords, one } from "../../output/outcome.ts";
import type { Column } from "../../output/table.ts";
import { keyScopeOption, type ScopeWord, toKeyScopes, toScopeWords } from "./key-scopes.ts";
import { isAccepted, keyState } from "./key-state.ts";

interface IssueOptions {
  readonly integration: string;
  readonly label: string;
  readonly expiresAt?: Date;
  readonly rateLimit?: RateLimit;
  readonly scope?: readonly ScopeWord[];
}

interface ListOptions {
  readonly integration?: string;
  readonly expiresBefore?: Date;
}

/** `gatehouse api-keys …` */
export function addApiKeys(program: Command, verb: Verb): void {
  const noun = program
    .command("api-keys")
    .summary("keys with which integrations use the gateway: read, and manage their webhooks");

  noun
    .command("issue")
    .summary("create a key; it is shown this once")
    .requiredOption("--integration <id or name>", "integration that it belongs to")
    .requiredOption("--label <text>", "a name that distinguishes it from others")
    .option("--expires-at <date>", "date or instant at which it expires; never by default", parseInstant)
    .option(
      "--rate-limit <requests>",
      "requests a second and at once, like 20/40, or none; by default the installation's limit",
      parseRateLimit,
    )
    .addOption(keyScopeOption("it", "read").default(["read"]))
    .addOption(requestIdOption())
    .action(
      verb<IssueOptions>(
        async (asked, { integration, label, expiresAt, rateLimit, scope = [] }) => {
          const { workforce, requestId, call } = asked;
          const request = {
            integrationId: await integrationId(asked, integration),
            label,
            expiresAt: expiresAt ?? null,
            rateLimit: rateLimit ?? null,
            scopes: toKeyScopes(scope),
            requestId,
          };
          const { apiKey, secret } = await workforce.issueApiKey(request, call);
          const key = present(apiKey);
          const names = await namesOf(asked, [key.integrationId]);
          return one({ ...toApiKeyJson(key), secret }, [...apiKeyFacts(key, names), ["secret", secret]], {
            said: "The key is created. Its secret is shown this once and stored nowhere: store it now, in a safe place.",
            next: "curl -H 'x-api-key: <the secret>' <gateway address>/v1/instance-integrations",
            ifUnread: leadingTo("Revoke the key and issue another:", run`gatehouse api-keys revoke ${key.id}`),
          });
        },
        {
          integration_id: "--integration",
          expires_at: "--expires-at",
          "rate_limit.per_second": "--rate-limit",
          "rate_limit.burst": "--rate-limit",
        },
      ),
    );

  noun
    .command("list")
    .summary("list the keys of an integration, or of all, oldest first, without their secrets")
    .option("--integration <id or name>", "integration whose keys are listed; all by default")
    .option("--expires-before <date>", "only keys that are accepted now, and expire before", parseInstant)
    .action(
      verb<ListOptions>(
        async (asked, { integration, expiresBefore }) => {
          const owner = integration === undefined ? undefined : await integrationId(asked, integration);
          const apiKeys = await allApiKeys(asked, { integrationId: owner, expiresBefore });
          const names =
            owner === undefined
              ? await namesOf(
                  asked,
                  apiKeys.map((key) => key.integrationId),
                )
              : undefined;
          return many({ apiKeys: apiKeys.map(toApiKeyJson) }, apiKeys, columnsOf(names), {
            ifNone: whenNone(integration, expiresBefore),
          });
        },
        { integration_id: "--integration", expires_before: "--expires-before" },
      ),
    );

  noun
    .command("find")
    .summary("say which key a secret is, for one that was found where it should not be")
    .description(
      "Says which key a secret is, and whether it is still accepted. The secret comes from standard input or a file; as an argument it stays in the history of the shell.",
    )
    .argument("[secret]", "the whole key, ghk_…; standard input without one, or with -")
    .option("--file <path>", "file with the key")
    .action(
      verb<{ file?: string }>(
        async (asked, { file }, given) => {
          const secret = await readToken(given, file, asked, "key");
          const { apiKey } = await asked.workforce.findApiKey({ secret }, asked.call);
          if (apiKey === null)
            throw commandError(EXIT.usage, {
              code: "NOT_FOUND",
              reason: "api_key_not_found",
              message: "No integration of this installation has that key.",
              fix: "Ask at your other installations.",
            });
          return shownKey(
            asked,
            apiKey,
            isAccepted(apiKey)
              ? {
                  said: "The key is accepted: everyone who has the secret can use it.",
                  next: run`gatehouse api-keys revoke ${apiKey.id}`,
                }
              : { said: "The key is refused.", next: run`gatehouse audit list --object ${apiKey.id}` },
          );
        },
        { secret: "the key" },
      ),
    );

  verbOfOne(noun, verb, API_KEY)("revoke", "refuse a key from now on", async (asked, id) => {
    const key = present((await asked.workforce.revokeApiKey({ apiKeyId: id }, asked.call)).apiKey);
    return shownKey(asked, key, {
      said: "The key is revoked: every request that starts now is refused.",
      next: run`gatehouse api-keys list --integration ${key.integrationId}`,
    });
  });
}

/** @param names of the integrations, where the keys are not all of one. */
const columnsOf = (names: Names | undefined): readonly Column<ApiKey>[] => [
  { heading: "label", cell: ({ label }) => label },
  ...(names === undefined
    ? []
    : [{ heading: "integration", cell: ({ integrationId }: ApiKey) => names.of(integrationId) }]),
  { heading: "id", cell: ({ id }) => id },
  { heading: "state", cell: keyState },
  { heading: "scopes", cell: ({ scopes }) => toScopeWords(scopes).join(" ") },
  { heading: "created", cell: ({ createdAt }) => toShownInstant(createdAt) },
  { heading: "last used", cell: ({ lastUsedAt }) => toShownInstant(lastUsedAt) ?? "never" },
  { heading: "limit", cell: ({ rateLimit }) => toRateLimit(rateLimit) },
];

function whenNone(integration: string | undefined, expiresBefore: Date | undefined): OutcomeWords {
  if (expiresBefore !== undefined) return { said: "No key that is accepted now expires before then." };
  return {
    said: integration === undefined ? "There are no API keys yet." : "The integration has no API keys yet.",
    next: run`gatehouse api-keys issue --integration ${integration} --label …`,
  };
}

const toApiKeyJson = ({
  id,
  integrationId,
  label,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
  rateLimit,
  scopes,
}: ApiKey) => ({
  id,
  integrationId,
  label,
  createdAt: toJsonInstant(createdAt),
  expiresAt: toJsonInstant(expiresAt),
  revokedAt: toJsonInstant(revokedAt),
  lastUsedAt: toJsonInstant(lastUsedAt),
  rateLimit,
  scopes: toScopeWords(scopes),
});

const shownKey = async (asked: Asked, key: ApiKey, words: OutcomeWords) =>
  one(toApiKeyJson(key), apiKeyFacts(key, await namesOf(asked, [key.integrationId])), words);

const apiKeyFacts = (key: ApiKey, names: Names) =>
  [
    ["id", key.id],
    ["label", key.label],
    ["integration", names.of(key.integrationId)],
    ["state", keyState(key)],
    ["created", toShownInstant(key.createdAt)],
    ["last used", toShownInstant(key.lastUsedAt) ?? "never"],
    ["scopes", toScopeWords(key.scopes).join(" ")],
    ["limit", toRateLimit(key.rateLimit)],
  ] as const;

/**
 * Reads `20/40`, requests a second and at once, or `none`. Does not check the allowed range. @throws
 * InvalidArgumentError
 */
function parseRateLimit(text: string): RateLimit {
  if (text === "none") return { perSecond: 0, burst: 0 };
  const [, perSecond, burst] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  if (perSecond === undefined || burst === undefined)
    throw new InvalidArgumentError("It must be requests a second and at once, like 20/40, or none.");
  return { perSecond: Number(perSecond), burst: Number(burst) };
}

/** A key's own limit in the form of the flag; `default` for the installation's. */
function toRateLimit(rateLimit: RateLimit | null): string {
  if (rateLimit === null) return "default";
  return rateLimit.perSecond === 0 ? "none" : `${rateLimit.perSecond}/${rateLimit.burst}`;
}
