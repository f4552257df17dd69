import { readdirSync, readFileSync } from "node:fs";
import {
  conversationImports,
  forbiddenImports,
  forbiddenReaches,
  importsByWrongName,
  importsOfComposition,
  staticTemporal,
} from "./support/architecture.ts";
import {
  circles,
  crowdedFolders,
  folderCircles,
  importsBesideTheProgram,
  namesDeclaredTwice,
  needlessExports,
  oddNames,
  orphans,
  spreadLiterals,
} from "./support/house-shape.ts";
import { ImportGraph, ownNames, sourcesBelow } from "./support/import-graph.ts";

const RULES = {
  "imports nothing that the tables forbid": forbiddenImports,
  "has a composition without importers": importsOfComposition,
  "has conversations that never import each other, and nouns that import none": conversationImports,
  "imports across rooms by the program's own names, within a domain by relative paths": importsByWrongName,
  "has doors that do not reach what is not theirs": forbiddenReaches,
  "loads Temporal only by a dynamic import": staticTemporal,
  "has no file that nothing leads to": orphans,
  "has no circles": circles,
  "has no folders that import each other": folderCircles,
  "has no folder with more than thirty files": crowdedFolders,
  "declares no exported name twice within a domain": namesDeclaredTwice,
  "has names that say what is inside": oddNames,
  "has tools and benchmarks that share a harness and nothing else": importsBesideTheProgram,
} as const;

type Rule = keyof typeof RULES;

describe("the house (docs/architecture.md)", () => {
  const sources = sourcesBelow("src", "workflows", "generated", "tools", "bench", "harness");
  const graph = new ImportGraph(sources, ownNames());

  it.each(Object.entries(RULES))("%s", (_, rule) => {
    expect(rule(graph)).toEqual([]);
  });

  it("covers every file", () => {
    expect(graph.files).toContain("src/main.ts");
    expect(graph.reach("src/main.ts").size).toBeGreaterThan(100);
  });

  it("names every folder at the top in its code map", () => {
    const ignored = readFileSync(".gitignore", "utf8").replaceAll(/\/$/gm, "").split("\n");
    const folders = readdirSync(".", { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !ignored.includes(entry.name))
      .map(({ name }) => name);
    const map = readFileSync("docs/architecture.md", "utf8");
    expect(folders).toContain("src");
    expect(folders.filter((folder) => !map.includes(`| \`${folder}/`) && !map.includes(`, \`${folder}/`))).toEqual([]);
  });

  it("reads the environment in one place", () => {
    const program = [...sources].filter(([file]) => /^(src|workflows|generated)\//.test(file));
    const readers = program.filter(([, text]) => text.includes("process.env")).map(([file]) => file);
    expect(readers.toSorted()).toEqual([
      // The demonstration only hands the environment on to the program that it starts.
      "src/cli/demo/sample.ts",
      "src/config.ts",
      // SQLite itself reads there where its temporary files go, and has no other setting for it.
      "src/runtime/database/sqlite/sqlite.ts",
    ]);
  });

  it("takes instants, ids and secrets from `Clock` and `Random`", () => {
    const having = (pattern: RegExp) =>
      [...sources].filter(([file, text]) => file.startsWith("src/") && pattern.test(text)).map(([file]) => file);
    expect(having(/\bnew Date\(\)|\bnew Date\(Date\.now/)).toEqual(["src/runtime/basis/clock.ts"]);
    expect(having(/\b(randomBytes|randomUUID|randomInt|randomFill|getRandomValues|Math\.random)\b/).toSorted()).toEqual(
      [
        // Names of temporary files.
        "src/cli/output/new-file.ts",
        "src/runtime/basis/random.ts",
        "src/runtime/temporal/workflow-bundle.ts",
        "src/runtime/upkeep/backup.ts",
      ],
    );
  });

  it("makes directories by `makeDirectory`, since Node's own recursive way may never end", () => {
    const making = [...sourcesBelow("src", "desk")].filter(([, text]) =>
      /\bmkdir(Sync)?\([^;]*\brecursive\b/.test(text),
    );
    expect(making.map(([file]) => file)).toEqual([]);
  });

  it("names each repository and grant as its file", () => {
    const named = [...sources].filter(([file]) => /^src\/.*-(repository|grant)\.ts$/.test(file));
    const wrong = named.filter(([file, text]) => {
      const name = (file.split("/").at(-1) ?? "")
        .slice(0, -3)
        .replaceAll(/-(\w)/g, (__, letter: string) => letter.toUpperCase());
      return !new RegExp(`^export (const|function|async function) ${name}\\b`, "m").test(text);
    });
    expect(wrong.map(([file]) => file)).toEqual([]);
  });

  it("exports no name that no other file uses", () => {
    const exporting = new ImportGraph(sourcesBelow("src", "desk"), ownNames());
    const readers = new Map([...sources, ...sourcesBelow("test", "desk", "examples")]);
    expect(needlessExports(exporting, readers)).toEqual([]);
  });

  it("finds a planted name that no other file uses", () => {
    const planted = new Map([
      ["src/cli/table.ts", "export const used = 1;\nexport const alone = used;"],
      ["test/cli/table.test.ts", "expect(used).toBe(1);"],
    ]);
    expect(needlessExports(new ImportGraph(planted, ownNames()), planted)).toEqual(["src/cli/table.ts: alone"]);
  });

  it("spreads no object literal", () => {
    expect(spreadLiterals(sourcesBelow("src", "desk", "workflows", "tools", "bench", "harness"))).toEqual([]);
  });

  it("finds a planted spread of an object literal", () => {
    const planted = new Map([["src/cli/table.ts", "const row = {\n  ...{ id, label },\n  ...rest,\n};"]]);
    expect(spreadLiterals(planted)).toEqual(["src/cli/table.ts:2"]);
  });

  it("writes every domain's README", () => {
    const domains = ["sign-on", "workforce", "webhooks"];
    expect(domains.filter((domain) => !readFileSync(`src/${domain}/README.md`, "utf8").startsWith("# "))).toEqual([]);
  });
});

describe("the rules of the house find what is planted", () => {
  const NAMES = Array.from({ length: 30 }, (_, index) => `name-${index}`);
  // A small house that keeps every rule; each case adds or replaces files of it.
  const house: Readonly<Record<string, string>> = {
    "src/main.ts": 'import "./config.ts"; await import("./roles/all.ts"); await import("./cli/program.ts");',
    "src/config.ts": 'import "./workforce/settings.ts";',
    "src/access.ts": 'import type {} from "#generated/proto/gateway.ts";',
    "src/roles/all.ts":
      'import "../access.ts"; import "../workforce/edge.ts"; import "../workforce/services.ts"; import "../sign-on/services.ts"; import "../webhooks/worker.ts";',
    "src/cli/program.ts": 'import "#runtime/basis/clock.ts"; import "./table.ts";',
    "src/cli/table.ts": "",
    "src/workforce/settings.ts": 'import "#runtime/basis/clock.ts";',
    "src/workforce/tables.ts": "",
    "src/workforce/edge.ts": 'import "./workers/workers-handler.ts"; import "#runtime/http/routes.ts";',
    "src/workforce/services.ts": 'import "./workers/workers-service.ts"; import "./migrations/0001-first.ts";',
    "src/workforce/migrations/0001-first.ts": 'import "#runtime/database/database.ts";',
    "src/workforce/workers/workers-handler.ts": 'import "./worker-wire.ts"; import "./worker-status.ts";',
    "src/workforce/workers/worker-wire.ts": 'import type {} from "#generated/types/gateway.ts";',
    "src/workforce/workers/worker-status.ts": "",
    "src/workforce/workers/workers-service.ts": 'import "./worker-repository.ts"; import "#runtime/changes/change.ts";',
    "src/workforce/workers/worker-repository.ts": 'import "../tables.ts"; import "#runtime/database/database.ts";',
    "src/sign-on/services.ts":
      'import "./conversations/login/login-service.ts"; import "./conversations/token/token-service.ts";',
    "src/sign-on/conversations/login/login-service.ts": 'import "../../sessions/sessions.ts";',
    "src/sign-on/conversations/token/token-service.ts": "",
    "src/sign-on/sessions/sessions.ts": "",
    "src/webhooks/worker.ts":
      'import "./deliveries/dispatch-loop.ts"; await import("./deliveries/webhook-workflow-starts.ts");',
    "src/webhooks/deliveries/dispatch-loop.ts": 'import "undici";',
    "src/webhooks/deliveries/webhook-workflow-starts.ts":
      'import "@temporalio/client"; import type {} from "#workflows/webhook-retry.ts";',
    "src/runtime/basis/clock.ts": "",
    "src/runtime/http/routes.ts": 'import "fastify"; import "../basis/clock.ts";',
    "src/runtime/database/database.ts": 'import "kysely"; import "../basis/clock.ts";',
    "src/runtime/changes/change.ts": 'import "../database/database.ts";',
    "workflows/webhook-retry.ts": 'import "@temporalio/workflow";',
    "generated/proto/gateway.ts": "",
    "generated/types/gateway.ts": "",
    "harness/installation.ts": "",
    "bench/run.ts": 'import "../harness/installation.ts"; import "../test/support/world.ts";',
    "tools/mock.ts": 'import "../harness/installation.ts"; import "#runtime/basis/clock.ts";',
  };

  const violations = (changes: Readonly<Record<string, string>> = {}) => {
    const graph = new ImportGraph(new Map(Object.entries({ ...house, ...changes })), ownNames());
    const found = Object.entries(RULES).map(([name, rule]) => [name, rule(graph)] as const);
    return Object.fromEntries(found.filter(([, list]) => list.length > 0));
  };

  it("and nothing in a house without defects", () => {
    expect(violations()).toEqual({});
  });

  it.each<[string, Rule, Record<string, string>, string]>([
    [
      "a handler that reaches a repository through a file with a neutral name",
      "has doors that do not reach what is not theirs",
      { "src/workforce/workers/worker-status.ts": 'import "./worker-repository.ts";' },
      "src/workforce/edge.ts → src/workforce/workers/workers-handler.ts → src/workforce/workers/worker-status.ts → src/workforce/workers/worker-repository.ts → src/runtime/database/database.ts → kysely",
    ],
    [
      "a type-only import of a package that is not the door's",
      "has doors that do not reach what is not theirs",
      { "src/workforce/workers/worker-wire.ts": 'import type { Pool } from "pg";' },
      "src/workforce/edge.ts → src/workforce/workers/workers-handler.ts → src/workforce/workers/worker-wire.ts → pg",
    ],
    [
      "a re-export",
      "has doors that do not reach what is not theirs",
      { "src/workforce/workers/worker-repository.ts": 'export * from "./workers-handler.ts";' },
      "src/workforce/services.ts → src/workforce/workers/workers-service.ts → src/workforce/workers/worker-repository.ts → src/workforce/workers/workers-handler.ts",
    ],
    [
      "a dynamic import",
      "has doors that do not reach what is not theirs",
      { "src/cli/table.ts": 'const open = () => import("better-sqlite3");' },
      "src/cli/program.ts → src/cli/table.ts → better-sqlite3",
    ],
    [
      "a service behind the worker's door",
      "has doors that do not reach what is not theirs",
      {
        "src/webhooks/deliveries/dispatch-loop.ts": 'import "./claim-service.ts";',
        "src/webhooks/deliveries/claim-service.ts": "",
      },
      "src/webhooks/worker.ts → src/webhooks/deliveries/dispatch-loop.ts → src/webhooks/deliveries/claim-service.ts",
    ],
    [
      "a domain that imports another",
      "imports nothing that the tables forbid",
      { "src/sign-on/sessions/sessions.ts": 'import "../../workforce/workers/worker-status.ts";' },
      "src/sign-on/sessions/sessions.ts → src/workforce/workers/worker-status.ts",
    ],
    [
      "a handler that imports its service",
      "imports nothing that the tables forbid",
      { "src/workforce/workers/workers-handler.ts": 'import type {} from "./workers-service.ts";' },
      "src/workforce/workers/workers-handler.ts → src/workforce/workers/workers-service.ts",
    ],
    [
      "a service that imports what puts services together",
      "imports nothing that the tables forbid",
      {
        "src/sign-on/services.ts":
          'import "./sessions/sessions-composition.ts"; import "./conversations/login/login-service.ts"; import "./conversations/token/token-service.ts";',
        "src/sign-on/sessions/sessions-composition.ts": 'import "./sessions-service.ts";',
        "src/sign-on/sessions/sessions-service.ts": "",
        "src/sign-on/conversations/login/login-service.ts": 'import "../../sessions/sessions-composition.ts";',
      },
      "src/sign-on/conversations/login/login-service.ts → src/sign-on/sessions/sessions-composition.ts",
    ],
    [
      "a service that imports types of the public contract",
      "imports nothing that the tables forbid",
      { "src/workforce/workers/workers-service.ts": 'import type {} from "#generated/types/gateway.ts";' },
      "src/workforce/workers/workers-service.ts → generated/types/gateway.ts",
    ],
    [
      "a repository that makes changes",
      "imports nothing that the tables forbid",
      { "src/workforce/workers/worker-repository.ts": 'import "#runtime/changes/change.ts";' },
      "src/workforce/workers/worker-repository.ts → src/runtime/changes/change.ts",
    ],
    [
      "a wire file that calls",
      "imports nothing that the tables forbid",
      { "src/workforce/workers/worker-wire.ts": 'import "#runtime/rpc/call.ts";', "src/runtime/rpc/call.ts": "" },
      "src/workforce/workers/worker-wire.ts → src/runtime/rpc/call.ts",
    ],
    [
      "a runtime that knows a generated file, and be it JSON",
      "imports nothing that the tables forbid",
      {
        "src/runtime/http/routes.ts": 'import contract from "#generated/contracts/gateway.json" with { type: "json" };',
      },
      "src/runtime/http/routes.ts → generated/contracts/gateway.json",
    ],
    [
      "a room of the runtime that imports one it may not",
      "imports nothing that the tables forbid",
      { "src/runtime/database/database.ts": 'import "../changes/change.ts";', "src/runtime/changes/change.ts": "" },
      "src/runtime/database/database.ts → src/runtime/changes/change.ts",
    ],
    [
      "a room of the command line that imports one it may not",
      "imports nothing that the tables forbid",
      {
        "src/cli/table.ts": 'import "./output/card.ts";',
        "src/cli/output/card.ts": 'import "../commands/users/users.ts";',
        "src/cli/commands/users/users.ts": "",
      },
      "src/cli/output/card.ts → src/cli/commands/users/users.ts",
    ],
    [
      "a role that looks behind a door",
      "imports nothing that the tables forbid",
      { "src/roles/all.ts": 'import "../access.ts"; import "../workforce/workers/workers-service.ts";' },
      "src/roles/all.ts → src/workforce/workers/workers-service.ts",
    ],
    [
      "a workflow that imports what surprises it",
      "imports nothing that the tables forbid",
      { "workflows/webhook-retry.ts": 'import "undici";' },
      "workflows/webhook-retry.ts → undici",
    ],
    [
      "a workflow that imports src",
      "imports nothing that the tables forbid",
      { "workflows/webhook-retry.ts": 'import "#runtime/basis/clock.ts";' },
      "workflows/webhook-retry.ts → src/runtime/basis/clock.ts",
    ],
    [
      "a service that imports workflows",
      "imports nothing that the tables forbid",
      { "src/workforce/workers/workers-service.ts": 'import type {} from "#workflows/webhook-retry.ts";' },
      "src/workforce/workers/workers-service.ts → workflows/webhook-retry.ts",
    ],
    [
      "a domain that imports the configuration",
      "has a composition without importers",
      { "src/workforce/workers/worker-status.ts": 'import type {} from "../../config.ts";' },
      "src/workforce/workers/worker-status.ts → src/config.ts",
    ],
    [
      "a conversation that imports another",
      "has conversations that never import each other, and nouns that import none",
      { "src/sign-on/conversations/login/login-service.ts": 'import "../token/token-service.ts";' },
      "src/sign-on/conversations/login/login-service.ts → src/sign-on/conversations/token/token-service.ts",
    ],
    [
      "a noun that imports a conversation",
      "has conversations that never import each other, and nouns that import none",
      { "src/sign-on/sessions/sessions.ts": 'import "../conversations/token/token-service.ts";' },
      "src/sign-on/sessions/sessions.ts → src/sign-on/conversations/token/token-service.ts",
    ],
    [
      "a relative path that leaves its domain",
      "imports across rooms by the program's own names, within a domain by relative paths",
      { "src/workforce/workers/worker-status.ts": 'import "../../runtime/basis/clock.ts";' },
      "src/workforce/workers/worker-status.ts → ../../runtime/basis/clock.ts",
    ],
    [
      "Temporal loaded at start",
      "loads Temporal only by a dynamic import",
      {
        "src/webhooks/worker.ts":
          'import "./deliveries/dispatch-loop.ts"; import "./deliveries/webhook-workflow-starts.ts";',
      },
      "src/webhooks/worker.ts ⇒ @temporalio/client",
    ],
    [
      "Temporal loaded by a composition",
      "loads Temporal only by a dynamic import",
      {
        "src/roles/all.ts":
          'import "../access.ts"; import "../workforce/edge.ts"; import "../workforce/services.ts"; import "../sign-on/services.ts"; import "../webhooks/worker.ts"; import "#runtime/temporal/worker-loop.ts";',
        "src/runtime/temporal/worker-loop.ts": 'import "@temporalio/worker";',
      },
      "src/roles/all.ts ⇒ @temporalio/worker",
    ],
    [
      "services that reach what speaks to Temporal, though by a type",
      "has doors that do not reach what is not theirs",
      {
        "src/workforce/workers/workers-service.ts":
          'import "./worker-repository.ts"; import type {} from "#runtime/temporal/link.ts";',
        "src/runtime/temporal/link.ts": "",
      },
      "src/workforce/services.ts → src/workforce/workers/workers-service.ts → src/runtime/temporal/link.ts",
    ],
    [
      "a file that nothing leads to",
      "has no file that nothing leads to",
      { "src/workforce/workers/worker-age.ts": "" },
      "src/workforce/workers/worker-age.ts",
    ],
    [
      "a circle",
      "has no circles",
      {
        "src/workforce/workers/worker-status.ts": 'import type {} from "./worker-wire.ts";',
        "src/workforce/workers/worker-wire.ts": 'import "./worker-status.ts";',
      },
      "src/workforce/workers/worker-status.ts → src/workforce/workers/worker-wire.ts",
    ],
    [
      "a folder that imports another, which imports it through a third",
      "has no folders that import each other",
      {
        "src/workforce/workers/worker-status.ts": 'import "../users/user-status.ts";',
        "src/workforce/users/user-status.ts": 'import type {} from "../people/full-name.ts";',
        "src/workforce/people/full-name.ts": 'import "../workers/worker-age.ts";',
        "src/workforce/workers/worker-age.ts": "",
      },
      "src/workforce/people ⇄ src/workforce/users ⇄ src/workforce/workers",
    ],
    [
      "a folder whose file the tables of its domain import",
      "has no folders that import each other",
      {
        "src/workforce/tables.ts": 'import type {} from "./workers/worker-status.ts";',
      },
      "src/workforce/tables.ts ⇄ src/workforce/workers",
    ],
    [
      "a folder with one file too many",
      "has no folder with more than thirty files",
      {
        "src/workforce/workers/worker-status.ts": 'import "../people/full-name.ts";',
        "src/workforce/people/full-name.ts": NAMES.map((name) => `import "./${name}.ts";`).join("\n"),
        ...Object.fromEntries(NAMES.map((name) => [`src/workforce/people/${name}.ts`, ""])),
      },
      "src/workforce/people: 31",
    ],
    [
      "a name that two files of a domain export",
      "declares no exported name twice within a domain",
      {
        "src/workforce/workers/worker-status.ts": "export interface Status {}",
        "src/workforce/workers/worker-wire.ts": "export type Status = string;\nexport const toStatus = 1;",
        "src/webhooks/deliveries/dispatch-loop.ts": "export async function toStatus() {}",
      },
      "Status: src/workforce/workers/worker-status.ts, src/workforce/workers/worker-wire.ts",
    ],
    [
      "a drawer",
      "has names that say what is inside",
      { "src/cli/table.ts": 'import "./date-helpers.ts";', "src/cli/date-helpers.ts": "" },
      "src/cli/date-helpers.ts",
    ],
    [
      "a name in another case",
      "has names that say what is inside",
      { "src/cli/table.ts": 'import "./dateText.ts";', "src/cli/dateText.ts": "" },
      "src/cli/dateText.ts",
    ],
    [
      "a tool that imports a benchmark",
      "has tools and benchmarks that share a harness and nothing else",
      { "tools/mock.ts": 'import "../bench/run.ts";' },
      "tools/mock.ts → bench/run.ts",
    ],
    [
      "a harness that imports a test",
      "has tools and benchmarks that share a harness and nothing else",
      { "harness/installation.ts": 'import type {} from "../test/support/world.ts";' },
      "harness/installation.ts → test/support/world.ts",
    ],
  ])("%s", (_, rule, changes, sentence) => {
    expect(violations(changes)[rule]).toContain(sentence);
  });
});
