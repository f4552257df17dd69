import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import openapiTypescript, { astToString } from "openapi-typescript";
import { parse } from "yaml";
import { commonPasswords } from "./common-passwords.ts";
import { PING_TYPE, testEventTable } from "./contracts/event-examples.ts";
import { publishedIndex } from "./contracts/index-file.ts";
import { EVENTS_CONTRACT, REST_CONTRACTS } from "./contracts/names.ts";
import { platformProtos } from "./contracts/platform-protos.ts";
import { platformReference } from "./contracts/platform-reference.ts";
import { signedVectorsFile } from "./contracts/signed-vectors-file.ts";
import { pathsToOpen, referencePages } from "./guides/link-targets.ts";
import { signOnErrors } from "./guides/refused-sign-ins.ts";
import { writeGuides } from "./guides/write-guides.ts";
import { samples } from "./samples/samples.ts";

/**
 * Makes everything in generated/, except the SDKs, from openapi/ and proto/: bundles and the files published with them,
 * types, operation tables, event types, test events, codes of problems and errors, RPC stubs, the samples of the reference, and the guides out of
 * docs/guides/; and the common passwords out of the package that collects them. The same input gives the same bytes.
 * Usage: node tools/generate.ts [folder], by default `generated`.
 */

const NOTICE = "// Made by `make generate`. Do not edit.\n\n";
const METHODS = ["get", "post", "put", "patch", "delete"] as const;
/** Kept: made by `make sdks`, which takes longer. */
const KEPT = "sdk";

const {
  positionals: [target = "generated"],
} = parseArgs({ allowPositionals: true });
/** Takes the target's place in the end, so a mistake in a contract or a guide leaves what was generated before. */
mkdirSync(".cache", { recursive: true });
const draft = mkdtempSync(join(".cache", "generate-"));
process.on("exit", () => rmSync(draft, { recursive: true, force: true }));

/** Runs a program of node_modules, silently; when it fails, what it says is all that is printed, and nothing is generated. */
function run(program: string, ...args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(join("node_modules", ".bin", program), args, {
    encoding: "utf8",
  });
  if (status === 0) return;
  console.error(
    `${stdout}${stderr}\n${program} ${args[0]} failed${error === undefined ? "" : ` (${error.message})`}; ${target} is as it was.`,
  );
  process.exit(1);
}

interface Contract {
  readonly info?: { readonly version: string };
  readonly paths?: Record<string, Record<string, { operationId?: string }>>;
  readonly webhooks?: Record<string, unknown>;
  readonly components?: { readonly messages?: Record<string, { name: string }> };
  readonly operations?: Readonly<Record<string, { readonly messages?: readonly { readonly $ref: string }[] }>>;
}

function bundle(name: string, root: string): Contract {
  const base = join(draft, "contracts", name);
  for (const extension of ["yaml", "json"]) run("redocly", "bundle", root, "--output", `${base}.${extension}`);
  return JSON.parse(readFileSync(`${base}.json`, "utf8"));
}

async function writeTypes(name: string): Promise<void> {
  const document = JSON.parse(readFileSync(join(draft, "contracts", `${name}.json`), "utf8"));
  const types = await openapiTypescript(withOptionalHeadersInPlace(document), { alphabetize: false });
  writeFileSync(join(draft, "types", `${name}.ts`), NOTICE + astToString(types));
}

/**
 * openapi-typescript treats every referenced header as required, so optional ones are put in place of their references.
 */
function withOptionalHeadersInPlace<T>(
  document: T & { components?: { headers?: Record<string, { required?: boolean }> } },
): T {
  const headers = document.components?.headers ?? {};
  return JSON.parse(JSON.stringify(document), (_, value) => {
    const header = headers[String(value?.$ref ?? "").replace("#/components/headers/", "")];
    return header?.required === false ? header : value;
  });
}

/** The operations of one contract: operationId → method and path template, in the order of the contract. */
function writeOperations(name: string, contract: Contract): void {
  const rows = Object.entries(contract.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operationId = item[method]?.operationId;
      return operationId === undefined ? [] : [[operationId, { method: method.toUpperCase(), path }] as const];
    }),
  );
  const table = JSON.stringify(Object.fromEntries(rows), null, 2);
  writeFileSync(
    join(draft, "operations", `${name}.ts`),
    `${NOTICE}/** Method and path template of each operation of ${name}.yaml. */\nexport const operations = ${table} as const;\n`,
  );
}

/** One list of event types: the AsyncAPI document is the source, the gateway contract must list the same. */
function writeEventTypes(events: Contract, gateway: Contract): void {
  const types = Object.values(events.components?.messages ?? {}).map((message) => message.name);
  const listed = Object.keys(gateway.webhooks ?? {});
  if ([...types].sort().join() !== [...listed].sort().join()) {
    throw new Error(
      `webhooks.asyncapi.yaml lists ${types.join(", ")}, gateway.yaml lists ${listed.join(", ")}: make them equal`,
    );
  }
  const subscribed = types.filter((type) => type !== PING_TYPE);
  const operational = (events.operations?.sendOperationalEvent?.messages ?? []).map(
    ({ $ref }) => events.components?.messages?.[$ref.split("/").at(-1) ?? ""]?.name,
  );
  writeFileSync(
    join(draft, "event-types.ts"),
    `${NOTICE}/** Every event type of webhooks.asyncapi.yaml that a subscription can name. */\nexport const EVENT_TYPES = ${JSON.stringify(subscribed, null, 2)} as const;\n\nexport type EventType = (typeof EVENT_TYPES)[number];\n\n/** Those about subscriptions and deliveries, which no subscription gets without naming them. */\nexport const OPERATIONAL_EVENT_TYPES = ${JSON.stringify(operational, null, 2)} as const satisfies readonly EventType[];\n\nexport type OperationalEventType = (typeof OPERATIONAL_EVENT_TYPES)[number];\n\n/** Every type that an endpoint may get. */\nexport const SENT_TYPES = [...EVENT_TYPES, ${JSON.stringify(PING_TYPE)}] as const;\n`,
  );
}

/** Of the first example of each type; services make test events of them. */
function writeTestEvents(events: Contract): void {
  const table = JSON.stringify(testEventTable(events as never), null, 2);
  writeFileSync(
    join(draft, "test-events.ts"),
    `${NOTICE}/** The first example of every event type in webhooks.asyncapi.yaml, for any receiver. */\nexport const TEST_EVENTS = ${table} as const;\n`,
  );
}

function writeProblems(problems: readonly { readonly code: string }[]): void {
  const table = JSON.stringify(Object.fromEntries(problems.map(({ code, ...rest }) => [code, rest])), null, 2);
  writeFileSync(
    join(draft, "problems.ts"),
    `${NOTICE}/** Every kind of problem (RFC 9457) by code: status, title, sentence in answers, cause, fix and section of a guide. */\nexport const PROBLEMS = ${table} as const;\n\nexport type ProblemCode = keyof typeof PROBLEMS;\n`,
  );
}

function writeSignOnErrors(): void {
  const table = JSON.stringify(signOnErrors(), null, 2);
  writeFileSync(
    join(draft, "sign-on-errors.ts"),
    `${NOTICE}/** Every error code of sign-on, with the sentences that come with it, their causes and cures. */\nexport const SIGN_ON_ERRORS = ${table} as const;\n\nexport type SignOnErrorCode = keyof typeof SIGN_ON_ERRORS;\n`,
  );
}

run("redocly", "lint");
for (const folder of ["contracts", "docs", "types", "operations", "proto"])
  mkdirSync(join(draft, folder), { recursive: true });

const contracts = Object.fromEntries(REST_CONTRACTS.map((name) => [name, bundle(name, `openapi/${name}.yaml`)]));
const events = bundle(EVENTS_CONTRACT, `openapi/${EVENTS_CONTRACT}.yaml`);
for (const name of REST_CONTRACTS) {
  await writeTypes(name);
  writeOperations(name, contracts[name] ?? {});
}
writeEventTypes(events, contracts.gateway ?? {});
writeTestEvents(events);
writeFileSync(join(draft, "contracts", "webhooks.vectors.json"), signedVectorsFile(events as never));
const protos = platformProtos(events.info?.version ?? "");
for (const [file, text] of protos) writeFileSync(join(draft, "contracts", file), text);
writeFileSync(join(draft, "contracts", "index.json"), publishedIndex(join(draft, "contracts"), [...protos.keys()]));
const platform = platformReference(join(draft, "contracts"), [...protos.keys()], events.info?.version ?? "");
writeFileSync(join(draft, "docs", "platform.json"), `${JSON.stringify(platform, null, 2)}\n`);
const problems = parse(readFileSync("openapi/problems.yaml", "utf8")) as { code: string }[];
writeProblems(problems);
writeSignOnErrors();
writeFileSync(join(draft, "common-passwords.txt"), commonPasswords());
const made = samples({ signOn: contracts["sign-on"] ?? {}, gateway: contracts.gateway ?? {}, events });
writeFileSync(
  join(draft, "docs", "samples.json"),
  `${JSON.stringify(made, null, 2)}
`,
);
run("buf", "generate", "--output", draft);
writeGuides(join(draft, "docs", "guides"), {
  reference: referencePages(contracts["sign-on"] ?? {}, contracts.gateway ?? {}, events, platform),
  problems: new Set([
    ...problems.map(({ code }) => code.replaceAll("_", "-")),
    ...Object.keys(signOnErrors()).map((code) => `sign-on-${code.replaceAll("_", "-")}`),
  ]),
  contracts: new Set(readdirSync(join(draft, "contracts"))),
  signOnPaths: pathsToOpen(contracts["sign-on"] ?? {}),
});

mkdirSync(target, { recursive: true });
for (const name of readdirSync(target)) if (name !== KEPT) rmSync(join(target, name), { recursive: true });
for (const name of readdirSync(draft)) renameSync(join(draft, name), join(target, name));
