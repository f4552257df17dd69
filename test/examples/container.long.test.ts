import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { freePort } from "../support/free-port.ts";
import { startProgram } from "../support/processes.ts";

const FILE = join("examples", "operator", "Containerfile");

/** Instructions of a Containerfile in their order, without comments; none of ours goes over several lines. */
const instructions = readFileSync(FILE, "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line): readonly [string, string] => {
    const end = line.indexOf(" ");
    return [line.slice(0, end), line.slice(end + 1)];
  });

const all = (name: string): readonly string[] => instructions.filter(([one]) => one === name).map(([, rest]) => rest);
const words = (name: string): readonly string[] => JSON.parse(all(name)[0] ?? "null");

/** Paths of the program's files with what a change would alter: size and time of the last change. */
function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const { size, mtimeMs } = lstatSync(path);
    return `${path} ${size} ${mtimeMs}`;
  });
}

/** Every step of the Containerfile, in a scratch folder that takes the place of the image's root. */
describe("the image of the Containerfile", () => {
  const root = mkdtempSync(join(tmpdir(), "gh-image-"));
  const place = join(root, all("WORKDIR")[0] ?? "");
  const inRoot = (text: string) => text.replaceAll(/\/(?:backups|data|opt)\b/g, (path) => join(root, path));
  const environment: Record<string, string> = Object.fromEntries(
    all("ENV").map((text) => {
      const end = text.indexOf("=");
      return [text.slice(0, end), inRoot(text.slice(end + 1))];
    }),
  );
  const [entry = ""] = words("ENTRYPOINT").map(inRoot);
  let atInstall: readonly string[] = [];

  beforeAll(() => {
    const ignored = new Set(readFileSync(".dockerignore", "utf8").split("\n"));
    const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0");
    const sent = files.filter((path) => path !== "" && !ignored.has(path.split("/")[0] ?? ""));
    const copy = (from: readonly string[], to: string) => {
      if (from[0] === ".") for (const file of sent) cpSync(file, join(place, file));
      else for (const file of from) cpSync(file, join(place, to, basename(file)));
    };
    const run = (command: string) => {
      if (command.includes("tools/install.ts")) atInstall = readdirSync(place, { recursive: true }).map(String);
      execFileSync("sh", ["-c", inRoot(command.replace(/ --owner \d+ --group \d+/, ""))], {
        cwd: place,
        stdio: "pipe",
        env: { ...process.env, ...Object.fromEntries(all("ARG").map((text) => text.split("="))) },
      });
    };
    // In the file's order: a step has what the steps before it have made.
    for (const [name, text] of instructions) {
      const words = text.split(" ");
      if (name === "COPY") copy(words.slice(0, -1), words.at(-1) ?? "");
      if (name === "RUN") run(text);
    }
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("names each instruction that this suite follows, and no other", () => {
    const followed = ["FROM", "WORKDIR", "COPY", "ARG", "RUN", "USER", "ENV", "EXPOSE", "ENTRYPOINT", "CMD"];
    expect([...new Set(instructions.map(([name]) => name))]).toEqual(followed);
    expect(all("COPY").at(-1)).toBe(". .");
    expect(all("USER")).toEqual(["10001:10001"]);
  });

  it("installs the packages before the program is there, so that a change of the program leaves their layer as it is", () => {
    const needed = [".npmrc", "package-lock.json", "package.json", "tools", join("tools", "install.ts")];
    expect(atInstall.toSorted()).toEqual(needed);
  });

  it("has neither npm's copies of the packages nor what the build compiled", () => {
    const [, cache] = / npm_config_cache=(\S+) .* && rm -rf \1$/.exec(all("RUN")[0] ?? "") ?? [];
    expect(cache).toBe(".npm");
    expect(readdirSync(place)).not.toContain(cache);
    expect(readdirSync(place)).not.toContain(".cache");
  });

  it("has no data and no secret of a demonstration or of an integrator who tried it in the same folder", () => {
    const kept = readFileSync(".gitignore", "utf8").match(/^(?:\.gatehouse.*|.*\.env)$/gm) ?? [];
    const ignored = readFileSync(".dockerignore", "utf8").split("\n");
    expect(kept).toContain("handover.env");
    expect(kept.filter((line) => ![line.replace("/", ""), `**/${line}`].some((one) => ignored.includes(one)))).toEqual(
      [],
    );
  });

  it("has a folder for backups, of which a new volume gets its owner", () => {
    const readme = readFileSync(join("examples", "operator", "README.md"), "utf8");
    const [, folder] = /--mount type=volume,source=backups,target=\/(\w+)/.exec(readme) ?? [];
    expect(folder).toBe("backups");
    expect(readdirSync(root)).toContain(folder);
    expect(all("RUN").at(-1)).toMatch(/ --owner 10001 --group 10001 \/data \/backups$/);
  });

  it("has the packages for a Temporal server where the build is given the argument that its README says", () => {
    const readme = readFileSync(join("examples", "operator", "README.md"), "utf8");
    const [, argument = "", kind = ""] = /--build-arg (\w+)=(\w+)/.exec(readme) ?? [];
    expect(all("ARG")).toEqual([`${argument}=production`]);
    expect(all("RUN")[0]).toMatch(new RegExp(` node tools/install\\.ts \\$${argument} `));
    // The packages of this repository are a larger install than either: both words are accepted, and others are not.
    const ofKind = (word: string) => spawnSync(process.execPath, ["tools/install.ts", word]).status;
    expect([ofKind("production"), ofKind(kind), ofKind("everything")]).toEqual([0, 0, 1]);
  });

  it("starts, answers commands, writes to its volume alone, and stops by SIGTERM with code 0", async () => {
    const before = stateOf(place);
    const managementPort = await freePort();
    const program = startProgram(words("CMD"), managementPort, {
      launched: entry,
      environment: {
        ...environment,
        HOME: "/",
        TMPDIR: "/nonexistent",
        GATEHOUSE_ISSUER: "https://sign-on.example",
        GATEHOUSE_PUBLIC_PORT: String(await freePort()),
        GATEHOUSE_MANAGEMENT_PORT: String(managementPort),
      },
    });
    try {
      await program.ready();
      const { PATH = "" } = process.env;
      const asked = spawnSync(entry, ["applications", "list"], { env: { PATH, ...environment }, encoding: "utf8" });
      expect(asked.stderr).toContain("There are no applications yet.");
      expect(await program.end()).toBe(0);
    } finally {
      await program.end("SIGKILL");
    }
    expect(stateOf(place)).toEqual(before);
    expect(readdirSync(join(root, "data")).toSorted()).toEqual(["compiled", "gatehouse"]);
  });
});
