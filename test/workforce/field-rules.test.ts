import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "../../src/runtime/basis/errors.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { withScope } from "../support/scope.ts";

const PROTO = readFileSync(
  join(import.meta.dirname, "..", "..", "generated", "contracts", "platform.workforce.proto"),
  "utf8",
);
const TOO_LONG = "x".repeat(3_000);

/** A field of a message, outside a oneof: its comment, whether it is a list, its type and its name. */
interface Field {
  readonly comment: string;
  readonly isList: boolean;
  readonly type: string;
  readonly name: string;
}

function fieldsOf(message: string): readonly Field[] {
  const [, body = ""] = new RegExp(`^message ${message} \\{\\n([\\s\\S]*?)^\\}`, "m").exec(PROTO) ?? [];
  const field = /^((?: {2}\/\/.*\n)*) {2}(repeated |optional )?([\w.]+) (\w+) = \d+;/gm;
  return [...body.matchAll(field)].map(([, comment = "", label, type = "", name = ""]) => ({
    comment: comment.replaceAll(/\s*\/\/\s*/g, " "),
    isList: label === "repeated ",
    type,
    name,
  }));
}

/** Messages of ours that requests contain. */
const INSIDE: ReadonlySet<string> = new Set(["PostalAddress", "NewUnit"]);
const WRITES = [...PROTO.matchAll(/^ {2}rpc (\w+)\((\w+)\)/gm)]
  .map(([, method = "", message = ""]) => ({ method, message }))
  .filter(({ message }) => fieldsOf(message).some(({ name }) => name === "request_id"));

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A request in which every text is far too long; an update names every field. */
function requestOf(message: string): object {
  const fields = fieldsOf(message).filter(({ name }) => name !== "request_id");
  const mask = fields.findIndex(({ name }) => name === "update_mask");
  const named = fields.slice(mask + 1).map(({ name }) => name);
  const givenFor = ({ type }: Field): unknown => {
    if (type === "string") return TOO_LONG;
    if (type === "int32") return 1;
    if (type === "google.protobuf.FieldMask") return named;
    return INSIDE.has(type) ? requestOf(type) : undefined;
  };
  const entries = fields.map((field) => [camel(field.name), field.isList ? [givenFor(field)] : givenFor(field)]);
  return { requestId: "", ...Object.fromEntries(entries) };
}

/** What the comments promise: the longest text of each field, by the field's path. */
const promisedBy = (message: string, path = ""): readonly (readonly [string, number])[] =>
  fieldsOf(message).flatMap(({ comment, type, name, isList }) => {
    const at = `${path}${name}${isList ? "[0]" : ""}`;
    if (INSIDE.has(type)) return promisedBy(type, `${at}.`);
    const [, most] = /\b(?:[Aa]t most|1 to) ([\d,]+) characters/.exec(comment) ?? [];
    return most === undefined ? [] : [[at, Number(most.replace(",", ""))] as const];
  });

describe("the field rules in the published protos", () =>
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    beforeAll(async () => {
      gatehouse = await openGatehouse(closeLater);
    });

    it.each(WRITES)(
      "$method refuses a text beyond the length that the proto says, and no other (R-X207)",
      async ({ method, message }) => {
        const methods = gatehouse.platform as never as Record<string, (request: object) => Promise<unknown>>;
        const refusal: Failure | undefined = await methods[method.replace(/^./, (first) => first.toLowerCase())]?.(
          requestOf(message),
        ).then(
          () => undefined,
          (error: Failure) => error,
        );
        const refused = (refusal?.violations ?? []).flatMap(({ field, reason }) => {
          const [, most] = /^must have at most (\d+) characters$/.exec(reason) ?? [];
          return most === undefined ? [] : [[field, Number(most)]];
        });
        expect(refusal?.code).toBe("INVALID_ARGUMENT");
        expect(refused.toSorted()).toEqual(promisedBy(message).toSorted());
      },
    );
  }));
