import { type BreakingChange, contractBreaks, protoBreaks } from "./contracts/breaking-changes.ts";
import { CONTRACTS } from "./contracts/names.ts";
import { PLATFORM_CONTRACT } from "./contracts/platform-protos.ts";

/**
 * Compares every contract with the baseline of the last release. Fails and names each place where a client that relies
 * on the baseline would break. `make baseline` makes today's contracts the baseline. Usage: node
 * tools/breaking-changes.ts [folder of bundles]
 */

const BASELINE = "openapi/baseline";
const PROTO_BASELINE = "proto/baseline.binpb";

const folder = process.argv[2] ?? "generated/contracts";

function report(name: string, breaks: readonly BreakingChange[]): void {
  for (const { place, element, sentence } of breaks)
    console.error(`${place}: breaking: ${sentence}${element === "" ? "" : ` at ${element}`}`);
  if (breaks.length > 0) process.exitCode = 1;
  console.log(`${name}: ${breaks.length === 0 ? "breaks nothing" : `${breaks.length} breaking`}`);
}

for (const name of CONTRACTS) report(name, contractBreaks(`${BASELINE}/${name}.yaml`, `${folder}/${name}.yaml`));
report("proto", protoBreaks(PROTO_BASELINE, "proto"));
// Outsiders generate code from these.
report(PLATFORM_CONTRACT, protoBreaks(BASELINE, folder, "PACKAGE"));
if (process.exitCode === 1)
  console.error(
    "Keep the published parts and only add to them. If a break is needed, raise the version, record it in CHANGELOG.md, then run `make baseline`.",
  );
