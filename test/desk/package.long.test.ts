import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { EVENT_TYPES } from "../../generated/event-types.ts";
import { eventExamples } from "../../tools/contracts/event-examples.ts";
import { newFolder } from "../support/folder.ts";

const DESK = resolve("desk");
const sources = readdirSync(DESK, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
/** Nothing of this machine's npm, and no network. */
const environment = (folder: string) => ({
  PATH: process.env.PATH,
  HOME: folder,
  npm_config_cache: join(folder, "cache"),
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
});

describe("the package in desk/ (docs/decisions/0067)", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder("gh-desk-");
  });

  it("imports itself and Node.js, and has no dependency", () => {
    const imported = sources.flatMap((file) =>
      [...readFileSync(join(DESK, file), "utf8").matchAll(/^(?:import|} from|export \* from) .*?"([^"]+)";$/gm)].map(
        ([, from = ""]) => (from.startsWith(".") ? resolve(DESK, file, "..", from) : from),
      ),
    );
    expect(imported.length).toBeGreaterThan(20);
    expect(imported.filter((from) => !from.startsWith("node:") && !from.startsWith(`${DESK}/src/`))).toEqual([]);
    expect(JSON.parse(readFileSync("desk/package.json", "utf8"))).not.toHaveProperty("dependencies");
  });

  it("has the examples of the contract, one of each type", () => {
    const contract = JSON.parse(readFileSync("generated/contracts/webhooks.asyncapi.json", "utf8"));
    const events = JSON.parse(readFileSync("desk/events.json", "utf8"));
    expect(events).toEqual(eventExamples(contract));
    expect(events.map(({ type }: { readonly type: string }) => type)).toEqual(EVENT_TYPES);
  });

  it("is run by npx from the folder, from a directory that has nothing", () => {
    const { stdout, stderr, status } = spawnSync("npx", ["--yes", DESK, "--help"], {
      cwd: folder,
      encoding: "utf8",
      env: environment(folder),
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Usage: npx ${DESK} <verb> [flags]`);
  });

  it("names itself as the guides run it, from the repository, and says its version", () => {
    const ran = (...words: readonly string[]) =>
      spawnSync(process.execPath, ["desk/bin/gatehouse-webhooks.js", ...words], { encoding: "utf8" });
    expect(ran("listen", "--help").stdout).toContain("Usage: npx ./desk listen --forward-to <url> [flags]");
    expect(ran("listen").stderr).toMatch(/^gatehouse-webhooks: /);
    const { version } = JSON.parse(readFileSync("desk/package.json", "utf8"));
    expect(ran("--version").stdout).toBe(`${version}\n`);
  });

  // As an older Node.js would say it, before the program begins; and such a one, where the machine has it.
  const older = ["/usr/bin/node", "/usr/local/bin/node"].filter((node) => {
    const { status, stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
    return status === 0 && Number.parseInt(stdout.slice(1), 10) < 24;
  });
  const SAYS_20 =
    "--import=data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})";
  it.each([[process.execPath, SAYS_20], ...older.map((node): [string, ...string[]] => [node])])(
    "says which Node.js it needs to one that is older: %s",
    (node, ...options) => {
      const { status, stdout, stderr } = spawnSync(node, [...options, "desk/bin/gatehouse-webhooks.js", "--help"], {
        encoding: "utf8",
      });
      expect([status, stdout]).toEqual([69, ""]);
      expect(stderr).toMatch(
        /^gatehouse-webhooks: It needs Node\.js 24; this is \d+\.\d+\.\d+\.\nPut a newer one first on PATH: .+\n$/,
      );
    },
  );

  it("works where npm has installed a packed copy, without a word more", () => {
    const env = environment(folder);
    const [packed = ""] = execFileSync("npm", ["pack", DESK, "--silent"], { cwd: folder, encoding: "utf8", env }).split(
      "\n",
    );
    execFileSync("npm", ["install", "--silent", join(folder, packed)], { cwd: folder, env });
    const { stderr, status, stdout } = spawnSync(
      join("node_modules", ".bin", "gatehouse-webhooks"),
      ["conform", "http://127.0.0.1:4/", "--json"],
      {
        cwd: folder,
        encoding: "utf8",
        env: { ...env, WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString("base64")}` },
      },
    );
    expect([status, stderr]).toEqual([1, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ conforms: false });
  });
});

describe("gatehouse conform", () => {
  it("is the same tool, without an operator's socket", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["src/main.ts", "conform", "http://127.0.0.1:4/"], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString("base64")}` },
    });
    expect([status, stderr]).toEqual([1, ""]);
    expect(stdout).toContain("FAIL in-time");
  });

  it.each(["listen", "trigger", "conform"])("has the flags of the package in its own help: %s", (tool) => {
    const helpBy = (program: string) =>
      spawnSync(process.execPath, [program, tool, "--help"], { encoding: "utf8" }).stdout;
    const flagsIn = (help: string) => [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag).toSorted();
    const own = flagsIn(helpBy("src/main.ts"));
    expect(own).toContain("--json");
    expect(own).toEqual(flagsIn(helpBy("desk/bin/gatehouse-webhooks.js")));
  });
});
