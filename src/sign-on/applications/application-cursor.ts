import { parseId } from "#runtime/basis/ids.ts";
import type { ApplicationStart } from "./application-repository.ts";

/** Where the next page of applications begins, as opaque text. */
export const toApplicationCursor = ({ createdAt, id }: ApplicationStart): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`, "latin1").toString("base64url");

/** `undefined` when the text is no cursor of ours. */
export function parseApplicationCursor(cursor: string): ApplicationStart | undefined {
  const [, time, text = ""] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  const id = parseId("application", text);
  const start = time === undefined || id === undefined ? undefined : { createdAt: new Date(Number(time)), id };
  return start !== undefined && toApplicationCursor(start) === cursor ? start : undefined;
}
