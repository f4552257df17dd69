import { idFormViolation } from "../basis/id-violation.ts";
import type { IdKind } from "../basis/ids.ts";
import type { InvalidPart } from "./operation.ts";

/** Which kind of id a path has, by the name of its parameter. */
export type PathIds = Readonly<Record<string, IdKind>>;

/** The validator describes a wrong id of a path by a pattern; the answer describes the form in words (R-G13). */
export function partInOurWords(part: InvalidPart, pathIds: PathIds): InvalidPart {
  const kind = part.in === "path" ? pathIds[part.name] : undefined;
  return kind === undefined ? part : { ...part, detail: idFormViolation(kind) };
}
