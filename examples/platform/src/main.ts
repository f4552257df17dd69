import { join } from "node:path";
import { parseArgs } from "node:util";
import { findInstance, findOrCreateCompany, onboard } from "./company.ts";
import { GatehouseRefused, GatehouseSilent, type Violation } from "./failures.ts";
import { type Gatehouse, openGatehouse } from "./gatehouse.ts";
import { type Line, readPeople } from "./people-file.ts";

/** Creates a company in Gatehouse and onboards the people of a file. May be run again at any time. */

const USAGE = `Usage: node src/main.ts --socket <path> --instance <name or id> --company <name> <people.jsonl>

  --socket    Gatehouse's socket for the platform: sockets/platform.sock in its data directory
  --instance  where the company belongs
  --company   its name; created if the instance has none of that name
  --protos    folder of the downloaded protos, by default ./protos`;

/** Exit codes: lines were refused; it could not begin; Gatehouse did not answer (sysexits.h EX_TEMPFAIL). */
const [SOME_REFUSED, CANNOT_BEGIN, TRY_LATER] = [1, 2, 75];

interface Settings {
  readonly socket: string;
  readonly protos: string;
  readonly instance: string;
  readonly company: string;
  readonly file: string;
}

function readSettings(): Settings {
  const text = { type: "string" } as const;
  const options = { socket: text, protos: text, instance: text, company: text };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const { socket, instance, company, protos = "protos" } = values;
  const [file, ...others] = positionals;
  if (!socket || !instance || !company || file === undefined || others.length > 0) throw new Error(USAGE);
  return { socket, protos, instance, company, file };
}

async function run({ instance, company, file }: Settings, lines: readonly Line[], gatehouse: Gatehouse) {
  const { id: instanceId } = await findInstance(gatehouse, instance);
  const { id: tenantId, name } = await findOrCreateCompany(gatehouse, instanceId, company);
  console.log(`${name} is ${tenantId}`);
  let refused = 0;
  for (const line of lines) {
    const wrong = await take(line, tenantId, gatehouse, file);
    refused += wrong.length > 0 ? 1 : 0;
    for (const { field, reason } of wrong) console.error(`${file}:${line.number}: ${field} ${reason}`);
  }
  console.log(`${lines.length - refused} of ${lines.length} lines are done.`);
  if (refused > 0) {
    console.error("Correct the lines above and run this again: what is done is not done twice.");
    process.exitCode = SOME_REFUSED;
  }
}

/** Onboards the person of a line; what is wrong with the line, field by field. */
async function take(
  { number, content }: Line,
  tenantId: string,
  gatehouse: Gatehouse,
  file: string,
): Promise<readonly Violation[]> {
  if (!("email" in content)) return Array.isArray(content) ? content : [{ field: "email", reason: "is missing" }];
  try {
    console.log(`${file}:${number}: ${content.email} ${await onboard(gatehouse, tenantId, content)}`);
    return [];
  } catch (error) {
    if (!(error instanceof GatehouseRefused)) throw error;
    // Where no field is to blame, the sentence says what to do.
    return error.violations.length > 0
      ? error.violations
      : [{ field: `${content.email}:`, reason: `${error.message} (${error.reason})` }];
  }
}

try {
  const settings = readSettings();
  const lines = readPeople(settings.file);
  const gatehouse = openGatehouse(settings.socket, join(settings.protos, "platform.workforce.proto"));
  try {
    await run(settings, lines, gatehouse);
  } finally {
    gatehouse.close();
  }
} catch (error) {
  const isSilent = error instanceof GatehouseSilent;
  process.exitCode = isSilent ? TRY_LATER : CANNOT_BEGIN;
  console.error(
    isSilent
      ? `Gatehouse does not answer (${error.message}). Start it, then run this again: it goes on where it was.`
      : (error as Error).message,
  );
}
