import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const read = (path: string): string => readFileSync(path, "utf8");

const versionOf = (path: string): string => (JSON.parse(read(path)) as { readonly version: string }).version;

/** Where a version of ours is written, and by what it is found there. */
const guides = readdirSync("docs/guides").map((name) => join("docs", "guides", name));
const WRITTEN: readonly (readonly [paths: readonly string[], version: RegExp])[] = [
  [["package-lock.json"], /^ {2}"version": "(.+)",$/gm],
  [["package-lock.json"], /^ {6}"name": "gatehouse",\n {6}"version": "(.+)",$/gm],
  [["desk/package.json", "generated/sdk/typescript/package.json"], /^ {2}"version": "(.+)",$/gm],
  [["generated/sdk/typescript/src/exchange.ts"], /gatehouse-sdk-typescript\/([\d.]+)/g],
  [["generated/sdk/python/pyproject.toml"], /^version = "(.+)"$/gm],
  [["generated/sdk/python/gatehouse_sdk/__init__.py"], /^__version__ = "(.+)"$/gm],
  [["generated/sdk/python/gatehouse_sdk/gatehouse.py"], /gatehouse-sdk-python\/([\d.]+)/g],
  [["generated/sdk/go/gatehouse.go"], /^const version = "(.+)"$/gm],
  [["generated/sdk/go/README.md", ...guides], /gatehouse\.example\/sdk\/go@v([\d.]+\d)/g],
  [["generated/sdk/java/pom.xml"], /^ {4}<version>(.+)<\/version>$/gm],
  [["generated/sdk/java/src/main/java/example/gatehouse/sdk/Gatehouse.java"], /gatehouse-sdk-java\/([\d.]+)/g],
  [["generated/sdk/java/README.md", ...guides], /<artifactId>gatehouse-sdk<\/artifactId>\s*<version>(.+)<\/version>/g],
  [["docs/guides/local-development.md"], /shows="([\d.]+)"\n(?:.+\n)*gatehouse-webhooks --version/g],
];

const writtenIn = (paths: readonly string[], version: RegExp): readonly string[] =>
  paths.flatMap((path) => [...read(path).matchAll(version)].map(([, written]) => `${path}: ${written}`));

describe("the version of package.json", () => {
  it("is in every other place that has a version of ours (CONTRIBUTING.md, A release)", () => {
    const found = WRITTEN.map(([paths, version]) => writtenIn(paths, version));
    expect(found.filter((places) => places.length === 0)).toEqual([]);
    expect(found.flat().filter((place) => !place.endsWith(`: ${versionOf("package.json")}`))).toEqual([]);
  });

  it("comes into the SDKs when they are made: their own files have 0.0.0 in its place", () => {
    const own = WRITTEN.flatMap(([paths, version]) => {
      const sources = paths.map((path) => path.replace(/^generated\/sdk\/(\w+)\//, "sdks/$1/overlay/"));
      return writtenIn(
        sources.filter((path) => path.startsWith("sdks/") && existsSync(path)),
        version,
      );
    });
    expect(own.length).toBeGreaterThan(7);
    expect(own.filter((place) => !place.endsWith(": 0.0.0"))).toEqual([]);
  });
});
