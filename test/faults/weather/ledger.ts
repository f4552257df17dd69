/** One thing that the client asked the product to do, under one request id. */
export interface Write {
  readonly requestId: string;
  readonly kind: WriteKind;
  /** Sends it through one of the product's services; the id of what it made or changed. */
  send(site: number): Promise<string>;
  /** Set by the first answer that arrived. */
  id?: string;
}

export type WriteKind = "tenant" | "user" | "worker" | "location" | "unit type" | "worker change";

/** The event that reports each kind of write. */
export const EVENT_OF: Readonly<Record<WriteKind, string>> = {
  tenant: "client.created",
  user: "user.created",
  worker: "worker.onboarded",
  location: "organization_location.created",
  "unit type": "organization_unit_type.created",
  "worker change": "worker.updated",
};

/** What one authorization code gave: the tokens that the client holds now. */
export interface Family {
  readonly code: string;
  refreshToken: string;
  accessToken: string;
  /** A request with its code or one of its refresh tokens had no answer at some time. */
  doubted: boolean;
  /** The client lost it by no fault of the product; it is not asked for any more. */
  lost?: boolean;
}

/**
 * Notes that a family has ended. A request that had no answer may be done late, after its repeat was answered, by a process that was
 * stopped meanwhile: then it counts as the second use that it is, and ends the family (R-S10, R-S11). Any other end is an incident.
 */
export function familyEnded(ledger: Ledger, family: Family, how: string): void {
  family.lost = true;
  if (family.doubted) ledger.count("families that ended after a request without an answer");
  else ledger.incident(`a family ended, though each of its requests was answered: ${how}`);
}

/** What the client side knows, outside the product: what was answered, and what must not have happened. */
export interface Ledger {
  readonly writes: Write[];
  readonly families: Family[];
  /** How many answers each kind of request got, by answer: `GET …/users` → `200` → 17. */
  readonly answers: Map<string, Map<string, number>>;
  /** Each sentence is a broken promise. An empty list is the aim of the run. */
  readonly incidents: string[];
  /** Anything else worth a number in the report. */
  readonly counts: Map<string, number>;
  answered(kind: string, answer: string): void;
  incident(sentence: string): void;
  count(what: string, by?: number): void;
}

/** Enough to see what is wrong; a product that is down would fill the memory. */
const INCIDENTS_MAX = 200;

export function openLedger(startedAt = Date.now()): Ledger {
  const answers: Ledger["answers"] = new Map();
  const incidents: string[] = [];
  const counts: Ledger["counts"] = new Map();
  const count = (what: string, by = 1) => void counts.set(what, (counts.get(what) ?? 0) + by);
  return {
    writes: [],
    families: [],
    answers,
    incidents,
    counts,
    count,
    answered(kind, answer) {
      const row = answers.get(kind) ?? new Map<string, number>();
      answers.set(kind, row.set(answer, (row.get(answer) ?? 0) + 1));
    },
    incident(sentence) {
      count("incidents");
      if (incidents.length < INCIDENTS_MAX)
        incidents.push(`${((Date.now() - startedAt) / 1000).toFixed(1)} s: ${inOneLine(sentence)}`);
    },
  };
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 1_000);
