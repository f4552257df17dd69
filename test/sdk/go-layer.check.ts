import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeWith } from "../support/optional-part.ts";
import { TOOLCHAINS } from "./toolchains.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const TESTS = join(import.meta.dirname, "go", "layer_test.go");
const VECTORS = join(ROOT, "generated", "contracts", "webhooks.vectors.json");
const MODULE = "gatehouse.example/sdk/go";
const BUILD_MS = 300_000;

const names = [...readFileSync(TESTS, "utf8").matchAll(/^func (Test\w+)\(/gm)].map(([, name]) => name);
const missing = TOOLCHAINS.find(({ language }) => language === "go")?.missing();

/** What the hand-written layer of the SDK in Go does beyond the scenarios that all languages share. */
describeWith({ name: "the toolchain of go", missing }, "the SDK in go", () => {
  const folder = join(ROOT, ".cache", "sdks", "go-layer");
  const go = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync("go", args, { cwd: folder, encoding: "utf8" });
    return { status, said: `${stdout}\n${stderr}` };
  };
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(TESTS, join(folder, "layer_test.go"));
    const sdk = join(ROOT, "generated", "sdk", "go");
    const steps = [
      go("mod", "init", "gatehouse.example/layer"),
      go("mod", "edit", `-replace=${MODULE}=${sdk}`, `-require=${MODULE}@v0.0.0`),
      go("mod", "tidy"),
      go("vet", "."),
      go("test", "-c", "-o", "layer.test", "."),
    ];
    expect(steps.map(({ status, said }) => (status === 0 ? "done" : said))).toEqual(Array(steps.length).fill("done"));
  }, BUILD_MS);

  it.each(names)(
    "%s",
    (name) => {
      const args = ["-test.v", "-test.run", `^${name}$`];
      const env = { ...process.env, GATEHOUSE_VECTORS: VECTORS };
      const { stdout, stderr } = spawnSync(join(folder, "layer.test"), args, { encoding: "utf8", env });
      expect(`${stdout}\n${stderr}`).toContain(`--- PASS: ${name} `);
    },
    BUILD_MS,
  );
});
