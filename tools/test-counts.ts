import { readFileSync } from "node:fs";

/**
 * Prints jest's JSON summary as one plain line. A suite that could not run at all counts as a failure, and so does a missing summary.
 * Usage: node tools/test-counts.ts <file>; the exit code is 1 when anything failed or nothing passed.
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

const summary = readSummary(process.argv[2] ?? ".cache/test-results.json");
const failed = summary.numFailedTests + summary.numRuntimeErrorTestSuites;
const skipped = summary.numPendingTests + summary.numTodoTests;
console.log(`${summary.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
if (failed > 0 || summary.numPassedTests === 0) process.exitCode = 1;
