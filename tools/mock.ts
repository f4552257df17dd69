import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mergedDocument } from "./sdks/merged-document.ts";

/**
 * Runs a mock of sign-on and gateway at one address, as the product has them: Prism over both contracts, answering with their named
 * examples. Ends with Ctrl-C. Usage: node tools/mock.ts [port], by default 4010.
 */

const port = process.argv[2] ?? "4010";
const folder = join(".cache", "mock");
const document = join(folder, "openapi.json");

mkdirSync(folder, { recursive: true });
writeFileSync(document, JSON.stringify(mergedDocument()));
console.log(`The mock answers at http://127.0.0.1:${port} as soon as it says so. The header Prefer chooses the answer:
  curl -H 'x-api-key: any' http://127.0.0.1:${port}/v1/instance-integrations
  curl -H 'x-api-key: any' -H 'Prefer: code=401' http://127.0.0.1:${port}/v1/instance-integrations
docs/mock-and-sdks.md says more.`);
// Answers exactly the contract's examples, without random values; a request that breaks the contract gets the
// contract's own refusal.
const prism = spawn(
  join("node_modules", ".bin", "prism"),
  ["mock", document, "--port", port, "--verboseLevel", "warn"],
  {
    stdio: "inherit",
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => prism.kill(signal));
prism.on("exit", (code) => {
  process.exitCode = code ?? 0;
});
