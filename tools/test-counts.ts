import { readFileSync } from "node:fs";

/**
 * Prints jest's JSON summaries as one plain line. A suite that could not run at all counts as a failure, and so does a missing summary.
 * Usage: node tools/test-counts.ts <file> …; the exit code is 1 when anything failed or nothing passed.
 */

interface Summary {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

function readSummary(path: string): Summary {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, numRuntimeErrorTestSuites: 0 };
  }
}

const files = process.argv.length > 2 ? process.argv.slice(2) : [".cache/test-results.json"];
const summaries = files.map(readSummary);
const total = (count: (summary: Summary) => number): number => summaries.map(count).reduce((sum, one) => sum + one, 0);
const passed = total(({ numPassedTests }) => numPassedTests);
const failed = total(({ numFailedTests, numRuntimeErrorTestSuites }) => numFailedTests + numRuntimeErrorTestSuites);
const skipped = total(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (failed > 0 || passed === 0) process.exitCode = 1;
