import { open } from "node:fs/promises";
import { join } from "node:path";
import type { ImportWorkforceRequest } from "#generated/proto/gatehouse/workforce/v1/bulk.ts";
import { fileLines } from "../bulk/file-lines.ts";
import { present } from "../connection/answers.ts";
import type { Connection } from "../connection/connection.ts";

/** Every company of the demonstration, as imports take it (docs/bulk.md): invented, with ids that never change. */
export const WORKFORCE_FILE = join(import.meta.dirname, "workforce.jsonl");

/** Ids of that file that the rest of the demonstration uses. */
export const INSTANCE_IDS = {
  europe: "instance_b9pLZzYtk5d4qMHdyGXYl",
  "north-america": "instance_jJ4C3L0gu6On7YU0E2l5t",
} as const;

/** The two who can sign in: one whose first sign-in makes her active, one with a choice of seats. */
export const INVITED = {
  personId: "person_0cuKrtAWR6hWhMq6EbRfx",
  name: "Maren Dahl",
  email: "maren.dahl@nordlicht.example",
  /** Tenant that invited her. */
  tenantId: "client_1QTPR8pTCbFjnNPvsD8T0",
} as const;
export const OWNER = {
  personId: "person_0NIINarSE7qJ2m7BSnjb4",
  name: "Henrik Sjöblom",
  email: "henrik.sjoblom@sjoblom-bageri.example",
  /** Tenant that he works for. */
  employerId: "client_KdIDA19ZkR1Biv6JLkkEv",
} as const;

const DEADLINE_MS = 60_000;

/**
 * Imports the file in one transaction, without events. Repeating it under the same id changes nothing.
 * @throws Error when a line is refused, which would be a fault of the file.
 */
export async function importCompanies({ bulk }: Pick<Connection, "bulk">, importId: string): Promise<void> {
  const { bad, badLines } = present(
    (await bulk.importWorkforce(requests(importId), { deadlineMs: DEADLINE_MS })).progress,
  );
  if (bad > 0) throw new Error(`${WORKFORCE_FILE}, line ${badLines[0]?.number}: ${badLines[0]?.reason}`);
}

async function* requests(importId: string): AsyncGenerator<ImportWorkforceRequest> {
  yield { start: { importId, emitEvents: false, allOrNothing: true }, lines: [] };
  const file = await open(WORKFORCE_FILE);
  try {
    for await (const line of fileLines(file, { lastNumber: 0, endOffset: 0 })) yield { start: null, lines: [line] };
  } finally {
    await file.close();
  }
}
