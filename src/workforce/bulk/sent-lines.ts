import type { ImportLine, ImportStart, ImportWorkforceRequest } from "#generated/proto/gatehouse/workforce/v1/bulk.ts";
import { Failure, invalidArgument } from "#runtime/basis/errors.ts";
import { readFields } from "../request-fields.ts";
import { STANDARD_ROLES } from "../tenants/access-role.ts";
import { LINE_BYTES_MAX, type Line, readLine } from "./lines/line.ts";

/** A line that a caller has sent, read by its form, or why it cannot be. */
export interface SentLine {
  readonly number: number;
  readonly endOffset: number;
  readonly read: Line | { readonly bad: string };
}

export const IMPORT_ID_LENGTH_MAX = 100;
/**
 * Lines of one transaction: few, so that others who write to an embedded store, or wait for the same tenants, have
 * their turn soon.
 */
const BATCH_LINES_MAX = 250;

/** @throws INVALID_ARGUMENT. */
export function readStart(start: ImportStart | null): ImportStart {
  return readFields((fields) => {
    fields.check(start !== null, "start", "must be in the first message");
    const importId = fields.text("start.import_id", start?.importId, IMPORT_ID_LENGTH_MAX);
    const afterNumber = start?.afterNumber ?? undefined;
    fields.check(afterNumber === undefined || afterNumber >= 0, "start.after_number", "must not be negative");
    return {
      importId,
      emitEvents: start?.emitEvents === true,
      allOrNothing: start?.allOrNothing === true,
      afterNumber,
    };
  });
}

/**
 * The lines of a call in batches, each small enough for one transaction, in number and in bytes. Lines of one tenant's standard
 * roles that follow each other are in one batch: they may have exchanged their names in a circle (R-X69).
 * @throws INVALID_ARGUMENT when a line's number is not greater than the one before, or than after_number, when its position is negative, and for a second start.
 */
export async function* inBatches(
  first: ImportWorkforceRequest,
  rest: AsyncIterator<ImportWorkforceRequest>,
): AsyncGenerator<readonly ImportLine[]> {
  let batch: ImportLine[] = [];
  let bytes = 0;
  const isFull = () => batch.length >= BATCH_LINES_MAX || bytes >= LINE_BYTES_MAX;
  let number = first.start?.afterNumber ?? 0;
  for (let message = first; ; ) {
    for (const [index, line] of message.lines.entries()) {
      if (line.number <= number)
        throw invalidArgument([
          {
            field: `lines[${index}].number`,
            reason: `must grow from line to line; after ${number} came ${line.number}`,
          },
        ]);
      number = line.number;
      if (line.endOffset < 0)
        throw invalidArgument([{ field: `lines[${index}].end_offset`, reason: "must not be negative" }]);
      if (isFull() && !goesOn(batch, line)) {
        yield batch;
        [batch, bytes] = [[], 0];
      }
      batch.push(line);
      bytes += Buffer.byteLength(line.json);
      if (!isFull() || standardRoleOf(line) !== undefined) continue;
      yield batch;
      [batch, bytes] = [[], 0];
    }
    const step = await rest.next();
    if (step.done) break;
    message = step.value;
    // Its lines may be meant for another import, or to emit events.
    if (message.start !== null)
      throw invalidArgument([{ field: "start", reason: "must be in the first message only" }]);
  }
  if (batch.length > 0) yield batch;
}

/** True when the line is about a standard role of the tenant whose roles end the full batch, which has not all of them yet. */
function goesOn(batch: readonly ImportLine[], line: ImportLine): boolean {
  const tenantId = standardRoleOf(line);
  const isOfTenant = batch.slice(-STANDARD_ROLES.length).map((one) => standardRoleOf(one) === tenantId);
  return isOfTenant.at(-1) === true && isOfTenant.includes(false);
}

/** The tenant whose standard role a line is about, by its form; whether the line is good is found out later. */
function standardRoleOf({ json }: ImportLine): unknown {
  if (!json.includes('"standard"')) return undefined;
  try {
    const { kind, standard, tenantId } = JSON.parse(json);
    return kind === "accessRole" && standard !== undefined ? tenantId : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a line. A bad line is a value, since the lines around it are still imported. */
export function readSent({ number, endOffset, json, unreadable }: ImportLine, now: Date): SentLine {
  if (unreadable !== null && unreadable !== undefined) return { number, endOffset, read: { bad: unreadable } };
  try {
    return { number, endOffset, read: readLine(json, now) };
  } catch (error) {
    if (error instanceof Failure) return { number, endOffset, read: { bad: error.message } };
    throw error;
  }
}
