import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Delivery } from "./event-log.ts";
import { isEvent } from "./platform-event.ts";

/** When the file has this many lines or bytes, it is rewritten with the deliveries that are still listed. */
const LINES_MAX = 400;
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * A line of JSON for each delivery, oldest first. Only its owner can read it: events are about people. It never becomes
 * larger than a few megabytes: what is no longer listed is removed.
 */
export class DeliveryFile {
  readonly #path: string;
  #lines = 0;
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** What can be read of it. A last line that was cut off, or a foreign file, is not a reason to stop. */
  read(): readonly Delivery[] {
    const lines = this.#text().split("\n");
    return lines.flatMap((line) => {
      const delivery = toDelivery(line);
      return delivery === undefined ? [] : [delivery];
    });
  }

  /** Adds the newest delivery. A full disk costs the copy on the disk, not the event: it is still listed. */
  append(delivery: Delivery, listed: readonly Delivery[]): void {
    const line = `${JSON.stringify(delivery)}\n`;
    try {
      if (this.#lines === 0 || this.#lines >= LINES_MAX || this.#bytes + line.length > BYTES_MAX) this.#replace(listed);
      else this.#add(line);
    } catch (error) {
      console.error(`${this.#path} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
    }
  }

  #text(): string {
    try {
      return readFileSync(this.#path, "utf8");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT") console.error(`${this.#path} cannot be read (${code}): the list of events begins again.`);
      return "";
    }
  }

  /** In one step: a reader finds the old content or the new one. */
  #replace(listed: readonly Delivery[]): void {
    const lines: string[] = [];
    let bytes = 0;
    for (const delivery of listed) {
      const line = `${JSON.stringify(delivery)}\n`;
      bytes += line.length;
      // The newest is always written; of the others, as many as fit into half of the file.
      if (lines.length > 0 && bytes > BYTES_MAX / 2) break;
      lines.unshift(line);
    }
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, lines.join(""), { mode: 0o600 });
    renameSync(draft, this.#path);
    this.#lines = lines.length;
    this.#bytes = lines.join("").length;
  }

  #add(line: string): void {
    appendFileSync(this.#path, line, { mode: 0o600 });
    this.#lines += 1;
    this.#bytes += line.length;
  }
}

/** A line as a delivery; `undefined` when it is none. */
function toDelivery(line: string): Delivery | undefined {
  try {
    const { receivedAt, ...rest } = JSON.parse(line) as Delivery;
    const at = new Date(receivedAt);
    const isWhole =
      Number.isSafeInteger(rest.number) &&
      !Number.isNaN(at.getTime()) &&
      typeof rest.webhookId === "string" &&
      (rest.verified ? isEvent(rest.event) : typeof rest.reason === "string");
    return isWhole ? { ...rest, receivedAt: at } : undefined;
  } catch {
    return undefined;
  }
}
