import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import ts from "typescript";

/** One import as a file has it: static, type-only, dynamic and re-exports alike. */
export interface Import {
  readonly from: string;
  /** A path from the root of the repository, or the name of a package. */
  readonly to: string;
  /** As it is written. */
  readonly specifier: string;
  /** True for `import("…")`. */
  readonly dynamic: boolean;
}

/** Own names of package.json: `#runtime/*` → `./src/runtime/*`. */
export type OwnNames = Readonly<Record<string, string>>;

/** Who imports whom, by path from the root. Node's own modules and files that are no TypeScript outside generated/ are left out. */
export class ImportGraph {
  /** Every file, in alphabetical order. */
  readonly files: readonly string[];
  readonly #imports: ReadonlyMap<string, readonly Import[]>;
  readonly #exports: ReadonlyMap<string, readonly string[]>;

  constructor(sources: ReadonlyMap<string, string>, ownNames: OwnNames) {
    this.files = [...sources.keys()].toSorted();
    this.#imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text, ownNames)]));
    this.#exports = new Map([...sources].map(([file, text]) => [file, declaredBy(text)]));
  }

  importsOf(file: string): readonly Import[] {
    return this.#imports.get(file) ?? [];
  }

  /** Names that the file itself declares and exports; re-exports are none. */
  exportsOf(file: string): readonly string[] {
    return this.#exports.get(file) ?? [];
  }

  /** Everything that can be reached from a file, itself included, each with the shortest way to it. */
  reach(start: string): ReadonlyMap<string, readonly string[]> {
    const ways = new Map<string, readonly string[]>([[start, [start]]]);
    // A map is walked in the order of insertion, and sees what is added meanwhile: breadth first.
    for (const [file, way] of ways) {
      for (const { to } of this.importsOf(file)) if (!ways.has(to)) ways.set(to, [...way, to]);
    }
    return ways;
  }

  /** One way round for each file that reaches itself, the shortest ones; each circle once. */
  cycles(files: readonly string[] = this.files): readonly string[] {
    const circles = files.flatMap((file) => {
      const ways = this.importsOf(file).flatMap(({ to }) => this.#wayTo(to, file));
      const [shortest] = ways.toSorted((one, other) => one.length - other.length);
      return shortest === undefined ? [] : [shortest];
    });
    const turned = circles.map((circle) => {
      const least = circle.indexOf(circle.toSorted()[0] ?? "");
      return [...circle.slice(least), ...circle.slice(0, least)].join(" → ");
    });
    return [...new Set(turned)];
  }

  #wayTo(from: string, to: string): readonly (readonly string[])[] {
    const way = this.reach(from).get(to);
    return way === undefined ? [] : [way];
  }
}

function importsOf(file: string, text: string, ownNames: OwnNames): readonly Import[] {
  return ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName: specifier, pos }) => {
    const to = targetOf(file, specifier, ownNames);
    const dynamic = /import\s*\(\s*["'`]?$/.test(text.slice(0, pos));
    return to === undefined ? [] : [{ from: file, to, specifier, dynamic }];
  });
}

const DECLARED = /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

const declaredBy = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(DECLARED)].map(([, name = ""]) => name)),
];

function targetOf(file: string, specifier: string, ownNames: OwnNames): string | undefined {
  if (specifier.startsWith("node:")) return undefined;
  const path = pathOf(file, specifier, ownNames);
  if (path === undefined) return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  return path.endsWith(".ts") || path.startsWith("generated/") ? path : undefined;
}

function pathOf(file: string, specifier: string, ownNames: OwnNames): string | undefined {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file), specifier);
  for (const [name, target] of Object.entries(ownNames)) {
    const prefix = name.slice(0, -1);
    if (specifier.startsWith(prefix)) return posix.join(target.slice(0, -1), specifier.slice(prefix.length));
  }
  return undefined;
}

const ROOT = join(import.meta.dirname, "..", "..");

/** The TypeScript files below these folders of the repository, by path from its root. Folders that are not there yet hold none. */
export function sourcesBelow(...folders: readonly string[]): ReadonlyMap<string, string> {
  const paths = folders.flatMap((folder) => filesBelow(join(ROOT, folder)));
  return new Map(paths.map((path) => [relative(ROOT, path).replaceAll("\\", "/"), readFileSync(path, "utf8")]));
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

/** The names that package.json declares for the program itself. */
export const ownNames = (): OwnNames =>
  (JSON.parse(readFileSync(join(dirname(import.meta.dirname), "..", "package.json"), "utf8")) as { imports: OwnNames })
    .imports;
