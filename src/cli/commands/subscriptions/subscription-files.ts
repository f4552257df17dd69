import { readFile } from "node:fs/promises";
import type { ExtraHeader } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { commandError, EXIT } from "../../output/command-error.ts";

/**
 * Extra headers from a file, one `Name: value` on each line; a name alone keeps the value that it has. Never an
 * argument, since values are secret and other users of the machine see arguments.
 * @throws CommandError when the file cannot be read.
 */
export async function readHeaders(file: string): Promise<ExtraHeader[]> {
  const lines = (await textOf(file, "--headers-file")).split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [name = "", ...rest] = line.split(":");
    const value = rest.length === 0 ? {} : { value: rest.join(":").trim() };
    return { name: name.trim(), ...value, maskedValue: "" };
  });
}

/** A signing secret of the receiver's own, from a file. @throws CommandError when the file cannot be read. */
export const readSecret = async (file: string): Promise<string> => (await textOf(file, "--secret-file")).trim();

async function textOf(file: string, flag: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw commandError(EXIT.usage, {
      code: "USAGE",
      reason: "file_unreadable",
      message: `${file} cannot be read (${(cause as NodeJS.ErrnoException).code}).`,
      fix: `Correct ${flag}.`,
    });
  }
}
