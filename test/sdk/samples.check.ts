import { execFile } from "node:child_process";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runSample, type SampleCommand } from "../portal/samples/running-samples.ts";
import {
  ANSWERS,
  firstWordOf,
  openSampleWorld,
  SAMPLED,
  type SampleWorld,
  tryReceiver,
} from "../portal/samples/sample-world.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { TOOLCHAINS } from "./toolchains.ts";

/** Installing and compiling, with nothing cached, on a busy machine. */
const PREPARE_MS = 600_000;
const ROOT = join(import.meta.dirname, "..", "..");
const WORK = join(ROOT, ".cache", "sdks", "samples");

/** Builds programs by name, each a text; what does not compile is an error that names it. */
type Build = (folder: string, programs: ReadonlyMap<string, string>) => Promise<ReadonlyMap<string, SampleCommand>>;

const tool = async (file: string, args: readonly string[], cwd: string): Promise<void> => {
  await promisify(execFile)(file, [...args], { cwd, maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${file} ${args.join(" ")} failed in ${cwd}:\n${error.stdout}\n${error.stderr}`);
    },
  );
};

const BUILDS: Readonly<Record<string, Build>> = {
  async python(folder, programs) {
    await tool("python3", ["-m", "venv", "venv"], folder);
    await tool(join(folder, "venv", "bin", "pip"), ["install", "--quiet", "./sdk"], folder);
    const commands = new Map<string, SampleCommand>();
    for (const [name, code] of programs) {
      await writeFile(join(folder, `${name}.py`), code);
      commands.set(name, { file: join(folder, "venv", "bin", "python"), args: [join(folder, `${name}.py`)] });
    }
    await tool("python3", ["-m", "py_compile", ...[...programs.keys()].map((name) => `${name}.py`)], folder);
    return commands;
  },
  async go(folder, programs) {
    await tool("go", ["mod", "init", "gatehouse.example/samples"], folder);
    const module = "gatehouse.example/sdk/go";
    await tool("go", ["mod", "edit", "-require", `${module}@v0.1.0`, "-replace", `${module}=./sdk`], folder);
    for (const [name, code] of programs) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, "main.go"), `${code}\n`);
    }
    await tool("go", ["mod", "tidy"], folder);
    const packages = [...programs.keys()].map((name) => `./${name}`);
    await tool("go", ["vet", ...packages], folder);
    await mkdir(join(folder, "bin"));
    await tool("go", ["build", "-o", "bin/", ...packages], folder);
    return new Map([...programs.keys()].map((name) => [name, { file: join(folder, "bin", name), args: [] }]));
  },
  async java(folder, programs) {
    const sdk = join(folder, "sdk");
    const quiet = ["-q", "-B", `-Dmaven.repo.local=${join(ROOT, ".cache", "sdks", "maven")}`];
    const only = ["-DskipTests", "-Dmaven.javadoc.skip=true", "-Dmaven.source.skip=true"];
    await tool("mvn", [...quiet, ...only, "package", "dependency:copy-dependencies"], sdk);
    const jars = (await readdir(join(sdk, "target"))).filter((name) => name.endsWith(".jar"));
    const classPath = [...jars.map((name) => join(sdk, "target", name)), join(sdk, "target", "dependency", "*")].join(
      ":",
    );
    const commands = new Map<string, SampleCommand>();
    for (const [name, code] of programs) {
      const [, main = ""] = /public class (\w+)/.exec(code) ?? [];
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, `${main}.java`), code);
      await tool("javac", ["-cp", classPath, "-d", join(folder, name), join(folder, name, `${main}.java`)], folder);
      commands.set(name, { file: "java", args: ["-cp", `${join(folder, name)}:${classPath}`, main] });
    }
    return commands;
  },
};

describe.each(TOOLCHAINS.filter(({ language }) => language in BUILDS))(
  "the samples of the reference in $language (R-X192)",
  ({ language, missing }) => {
    describeWith(
      { name: `the toolchain of ${language}`, missing: missing() },
      "compiled and run as the product serves them",
      () =>
        withScope((closeLater) => {
          const folder = join(WORK, language);
          const nameOf = (entry: string) => entry.replaceAll(/[._]/g, "_");
          let world: SampleWorld;
          let commands: ReadonlyMap<string, SampleCommand>;
          const command = (entry: string): SampleCommand => {
            const made = commands.get(nameOf(entry));
            if (made === undefined) throw new Error(`There is no program of ${entry}.`);
            return made;
          };
          const build = async (programs: ReadonlyMap<string, string>) => {
            await rm(folder, { recursive: true, force: true });
            await mkdir(folder, { recursive: true });
            await cp(join(ROOT, "generated", "sdk", language), join(folder, "sdk"), { recursive: true });
            return await (BUILDS[language] as Build)(folder, programs);
          };
          beforeAll(async () => {
            world = await openSampleWorld(closeLater);
            const entries = [
              ...SAMPLED.gateway,
              ...SAMPLED.webhooks,
              ...SAMPLED.signOn,
              "authorize",
              "logout",
              ...SAMPLED.events,
            ];
            commands = await build(new Map(entries.map((entry) => [nameOf(entry), world.find(entry, language)])));
          }, PREPARE_MS);
          beforeEach(() => world.renew());

          it.each(SAMPLED.gateway)("%s prints something of the example's answer", async (operationId) => {
            const ran = await runSample(command(operationId), await world.secretsFor(operationId));
            expect(ran).toMatchObject({ code: 0 });
            expect(JSON.stringify(ANSWERS.get(operationId))).toContain(firstWordOf(ran));
          });

          it.each(SAMPLED.webhooks)("%s works, and prints the answer", async (operationId) => {
            const ran = await runSample(command(operationId), await world.secretsFor(operationId));
            expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/\w/) });
          });

          it.each(SAMPLED.signOn)("%s works", async (operationId) => {
            const ran = await runSample(command(operationId), await world.secretsFor(operationId));
            expect(ran).toMatchObject({ code: 0, stderr: "" });
          });

          it.each(["authorize", "logout"])("%s prints an address of the installation", async (operationId) => {
            const { stdout } = await runSample(command(operationId), await world.secretsFor(operationId));
            expect(new URL(stdout.trim()).pathname).toBe(`/auth/${operationId}`);
          });

          it.each(SAMPLED.events)("the receiver of %s takes what curl sends, nothing forged", async (type) => {
            expect(await tryReceiver(command(type), world.find(type, "curl"))).toMatchObject({
              genuine: expect.stringMatching(/^HTTP\/1\.[01] 204/),
              forged: expect.stringMatching(/^HTTP\/1\.[01] 400/),
              printed: expect.stringMatching(/event_\w{21} \S+/),
            });
          });

          it(
            "a sample with a misspelt name does not get through",
            async () => {
              const spoilt = world
                .find("listClients", language)
                .replaceAll(/atehouse(\.gateway|\.New|\()/g, "atehause$1");
              expect(spoilt).not.toBe(world.find("listClients", language));
              const ran = build(new Map([["spoilt", spoilt]])).then(async (made) =>
                runSample(made.get("spoilt") ?? { file: "false", args: [] }, await world.secretsFor("listClients")),
              );
              expect(
                await ran.then(
                  ({ code }) => code,
                  () => 1,
                ),
              ).not.toBe(0);
            },
            PREPARE_MS,
          );
        }),
    );
  },
);
