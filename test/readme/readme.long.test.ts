import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { newFolder } from "../support/folder.ts";
import { describeWith } from "../support/optional-part.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PORTS = [8080, 8081, 8082];
const START_MS = 120_000;

/** What a block answers, as a sign that it did what the page says; every block of README.md has a row. */
const ANSWERS: readonly { readonly block: RegExp; readonly shows: readonly (string | RegExp)[] }[] = [
  { block: /Harbour Bakery/, shows: [/client_[A-Za-z0-9]{21}/, "Harbour Bakery"] },
  { block: /openid-configuration/, shows: ['"issuer":"http://localhost:8080"', '"token_endpoint"'] },
  { block: /instance-integrations/, shows: [/"id":"installation_[A-Za-z0-9]{21}"/, '"instanceName":"Europe"'] },
  {
    block: /events\.txt/,
    shows: [/^verified {2}client\.created {2}Old Mill Pottery {2}event_\w+ {2}after [^\n]+\n$/m],
  },
  { block: /deliveries list/, shows: ["client.created", "delivered", "acknowledged"] },
  { block: /contracts\/gateway\.yaml/, shows: ["openapi: 3.1", "asyncapi: 3.1", "operationId: listWorkers"] },
  { block: /onboard "My Trial"/, shows: ["app_", "subscription_", ".gatehouse/trial/handover.env"] },
  { block: /--help/, shows: ["tenants", "--role", "--issuer"] },
  { block: /health\/ready/, shows: ['"status":"ready"'] },
  { block: /subscriptions list/, shows: ["Marigold", "sample-integrator"] },
  { block: /seed --dry-run/, shows: [/Lines that it would import: \d+ instance, \d+ tenant/] },
];

/** Starts what the others need. */
const START = "make run\n";
/** Run by .ci/run itself; this suite is part of the first. */
const BY_CI = "make test\nmake check\n";

/** Fenced blocks of shell commands, in order. */
const blocksOf = (path: string): readonly string[] =>
  [...readFileSync(join(ROOT, path), "utf8").matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);

const takenPorts = (): readonly number[] =>
  PORTS.filter((port) => {
    const script = `require("net").createServer().once("error", () => process.exit(1)).listen(${port}, "127.0.0.1", () => process.exit(0))`;
    return spawnSync(process.execPath, ["-e", script]).status !== 0;
  });

const hasCommand = (name: string): boolean => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;

function missingParts(): string | undefined {
  const commands = ["make", "npm", "curl"].filter((name) => !hasCommand(name));
  if (commands.length > 0) return `not on PATH: ${commands.join(", ")}`;
  const ports = takenPorts();
  return ports.length === 0 ? undefined : `other programs listen on port ${ports.join(" and ")}`;
}

/** The environment of somebody who has just opened a terminal: nothing of the make and the jest that run this. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(GATEHOUSE_|MAKE|MFLAGS|JEST_|NODE_ENV$|NODE_OPTIONS$|npm_)/.test(name) && !["ARGS", "ONLY"].includes(name),
  );
  // A newcomer's `node` is whichever is on PATH; the one that runs this is certainly there.
  return { ...Object.fromEntries(kept), PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ""}` };
}

/** A folder that looks like a fresh checkout, so that no developer's own .gatehouse is touched. */
function freshFolder(): string {
  const folder = newFolder("gh-readme-");
  for (const name of readdirSync(ROOT))
    if (name !== ".gatehouse" && name !== ".git") symlinkSync(join(ROOT, name), join(folder, name));
  return folder;
}

describe("README.md", () => {
  it("has only blocks that this suite understands", () => {
    const unknown = blocksOf("README.md").filter(
      (block) => block !== START && block !== BY_CI && ANSWERS.filter((row) => row.block.test(block)).length !== 1,
    );
    expect(unknown).toEqual([]);
    expect(blocksOf("README.md")).toHaveLength(ANSWERS.length + 2);
  });
});

describeWith(
  { name: "the demonstration's ports and curl", missing: missingParts() },
  "The commands of README.md",
  () => {
    let folder: string;
    let demonstration: ChildProcess;
    let output = "";

    beforeAll(async () => {
      folder = freshFolder();
      demonstration = spawn("sh", ["-c", START], {
        cwd: folder,
        env: environment(),
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      for (const stream of [demonstration.stdout, demonstration.stderr])
        stream?.on("data", (chunk) => (output += String(chunk)));
      const until = Date.now() + START_MS;
      while (!output.includes("Ctrl-C")) {
        if (demonstration.exitCode !== null || Date.now() > until)
          throw new Error(`make run did not start:\n${output}`);
        await sleep(50);
      }
    }, START_MS + 10_000);

    afterAll(async () => {
      if (demonstration.exitCode === null && demonstration.pid !== undefined) {
        const ended = once(demonstration, "exit");
        // As Ctrl-C does it: to make and everything below it.
        process.kill(-demonstration.pid, "SIGINT");
        await ended;
      }
    });

    it("`make run` prints the addresses that the page names", () => {
      expect(output).toContain("http://localhost:8080");
      expect(output).toContain("http://localhost:8082");
    });

    const tried = blocksOf("README.md").filter((block) => block !== START && block !== BY_CI);
    it.each(tried.map((block) => ({ block, lines: block.trim().replaceAll("\n", "; ") })))(
      "$lines",
      async ({ block }) => {
        const row = ANSWERS.find((one) => one.block.test(block));
        const { stdout } = await promisify(execFile)("sh", ["-e", "-c", block], { cwd: folder, env: environment() });
        expect(row?.shows ?? []).not.toHaveLength(0);
        for (const sign of row?.shows ?? [])
          expect(stdout).toEqual(
            typeof sign === "string" ? expect.stringContaining(sign) : expect.stringMatching(sign),
          );
      },
    );
  },
);
