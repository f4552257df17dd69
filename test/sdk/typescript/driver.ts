import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { GatehouseOptions } from "gatehouse-sdk";

/**
 * Calls the SDK for a harness: takes a call as a line of JSON, answers with what its caller gets as a line of JSON
 * (test/conformance/sdk-driver.ts). GATEHOUSE_SDK names the module, if it is not installed; GATEHOUSE_SDK_DOCUMENT is the
 * document that the SDK was made from.
 */

const sdk = (await import(process.env.GATEHOUSE_SDK ?? "gatehouse-sdk")) as typeof import("gatehouse-sdk");

// biome-ignore lint/suspicious/noExplicitAny: lines of JSON, and members of the SDK found by their names
type Loose = any;
type Json = Readonly<Record<string, Loose>>;
interface Call extends Json {
  readonly baseUrl: string;
}

const document = JSON.parse(readFileSync(process.env.GATEHOUSE_SDK_DOCUMENT ?? "", "utf8")) as Json;
const operations = new Map<string, Json>(
  Object.values(document.paths as Json).flatMap((item: Json) =>
    Object.values(item)
      .filter(({ operationId }) => operationId !== undefined)
      .map((operation: Json) => [operation.operationId, operation] as const),
  ),
);

/** The schema of an operation's success. */
const schemaOf = (operationId: string): Json | undefined => {
  const responses = (operations.get(operationId)?.responses ?? {}) as Json;
  const answer = ["200", "201", "202"].map((status) => responses[status] as Json | undefined).find((one) => one);
  return answer?.content?.["application/json"]?.schema;
};

/** The class of an operation's body. */
const modelOf = (operationId: string): string => {
  const schema = operations.get(operationId)?.requestBody?.content["application/json"].schema as Json | undefined;
  return (
    String(schema?.$ref ?? "/TokenRequest")
      .split("/")
      .at(-1) ?? ""
  );
};

/** What the generated operation takes as its body. */
const bodyOf = (operationId: string, body: unknown): Json => {
  const model = modelOf(operationId);
  return { [model.charAt(0).toLowerCase() + model.slice(1)]: (sdk as Json)[`${model}FromJSON`](body) };
};

/** A value of the SDK in the contract's words. */
function inWire(schema: Json | undefined, value: Loose): unknown {
  if (schema?.type === "array") return value.map((item: unknown) => inWire(schema.items, item));
  const name = String(schema?.$ref ?? "")
    .split("/")
    .at(-1);
  const toJson = (sdk as Json)[`${name}ToJSON`];
  return toJson === undefined ? value : toJson(value);
}

const answerOf = (error: unknown) =>
  error instanceof sdk.GatehouseError ? { error: errorMembers(error) } : { crash: String((error as Error).stack) };

const errorMembers = (error: InstanceType<typeof sdk.GatehouseError>) => {
  const { status, code, title, detail, requestId, retryAfter, violations, error: word, errorDescription } = error;
  return { status, code, title, detail, requestId, retryAfter, violations, error: word, errorDescription };
};

async function operation({
  operationId,
  parameters,
  body,
  apiKey,
  basic,
  bearer,
  headers,
  baseUrl,
  retries = 0,
}: Call) {
  const gatehouse = new sdk.Gatehouse({
    baseUrl,
    retries,
    entityTags: false,
    ...(apiKey === null ? {} : { apiKey }),
    ...(bearer === null ? {} : { accessToken: bearer }),
    ...(basic === null ? {} : { application: { id: basic.username, secret: basic.password } }),
  });
  const api = (operationId in gatehouse.gateway ? gatehouse.gateway : gatehouse.signOn) as Json;
  if (!(operationId in api)) return { unsupported: `There is no ${operationId}.` };
  const ifNoneMatch = headers["if-none-match"];
  const given = {
    ...parameters,
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
    ...(body === null ? {} : bodyOf(operationId, body)),
  };
  const takesNone = Object.keys(given).length === 0 && operations.get(operationId)?.parameters === undefined;
  const response = await (takesNone ? api[`${operationId}Raw`]() : api[`${operationId}Raw`](given));
  const schema = schemaOf(operationId);
  return { status: response.raw.status, body: schema === undefined ? null : inWire(schema, await response.value()) };
}

const OPERATION_OF: Readonly<Record<string, string>> = {
  instanceIntegrations: "listInstanceIntegrations",
  clients: "listClients",
  client: "getClient",
  workers: "listWorkersV2",
  worker: "getWorkerV2",
  users: "listUsers",
  user: "getUser",
  jobTitles: "listJobTitles",
  organizationStructure: "getOrganizationStructure",
};

const kept = new Map<string, InstanceType<typeof sdk.Gatehouse>>();

async function door({ door: name, arguments: given, baseUrl, apiKey, options, keep, cancelAfterMs, times }: Call) {
  const made = () => new sdk.Gatehouse({ ...(options as Partial<GatehouseOptions>), baseUrl, apiKey });
  const gatehouse = (keep === null ? undefined : kept.get(keep)) ?? made();
  if (keep !== null) kept.set(keep, gatehouse);
  const cancel = cancelAfterMs === undefined ? [] : [{ signal: AbortSignal.timeout(cancelAfterMs) }];
  if (name === "workersUntilError") return { value: await untilError(gatehouse.workers(given[0], given[1])) };
  const one = async () => {
    const result = (gatehouse as unknown as Json)[name](...given, ...cancel);
    const value = Symbol.asyncIterator in result ? await collected(result) : await result;
    return inWire(schemaOf(OPERATION_OF[name] ?? ""), value);
  };
  return { value: times === undefined ? await one() : await Promise.all(Array.from({ length: times }, one)) };
}

async function collected(items: AsyncIterable<unknown>) {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function untilError(workers: AsyncIterable<{ readonly id: string }>) {
  const ids: string[] = [];
  try {
    for await (const { id } of workers) ids.push(id);
  } catch (error) {
    if (!(error instanceof sdk.GatehouseError)) throw error;
    return { ids, code: error.code };
  }
  return { ids, code: null };
}

async function verify({ secrets, headers, body, now, toleranceSeconds }: Call) {
  try {
    const options = { now: new Date(now * 1000), ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }) };
    const event = await sdk.verifyEvent(secrets, headers, body, options);
    return event.type === "unknown"
      ? { event: { type: event.originalType, known: false } }
      : { event: { type: event.type, known: true } };
  } catch (error) {
    if (error instanceof sdk.EventRefused) return { eventRefused: error.reason };
    throw error;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const call = JSON.parse(line) as Call;
  const made = call.door === undefined ? operation(call) : call.door === "verify" ? verify(call) : door(call);
  const answer = await made.catch(answerOf);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
