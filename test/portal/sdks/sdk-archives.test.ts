import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isBuildProduct, SDK_LANGUAGES } from "../../../src/portal/sdks/sdk-archive.ts";
import { newFolder } from "../../support/folder.ts";
import { call } from "../../support/http.ts";
import { servedPortal } from "../../support/portal-edge.ts";

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

describe("the SDKs to download (R-X191)", () => {
  const portal = servedPortal();
  let folder: string;
  beforeAll(async () => {
    folder = newFolder("gh-sdks-");
  });

  it.each(SDK_LANGUAGES)(
    "%s.tgz unpacks to the files of the repository, without what tools build",
    async (language) => {
      const answer = await fetch(`${portal.url}/sdks/${language}.tgz`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const at = join(folder, language);
      mkdirSync(at);
      writeFileSync(join(folder, `${language}.tgz`), bytes);
      execFileSync("tar", ["-xzf", join(folder, `${language}.tgz`), "-C", at]);
      const source = join("generated", "sdk", language);
      const wanted = filesBelow(source).filter((path) => !isBuildProduct(language, path));
      const unpacked = filesBelow(join(at, `gatehouse-sdk-${language}`));
      const differing = wanted.filter(
        (path) => !readFileSync(join(at, `gatehouse-sdk-${language}`, path)).equals(readFileSync(join(source, path))),
      );
      expect(answer.headers.get("content-type")).toBe("application/gzip");
      expect(unpacked).toEqual(wanted);
      expect(differing).toEqual([]);
    },
  );

  it.each(SDK_LANGUAGES)("%s.tgz has the text of its licence", async (language) => {
    const answer = await fetch(`${portal.url}/sdks/${language}.tgz`);
    const archive = join(folder, `licence-${language}.tgz`);
    writeFileSync(archive, Buffer.from(await answer.arrayBuffer()));
    const member = `gatehouse-sdk-${language}/LICENSE`;
    const licence = execFileSync("tar", ["-xzOf", archive, member], { encoding: "utf8" });
    expect(licence).toBe(readFileSync("LICENSE", "utf8"));
  });

  it("has that text where Maven packs it into the jar", () => {
    const packed = join("generated", "sdk", "java", "src", "main", "resources", "META-INF", "LICENSE");
    expect(readFileSync(packed, "utf8")).toBe(readFileSync("LICENSE", "utf8"));
  });

  it("names the licence in the Python package by its SPDX identifier, as setuptools from 2027 on demands", () => {
    const lines = readFileSync(join("generated", "sdk", "python", "pyproject.toml"), "utf8").split("\n");
    expect(lines).toEqual(expect.arrayContaining(['license = "Apache-2.0"', 'license-files = ["LICENSE"]']));
  });

  it("says in the Java package whose it is, and nothing of the generator's own project", () => {
    const pom = readFileSync(join("generated", "sdk", "java", "pom.xml"), "utf8");
    const [said] = pom.split("<build>");
    expect(said).toContain("<description>Calls the gateway of Gatehouse, and verifies its events.</description>");
    expect(said?.replaceAll(/\s+/g, "")).toContain(
      "<license><name>Apache-2.0</name><url>https://www.apache.org/licenses/LICENSE-2.0</url>",
    );
    expect(said).not.toMatch(/<scm>|openapi/i);
  });

  it("are the same bytes each time", async () => {
    const [first, second] = await Promise.all([1, 2].map(() => call(portal.url, "/sdks/go.tgz")));
    expect(second?.text).toBe(first?.text);
  });

  it.each(["rust.tgz", "typescript", "manifest.json"])("has no %s", async (file) => {
    expect((await call(portal.url, `/sdks/${file}`)).status).toBe(404);
  });
});
