import { posix } from "node:path";
import type { ImportGraph } from "./import-graph.ts";

/** Rules of the house about files, folders and names, which hold everywhere alike; who may import whom is in architecture.ts. */

/** Files of src that neither main.ts nor a door leads to. */
export const orphans = (graph: ImportGraph): readonly string[] => {
  const roots = graph.files.filter(
    (file) =>
      file === "src/main.ts" || /^src\/(sign-on|workforce|webhooks|portal)\/(edge|services|worker)\.ts$/.test(file),
  );
  const reached = new Set(roots.flatMap((root) => [...graph.reach(root).keys()]));
  return graph.files.filter((file) => file.startsWith("src/") && !reached.has(file));
};

/** Files that import each other in a circle, types included. */
export const circles = (graph: ImportGraph): readonly string[] =>
  graph.cycles(graph.files.filter((file) => file.startsWith("src/") || file.startsWith("workflows/")));

/** The folder of a file; a door, the tables or the settings of a domain belong to no folder below it, and each is taken by itself. */
const folderOf = (file: string): string => (file.split("/").length <= 3 ? file : posix.dirname(file));

/** Folders that import each other in a circle of any length, types included: all folders of a circle in one line. */
export const folderCircles = (graph: ImportGraph): readonly string[] => {
  const isOurs = (file: string) => /^(src|workflows)\/.*\.ts$/.test(file);
  const imports = new Map<string, Set<string>>();
  for (const { from, to } of graph.files.flatMap((file) => graph.importsOf(file)))
    if (isOurs(from) && isOurs(to) && folderOf(from) !== folderOf(to))
      imports.set(folderOf(from), (imports.get(folderOf(from)) ?? new Set()).add(folderOf(to)));
  const reachedFrom = (folder: string): ReadonlySet<string> => {
    const reached = new Set(imports.get(folder));
    // A set is walked in the order of insertion, and sees what is added meanwhile.
    for (const one of reached) for (const next of imports.get(one) ?? []) reached.add(next);
    return reached;
  };
  const reach = new Map([...imports.keys()].toSorted().map((folder) => [folder, reachedFrom(folder)]));
  const lines = [...reach].flatMap(([folder, reached]) => {
    const circle = [...reached].filter((other) => reach.get(other)?.has(folder));
    return circle.length === 0 ? [] : [circle.toSorted().join(" ⇄ ")];
  });
  return [...new Set(lines)];
};

/** A folder with more files of its own has a room in it that has no name yet. */
const MOST_FILES = 30;

/** Folders of the program, its tools and benchmarks with more than thirty files of their own, with the number. */
export const crowdedFolders = (graph: ImportGraph): readonly string[] =>
  [
    ...Map.groupBy(
      graph.files.filter((file) => !file.startsWith("generated/")),
      folderOf,
    ),
  ]
    .filter(([, files]) => files.length > MOST_FILES)
    .map(([folder, files]) => `${folder}: ${files.length}`)
    .toSorted();

/** Exported names that two files of one domain declare: a reader who looks for one finds the other. */
export const namesDeclaredTwice = (graph: ImportGraph): readonly string[] => {
  const places = graph.files.flatMap((file) => {
    const [, top] = /^src\/([\w-]+)\//.exec(file) ?? [];
    return top === undefined ? [] : graph.exportsOf(file).map((name) => ({ domain: top, name, file }));
  });
  return [...Map.groupBy(places, ({ domain, name }) => `${domain} ${name}`)]
    .filter(([, declared]) => declared.length > 1)
    .map(([, declared]) => `${declared[0]?.name}: ${declared.map(({ file }) => file).join(", ")}`)
    .toSorted();
};

/** Files with an object literal that is spread, with the line: its members are written out instead (docs/decisions/0072). */
export const spreadLiterals = (sources: ReadonlyMap<string, string>): readonly string[] =>
  [...sources].flatMap(([file, text]) =>
    text.split("\n").flatMap((line, index) => (/\.\.\.\{/.test(line) ? [`${file}:${index + 1}`] : [])),
  );

/**
 * Exported names that are in no other file: a reader takes them for something that others use. `readers` are all files
 * that may use one, tests included. What `workflows/` exports Temporal uses, by name.
 */
export function needlessExports(graph: ImportGraph, readers: ReadonlyMap<string, string>): readonly string[] {
  const filesOf = new Map<string, Set<string>>();
  for (const [file, text] of readers)
    for (const [word] of text.matchAll(/\w+/g)) filesOf.set(word, (filesOf.get(word) ?? new Set()).add(file));
  return graph.files
    .filter((file) => /^(src|desk)\//.test(file))
    .flatMap((file) => graph.exportsOf(file).map((name) => ({ file, name })))
    .filter(({ file, name }) => [...(filesOf.get(name) ?? [])].every((reader) => reader === file))
    .map(({ file, name }) => `${file}: ${name}`)
    .toSorted();
}

/** What each folder beside the program must not import: tools and benchmarks share their harness and nothing else. */
const APART: Readonly<Record<string, RegExp>> = {
  tools: /^(bench|test)\//,
  bench: /^tools\//,
  harness: /^(bench|test|tools)\//,
};

/** Imports between folders beside the program that are kept apart. */
export const importsBesideTheProgram = (graph: ImportGraph): readonly string[] =>
  graph.files
    .flatMap((file) => graph.importsOf(file))
    .filter(({ from, to }) => APART[from.split("/", 1)[0] ?? ""]?.test(to))
    .map(({ from, to }) => `${from} → ${to}`);

const DRAWERS = /(^|[/-])(helpers?|utils?|common|misc|shared|lib)(-|\.ts$|\/)/;

/** Names that are no nouns of ours, or not in kebab-case. */
export const oddNames = (graph: ImportGraph): readonly string[] =>
  graph.files.filter((file) => {
    const path = file.slice("src/".length);
    return (
      file.startsWith("src/") &&
      (DRAWERS.test(path) || !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(path))
    );
  });
