import type { ExtraHeader } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { readText } from "../../input/secret-input.ts";

/**
 * Extra headers from a file, one `Name: value` on each line; a name alone keeps the value that it has. Never an
 * argument, since values are secret and other users of the machine see arguments.
 * @throws CommandError when the file cannot be read.
 */
export async function readHeaders(file: string): Promise<ExtraHeader[]> {
  const lines = (await readText(file, "file_unreadable", "Correct --headers-file."))
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [name = "", ...rest] = line.split(":");
    const value = rest.length === 0 ? {} : { value: rest.join(":").trim() };
    return { name: name.trim(), ...value, maskedValue: "" };
  });
}

/** A signing secret of the receiver's own, from a file. @throws CommandError when the file cannot be read. */
export const readSecret = async (file: string): Promise<string> =>
  (await readText(file, "file_unreadable", "Correct --secret-file.")).trim();
