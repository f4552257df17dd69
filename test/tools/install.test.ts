import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newFolder } from "../support/folder.ts";

const LOCK = {
  "": {},
  "node_modules/fastify": { version: "5.0.0", integrity: "a" },
  "node_modules/@temporalio/worker": { version: "1.0.0", integrity: "b", optional: true },
  "node_modules/swc-of-another-machine": { version: "1.0.0", integrity: "c", optional: true, os: ["aix"] },
  "node_modules/shared-with-tools": { version: "1.0.0", integrity: "d", devOptional: true },
  "node_modules/jest": { version: "30.0.0", integrity: "e", dev: true },
  "node_modules/optional-part-of-a-tool": { version: "1.0.0", integrity: "f", dev: true, optional: true },
};

/** As npm does it: leaves out what it is asked to, and what is for another machine; notes the rest. */
const npm = (lost: string) => `#!/usr/bin/env node
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
const args = process.argv.slice(2);
appendFileSync("calls", args.join(" ") + "\\n");
const omits = (kind) => args.includes("--omit=" + kind);
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const kept = Object.entries(packages).filter(([path, { dev, optional, devOptional, os }]) =>
  path !== "" && path !== ${JSON.stringify(lost)} && os === undefined && !(dev && (omits("dev") || optional)) &&
  !(optional && omits("optional")) && !(devOptional && omits("dev") && omits("optional")));
mkdirSync("node_modules", { recursive: true });
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: Object.fromEntries(kept) }));
`;

describe("tools/install.ts (R-X170)", () => {
  let root: string;
  beforeEach(() => {
    root = newFolder("gh-install-");
    for (const folder of ["tools", "bin"]) mkdirSync(join(root, folder));
    cpSync("tools/install.ts", join(root, "tools", "install.ts"));
    writeFileSync(join(root, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: LOCK }));
    putNpm("");
  });

  const putNpm = (lost: string) => {
    writeFileSync(join(root, "bin", "npm"), npm(lost));
    chmodSync(join(root, "bin", "npm"), 0o755);
  };
  const install = (kind: string) => {
    const env = { PATH: `${join(root, "bin")}:${dirname(process.execPath)}` };
    return spawnSync(process.execPath, [join(root, "tools", "install.ts"), kind], { env, encoding: "utf8" });
  };
  const calls = () => readFileSync(join(root, "calls"), "utf8").trim().split("\n");
  const installed = () => {
    const { packages } = JSON.parse(readFileSync(join(root, "node_modules", ".package-lock.json"), "utf8"));
    return Object.keys(packages).map((path) => path.replace("node_modules/", ""));
  };

  it("omits Temporal's packages from a production install, and calls npm once, by the lock file alone and without install scripts (S57)", () => {
    expect(readFileSync(".npmrc", "utf8")).toMatch(/^ignore-scripts=true$/m);
    expect([install("production").status, install("production").status]).toEqual([0, 0]);
    expect(installed()).toEqual(["fastify"]);
    expect(calls()).toEqual(["ci --loglevel=error --omit=dev --omit=optional"]);
  });

  it("adds them where a Temporal server is configured, and keeps them when a smaller install would suffice", () => {
    const kinds = ["production", "temporal", "production", "temporal"];
    expect(kinds.filter((kind) => install(kind).status !== 0)).toEqual([]);
    expect(installed()).toEqual(["fastify", "@temporalio/worker", "shared-with-tools"]);
    expect(calls()).toEqual(["ci --loglevel=error --omit=dev --omit=optional", "ci --loglevel=error --omit=dev"]);
  });

  it("has everything in a full install, which serves for every other", () => {
    const kinds = ["temporal", "full", "temporal", "production", "full"];
    expect(kinds.filter((kind) => install(kind).status !== 0)).toEqual([]);
    expect(installed()).toEqual(["fastify", "@temporalio/worker", "shared-with-tools", "jest"]);
    expect(calls()).toEqual(["ci --loglevel=error --omit=dev", "ci --loglevel=error"]);
  });

  it("fails when npm silently omitted an optional package", () => {
    putNpm("node_modules/@temporalio/worker");
    expect(install("temporal")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("npm ci in . did not install node_modules/@temporalio/worker: try again\n"),
    });
  });

  it("refuses another word and lists the allowed ones", () => {
    expect(install("minimal")).toMatchObject({
      status: 1,
      stderr: "install: usage: node tools/install.ts production|temporal|full [folder …]\n",
    });
  });
});
