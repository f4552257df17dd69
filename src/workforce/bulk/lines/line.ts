import { Failure, invalidArgument } from "#runtime/basis/errors.ts";
import { repetitionIn, TOO_DEEP } from "#runtime/basis/strict-json.ts";
import { readAccessRoleLine } from "./access-role-line.ts";
import { ADDRESS_PARTS, LineFields } from "./line-fields.ts";
import { readPersonLine } from "./person-line.ts";
import { readLocationLine, readUnitLine, readUnitTypeLine } from "./structure-lines.ts";
import { readInstanceLine, readTenantLine } from "./tenant-lines.ts";
import { readUserLine } from "./user-line.ts";
import { readWorkerLine } from "./worker-line.ts";

/** Longest line, in bytes. */
export const LINE_BYTES_MAX = 1024 * 1024;

/** Every kind of line in the order in which an export has them: what is referred to comes first. */
const READERS = {
  instance: readInstanceLine,
  tenant: readTenantLine,
  accessRole: readAccessRoleLine,
  unitType: readUnitTypeLine,
  unit: readUnitLine,
  location: readLocationLine,
  person: readPersonLine,
  user: readUserLine,
  worker: readWorkerLine,
} as const satisfies Readonly<Record<string, (fields: LineFields) => object>>;

export type LineKind = keyof typeof READERS;

/** The content of a line of that kind. */
export type LineOf<K extends LineKind> = ReturnType<(typeof READERS)[K]>;

/** A line that has the form of its kind; whether it fits what is stored is another question. */
export type Line = { readonly [K in LineKind]: { readonly kind: K; readonly content: LineOf<K> } }[LineKind];

const KINDS = Object.keys(READERS) as LineKind[];

/** The members of a line of that kind. */
function membersOf(kind: LineKind): ReadonlySet<string> {
  const fields = new LineFields({}, new Date(0));
  READERS[kind](fields);
  return fields.known;
}

/** The members that lines have. Any other name may be anything, personal data included, and is not said (R-X67). */
const MEMBERS: ReadonlySet<string> = new Set([...KINDS.flatMap((kind) => [...membersOf(kind)]), ...ADDRESS_PARTS]);

/** @throws Failure whose sentence lists every fault of the line. */
export function readLine(json: string, now: Date): Line {
  if (Buffer.byteLength(json) > LINE_BYTES_MAX) throw refused("The line is longer than 1 MiB.");
  const members = parseObject(json);
  const kind = KINDS.find((one) => one === members.kind);
  if (kind === undefined) throw refused(`kind must be one of ${KINDS.join(", ")}.`);
  const fields = new LineFields(members, now);
  const content = READERS[kind](fields);
  const violations = fields.violations();
  if (violations.length > 0) throw invalidArgument(violations);
  return { kind, content } as Line;
}

function parseObject(json: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw refused("The line is not JSON. Was it cut off?");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refused("The line must be a JSON object.");
  // JSON.parse keeps the last of two; another reader of the file would keep the first.
  const mistake = repetitionIn(json, (name) => MEMBERS.has(name));
  if (mistake === TOO_DEEP) throw refused(`The line ${TOO_DEEP}.`);
  if (mistake !== undefined) throw refused(`The line ${mistake}. Keep one of the two.`);
  return value as Record<string, unknown>;
}

const refused = (sentence: string): Failure => new Failure("INVALID_ARGUMENT", "bad_line", sentence);
