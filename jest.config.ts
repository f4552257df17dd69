import { availableParallelism } from "node:os";
import type { Config } from "jest";

/** Which suites `make test` and `make test-long` run; without a word, all (docs/decisions/0071). */
const { TEST_SUITES = "all" } = process.env;
const LONG = "\\.long\\.test\\.ts$";

/** Everything is compiled to CommonJS for jest by swc, the ESM-only packages below node_modules included. */
const config: Config = {
  testMatch: [`<rootDir>/test/**/*${TEST_SUITES === "long" ? ".long" : ""}.test.ts`],
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/.cache/", ...(TEST_SUITES === "quick" ? [LONG] : [])],
  modulePathIgnorePatterns: [
    "<rootDir>/.tools/",
    "<rootDir>/.gatehouse/",
    "<rootDir>/.gatehouse-demo/",
    "<rootDir>/.cache/",
    "<rootDir>/sdks/",
  ],
  transform: {
    "^.+\\.[mc]?[tj]s$": [
      "@swc/jest",
      {
        jsc: { target: "es2024", parser: { syntax: "typescript" }, experimental: { keepImportAttributes: false } },
        module: { type: "commonjs", importInterop: "swc" },
        sourceMaps: "inline",
      },
    ],
  },
  transformIgnorePatterns: [
    "/node_modules/(?!(@apidevtools|@auth|@panva|preact|preact-render-to-string|jose|openid-client|oauth4webapi|@bufbuild|kysely|commander|marked|modern-tar)/)",
  ],
  testEnvironment: "node",
  // For a machine that does other work, too: a test that hangs is found as well later.
  testTimeout: 90_000,
  // Jest would leave a core idle; suites wait for processes and servers some of their time. Modules of hundreds of suites stay in a
  // worker's memory until it is replaced.
  maxWorkers: availableParallelism() + 1,
  workerIdleMemoryLimit: "2GB",
  // A worker that is full takes up to five seconds to end on a machine that does other work, with nothing open. Jest says after this time that
  // a test has left something open.
  workerGracefulExitTimeout: 30_000,
  testSequencer: "<rootDir>/test/support/kills-first.ts",
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
  setupFilesAfterEnv: ["<rootDir>/test/support/matchers.ts"],
  cacheDirectory: "<rootDir>/.cache/jest",
};

export default config;
