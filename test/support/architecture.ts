import type { Import, ImportGraph } from "./import-graph.ts";
import { arrowsSaid, importedBy } from "./rooms.ts";

/** The tables of docs/architecture.md: who may import whom (A), what a door must not reach (B), the rooms of the runtime (C). */

const DOMAINS = ["sign-on", "workforce", "webhooks"] as const;

/** What a file of a domain is, by its place or the end of its name. */
const ROLES = {
  edgeDoor: /^edge\.ts$/,
  servicesDoor: /^services\.ts$/,
  workerDoor: /^worker\.ts$/,
  settings: /^settings\.ts$/,
  tables: /^tables\.ts$/,
  /** What becomes of the rows of each table. */
  upkeep: /^upkeep\.ts$/,
  migrations: /^migrations\//,
  texts: /^texts\//,
  /** The shared edge half of a domain. */
  edgeHalf: /^(browser|gateway)\//,
  handler: /-handler\.ts$/,
  page: /-page\.ts$/,
  wire: /(^|-)wire\.ts$/,
  repository: /-repository\.ts$/,
  /** One subject's part of what the services door puts together. */
  composition: /-composition\.ts$/,
  service: /-service\.ts$/,
  grant: /-grant\.ts$/,
  loop: /-loop\.ts$/,
  /** How a part of the store erases its own tables. */
  eraser: /-eraser\.ts$/,
  /** What the relay goes by: rules about outbox entries. */
  relay: /^events\//,
  activities: /-activities\.ts$/,
  /** What starts workflows of a Temporal server. */
  workflowStarts: /-workflow-starts\.ts$/,
} as const;

type Role = keyof typeof ROLES | "rule";

const roleOf = (pathInDomain: string): Role =>
  (Object.keys(ROLES) as (keyof typeof ROLES)[]).find((role) => ROLES[role].test(pathInDomain)) ?? "rule";

interface Row {
  /** Which roles of its own domain it may import. */
  readonly own: readonly Role[];
  /** Patterns of paths outside the domain. */
  readonly beside: readonly RegExp[];
}

const EVERY_ROLE = [...(Object.keys(ROLES) as Role[]), "rule"] as const;
const allBut = (...without: readonly Role[]): readonly Role[] => EVERY_ROLE.filter((role) => !without.includes(role));

const GENERATED = /^generated\//;
const PROTO = /^generated\/proto\//;
const RUNTIME = /^src\/runtime\//;
const RUNTIME_OF_SERVICES = /^src\/runtime\/(?!http\/|pages\/)/;
const WORKFLOWS = /^workflows\//;
const rooms = (...names: readonly string[]) => new RegExp(`^src/runtime/(${names.join("|")})/`);

const EDGE_HALF: Row = {
  own: ["wire", "page", "edgeHalf", "texts", "rule"],
  beside: [GENERATED, rooms("basis", "process", "rpc", "http", "pages")],
};
/** Of the contract, services need only the list of event types. */
const SERVICE_HALF: Row = {
  own: allBut("handler", "page", "composition"),
  beside: [PROTO, /^generated\/event-types\.ts$/, RUNTIME_OF_SERVICES],
};
const WORKFLOW_HALF: Row = { ...SERVICE_HALF, beside: [...SERVICE_HALF.beside, WORKFLOWS] };
const DOOR: Row = { own: EVERY_ROLE, beside: [GENERATED, RUNTIME] };

/** Table A, within a domain. */
const DOMAIN_TABLE: Readonly<Record<Role, Row>> = {
  edgeDoor: DOOR,
  servicesDoor: DOOR,
  workerDoor: { ...DOOR, beside: [...DOOR.beside, WORKFLOWS] },
  handler: EDGE_HALF,
  page: EDGE_HALF,
  edgeHalf: EDGE_HALF,
  wire: { own: ["wire", "rule"], beside: [GENERATED, rooms("basis")] },
  repository: { own: ["tables", "rule"], beside: [rooms("basis", "database", "refusals")] },
  composition: SERVICE_HALF,
  service: SERVICE_HALF,
  grant: SERVICE_HALF,
  loop: SERVICE_HALF,
  eraser: SERVICE_HALF,
  relay: {
    own: allBut("handler", "page", "service", "composition"),
    beside: [GENERATED, rooms("basis", "process", "database", "outbox")],
  },
  activities: WORKFLOW_HALF,
  workflowStarts: WORKFLOW_HALF,
  upkeep: { own: ["loop"], beside: [rooms("basis", "database")] },
  tables: { own: ["rule"], beside: [rooms("basis", "database")] },
  migrations: { own: ["tables", "migrations", "rule"], beside: [rooms("basis", "database")] },
  settings: { own: ["rule"], beside: [rooms("basis", "process")] },
  texts: { own: ["texts", "rule"], beside: [rooms("basis")] },
  rule: {
    own: allBut("handler", "page", "service", "composition"),
    // What is sealed is a closed list of names; what is shown in place of something erased is a value.
    beside: [
      GENERATED,
      rooms("basis", "process", "rpc", "refusals"),
      /^src\/runtime\/(sealing\/purposes|erasure\/redaction)\.ts$/,
    ],
  },
};

/** Table A, outside the domains: the first row that fits a file. */
const OTHER_TABLE: readonly (readonly [of: RegExp, may: readonly RegExp[]])[] = [
  [/^src\/main\.ts$/, [/^src\/config\.ts$/, /^src\/roles\//, /^src\/cli\/program\.ts$/, rooms("basis", "process")]],
  [/^src\/config\.ts$/, [/\/settings\.ts$/, rooms("basis", "process")]],
  [/^src\/access\.ts$/, [PROTO, rooms("rpc")]],
  // The demonstration is the whole product and, beside it, the command line's hand that fills it.
  [
    /^src\/roles\/demo\.ts$/,
    [/^src\/(roles\/all|config|cli\/demo\/run-demonstration)\.ts$/, rooms("basis", "process")],
  ],
  [
    /^src\/roles\//,
    [
      /^src\/(sign-on|workforce|webhooks)\/(edge|services|worker)\.ts$/,
      /^src\/portal\/edge\.ts$/,
      /^src\/access\.ts$/,
      /^src\/roles\//,
      RUNTIME,
    ],
  ],
  [/^src\/portal\//, [/^src\/portal\//, GENERATED, rooms("basis", "process", "rpc", "http", "pages")]],
  // Of the contract, the command line needs only the list of event types.
  [/^src\/cli\//, [/^src\/cli\//, PROTO, /^generated\/event-types\.ts$/, rooms("basis", "process", "rpc")]],
  [/^workflows\//, [/^workflows\//]],
];

/** Table C: which rooms of the runtime import which, as its README says. */
const ROOMS = arrowsSaid("runtime");

/** What a room of the runtime serves itself: its part of proto/. */
const ROOM_PROTO: Readonly<Record<string, RegExp>> = {
  audit: /^generated\/proto\/gatehouse\/audit\//,
  upkeep: /^generated\/proto\/gatehouse\/store\//,
};

/** Table D: which rooms of the command line a room may import besides itself. */
const CLI_ROOMS: Readonly<Record<string, readonly string[]>> = {
  output: [],
  connection: ["output"],
  input: ["connection", "output"],
  commands: ["input", "connection", "output"],
  bulk: ["input", "connection", "output"],
  seed: ["bulk", "input", "connection", "output"],
  demo: ["bulk", "connection", "output"],
};

/** Packages that workflows may import: those that behave the same on replay. */
const WORKFLOW_PACKAGES: ReadonlySet<string> = new Set(["@temporalio/workflow", "@temporalio/common"]);

const domainOf = (path: string): string | undefined => DOMAINS.find((domain) => path.startsWith(`src/${domain}/`));
const inDomain = (path: string, domain: string): string => path.slice(`src/${domain}/`.length);
const isPath = (target: string): boolean => /^(src|generated|workflows)\//.test(target);

function mayImport({ from, to }: Import): boolean {
  if (from.startsWith("workflows/") && !isPath(to)) return WORKFLOW_PACKAGES.has(to);
  if (!isPath(to)) return true;
  const domain = domainOf(from);
  if (domain !== undefined) {
    const { own, beside } = DOMAIN_TABLE[roleOf(inDomain(from, domain))];
    return domainOf(to) === domain
      ? own.includes(roleOf(inDomain(to, domain)))
      : beside.some((pattern) => pattern.test(to));
  }
  const [, room] = /^src\/runtime\/([\w-]+)\//.exec(from) ?? [];
  if (room !== undefined)
    return rooms(room, ...importedBy(room, ROOMS)).test(to) || (ROOM_PROTO[room]?.test(to) ?? false);
  const [, cliRoom] = /^src\/cli\/([\w-]+)\//.exec(from) ?? [];
  if (cliRoom !== undefined && to.startsWith("src/cli/"))
    return [cliRoom, ...(CLI_ROOMS[cliRoom] ?? [])].some((one) => to.startsWith(`src/cli/${one}/`));
  const [, may = []] = OTHER_TABLE.find(([of]) => of.test(from)) ?? [];
  return may.some((pattern) => pattern.test(to));
}

const shown = ({ from, to }: Import): string => `${from} → ${to}`;

function* importsBelow(graph: ImportGraph, ...folders: readonly string[]): Generator<Import> {
  for (const file of graph.files) if (folders.some((folder) => file.startsWith(folder))) yield* graph.importsOf(file);
}

/** What has no importers; a rule of its own. */
const COMPOSITION = /^src\/(roles\/|main\.ts$|config\.ts$)/;

/** Tables A, C and D. */
export const forbiddenImports = (graph: ImportGraph): readonly string[] =>
  [...importsBelow(graph, "src/", "workflows/")]
    .filter((one) => !mayImport(one) && !COMPOSITION.test(one.to))
    .map(shown);

/** Only the composition itself imports roles, main and config: main loads roles, and roles are given the configuration. */
export const importsOfComposition = (graph: ImportGraph): readonly string[] =>
  [...importsBelow(graph, "src/")]
    .filter(({ from, to }) => COMPOSITION.test(to) && from !== "src/main.ts")
    .filter(({ from, to }) => !(from.startsWith("src/roles/") && /^src\/(roles\/|config\.ts$)/.test(to)))
    .map(shown);

/** Conversations of sign-on never import each other, and its nouns never import a conversation. */
export const conversationImports = (graph: ImportGraph): readonly string[] => {
  const conversationOf = (path: string) => /^src\/sign-on\/conversations\/([\w-]+)\//.exec(path)?.[1];
  return [...importsBelow(graph, "src/sign-on/")]
    .filter(({ from, to }) => conversationOf(to) !== undefined && conversationOf(from) !== conversationOf(to))
    .filter(({ from }) => !/^src\/sign-on\/(edge|services|worker)\.ts$/.test(from))
    .map(shown);
};

/** Across rooms by the program's own names, within a domain by relative paths. */
export const importsByWrongName = (graph: ImportGraph): readonly string[] => {
  const topOf = (path: string) => /^(src\/[\w-]+|generated|workflows)\//.exec(path)?.[1];
  const inside = (path: string) => /^src\/(sign-on|workforce|webhooks|portal|cli|runtime)\//.test(path);
  return [...importsBelow(graph, "src/", "workflows/")]
    .filter(({ from, to }) => isPath(to) && inside(from))
    .filter(({ from, to, specifier }) => specifier.startsWith(".") !== (topOf(from) === topOf(to)))
    .map(({ from, specifier }) => `${from} → ${specifier}`);
};

/** Table B. */
const DOORS: readonly (readonly [door: RegExp, mustNotReach: readonly RegExp[]])[] = [
  [
    /^src\/(sign-on|workforce|webhooks|portal)\/edge\.ts$/,
    [
      /-(service|repository|grant)\.ts$/,
      /^src\/[\w-]+\/(tables\.ts|migrations\/)/,
      rooms("database", "changes", "outbox", "sealing", "temporal"),
      /^(kysely|pg|better-sqlite3|undici|@temporalio\/.*)$/,
    ],
  ],
  [
    /^src\/(sign-on|workforce|webhooks)\/services\.ts$/,
    [/-(handler|page)\.ts$/, rooms("http", "pages", "temporal"), /^(fastify|undici|@temporalio\/.*)$/],
  ],
  [
    /^src\/(sign-on|workforce|webhooks)\/worker\.ts$/,
    [
      /-(handler|page|repository|service)\.ts$/,
      rooms("http", "pages", "database", "outbox", "sealing"),
      /^(fastify|kysely|pg|better-sqlite3)$/,
    ],
  ],
  [
    /^src\/cli\/program\.ts$/,
    [
      /-(service|repository|grant|handler|page)\.ts$/,
      /^src\/[\w-]+\/(tables\.ts|migrations\/)/,
      rooms("database", "changes", "outbox", "sealing", "temporal", "http", "pages"),
      /^(kysely|pg|better-sqlite3|undici|fastify|zod|prom-client|grpc-health-check|@temporalio\/.*)$/,
    ],
  ],
];

/** What each door must not reach and does, with the shortest way. A handler's folder is fine; the way to a database is not. */
export const forbiddenReaches = (graph: ImportGraph): readonly string[] =>
  graph.files.flatMap((file) => {
    const [, mustNotReach = []] = DOORS.find(([door]) => door.test(file)) ?? [];
    const ways = [...graph.reach(file)].filter(
      ([target]) => target !== file && mustNotReach.some((pattern) => pattern.test(target)),
    );
    return ways.map(([, way]) => way.join(" → "));
  });

/** The worker loads Temporal only when it is configured: by a dynamic import. So do the compositions that it is part of. */
export const staticTemporal = (graph: ImportGraph): readonly string[] => {
  const staticReach = (file: string, seen: Set<string>): Set<string> => {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const { to, dynamic } of graph.importsOf(file)) if (!dynamic) staticReach(to, seen);
    return seen;
  };
  const doors = graph.files.filter((file) =>
    /^src\/((sign-on|workforce|webhooks)\/worker|roles\/(worker|all|demo)|main)\.ts$/.test(file),
  );
  return doors.flatMap((door) =>
    [...staticReach(door, new Set())].filter((to) => to.startsWith("@temporalio/")).map((to) => `${door} ⇒ ${to}`),
  );
};
