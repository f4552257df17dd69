import { relative } from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { EXPLAINED_MUTANTS } from "./mutants/explained.ts";
import { balance, judge } from "./mutants/survivors.ts";
import { MUTATION_TARGETS, type MutationTarget } from "./mutants/targets.ts";

/**
 * Changes one detail of a rule's code at a time and runs the rule's tests against it (decision 0044). Prints a score per target and each
 * change that no test noticed. Ends with 1 when one of those is not explained, or an explanation fits none.
 * Usage: node tools/mutants.ts [target …]; without a target, all of them.
 */
const names = process.argv.slice(2);
const targets = MUTATION_TARGETS.filter(({ name }) => names.length === 0 || names.includes(name));
if (targets.length < names.length) {
  console.error(`The targets are: ${MUTATION_TARGETS.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
// One database is enough to notice a changed rule; a cluster of PostgreSQL for each mutant would take most of the time.
process.env.GATEHOUSE_TEST_STORES = "sqlite";
delete process.env.CI;

let open = 0;
for (const target of targets) open += report(target, await mutantsOf(target));
if (open > 0) console.error("Write a test that notices it, or say in tools/mutants/explained.ts why none has to.");
process.exit(open > 0 ? 1 : 0);

function mutantsOf({ mutate, tests }: MutationTarget) {
  return new Stryker({
    mutate: [...mutate],
    testRunner: "jest",
    plugins: ["@stryker-mutator/jest-runner"],
    jest: {
      configFile: "jest.config.ts",
      enableFindRelatedTests: false,
      // A test that waits for what a changed rule prevents fails by itself, and its process serves the next mutant.
      config: { testMatch: tests.map((glob) => `<rootDir>/${glob}`), testTimeout: 8_000 },
    },
    coverageAnalysis: "perTest",
    concurrency: 1,
    reporters: [],
    logLevel: "error" as NonNullable<ConstructorParameters<typeof Stryker>[0]["logLevel"]>,
    // Beyond what the run takes without a change. A mutant that never ends counts as noticed, a slow machine must not.
    timeoutMS: 20_000,
    // A runner keeps the modules of every run.
    maxTestRunnerReuse: 40,
    tempDirName: ".cache/mutants",
    ignorePatterns: [".tools", ".cache", "bench", "docs", "sdks", "generated/sdk"],
  }).runMutationTest();
}

/** Prints what became of a target's mutants; returns how many sentences are owed. */
function report({ name, mutate }: MutationTarget, mutants: Awaited<ReturnType<typeof mutantsOf>>): number {
  const { noticed, tookTooLong, survivors, score } = judge(mutants);
  const paths = [...new Set(mutants.map(({ fileName }) => fileName))];
  const { explained, unexplained, idle } = balance(survivors, EXPLAINED_MUTANTS, paths);
  const counts = `${noticed} noticed (${tookTooLong} took too long), ${explained.length} explained, ${unexplained.length} open`;
  console.log(`${name.padEnd(18)} ${score.toFixed(1).padStart(5)} %  ${counts}`);
  if (mutants.length === 0) console.log(`  There is nothing to change in ${mutate.join(", ")}.`);
  for (const { path, line, code, replacement } of unexplained)
    console.log(`  ${relative("", path)}:${line}\n    - ${code}\n    + ${replacement}`);
  for (const { file, code, replacement } of idle)
    console.log(`  explained, though a test notices it: ${file}\n    - ${code}\n    + ${replacement}`);
  return unexplained.length + idle.length + (mutants.length === 0 ? 1 : 0);
}
