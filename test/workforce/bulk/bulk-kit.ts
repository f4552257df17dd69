import { BulkService, type ImportProgress } from "../../../generated/proto/gatehouse/workforce/v1/bulk.ts";
import type { CallOptions } from "../../../src/runtime/rpc/call.ts";
import { inProcessCarrier } from "../../../src/runtime/rpc/in-process.ts";
import { quietBoundary } from "../../support/carriers.ts";
import type { OpenStore } from "../../support/stores.ts";
import { openWorkforce, there, type Workforce } from "../workforce-fixture.ts";

export interface ImportOptions {
  readonly importId?: string;
  readonly emitEvents?: boolean;
  readonly allOrNothing?: boolean;
  /** Number of the first line. */
  readonly from?: number;
  readonly afterNumber?: number;
  /** Lines of one message. */
  readonly perMessage?: number;
  readonly call?: CallOptions;
}

/** A workforce with what is called with many lines at once. */
export async function openBulk(open: OpenStore) {
  return bulkOver(await openWorkforce(open));
}

export type Bulk = ReturnType<typeof bulkOver>;

export function bulkOver(workforce: Workforce) {
  const carrier = inProcessCarrier({
    peer: "platform",
    registrations: workforce.registrations,
    interceptors: quietBoundary(),
    hand: "encoded",
  });
  const bulk = carrier.connect(BulkService);
  return {
    workforce,
    bulk,

    /** Imports objects, or texts as they are; each counts 100 bytes of its file. */
    async imports(lines: readonly (object | string)[], options: ImportOptions = {}): Promise<ImportProgress> {
      const {
        importId = "test",
        emitEvents = false,
        allOrNothing = false,
        from = 1,
        perMessage = 100,
        afterNumber,
      } = options;
      const sent = lines.map((line, index) => ({
        number: from + index,
        endOffset: (from + index) * 100,
        json: typeof line === "string" ? line : JSON.stringify(line),
      }));
      const messages = async function* () {
        yield { start: { importId, emitEvents, allOrNothing, afterNumber }, lines: [] };
        for (let at = 0; at < sent.length; at += perMessage)
          yield { start: null, lines: sent.slice(at, at + perMessage) };
      };
      const { progress } = await bulk.importWorkforce(messages(), { deadlineMs: 60_000, ...options.call });
      return there(progress);
    },

    async exports(instanceId?: string): Promise<readonly string[]> {
      const lines: string[] = [];
      const request = instanceId === undefined ? {} : { instanceId };
      for await (const page of bulk.exportWorkforce(request, { deadlineMs: 60_000 })) lines.push(...page.lines);
      return lines;
    },
  };
}

/** An id of a kind, the same for the same word. */
export const idOf = (prefix: string, word: string | number): string =>
  `${prefix}_${String(word).padStart(21, "0").slice(-21)}`;

export const AT = "2024-03-01T08:00:00.000Z";

/** One small tenant with something of each kind; each line may be taken on its own once those before it were. */
export const HARBOUR = {
  instance: { kind: "instance", id: idOf("instance", "A"), name: "Europe", createdAt: AT },
  tenant: {
    kind: "tenant",
    id: idOf("client", "A"),
    instanceId: idOf("instance", "A"),
    name: "Harbour Bakery",
    address: { city: "Rotterdam", isoCountryCode: "NL" },
    createdAt: AT,
  },
  accessRole: {
    kind: "accessRole",
    tenantId: idOf("client", "A"),
    name: "Payroll",
    permissions: ["payroll.read", "payroll.write"],
  },
  unitType: { kind: "unitType", id: idOf("unittype", "A"), tenantId: idOf("client", "A"), name: "Team", createdAt: AT },
  unit: {
    kind: "unit",
    id: idOf("unit", "A"),
    tenantId: idOf("client", "A"),
    unitTypeId: idOf("unittype", "A"),
    name: "Ovens",
    unitCode: "OV",
    description: "Hot.",
    createdAt: AT,
  },
  below: {
    kind: "unit",
    id: idOf("unit", "B"),
    tenantId: idOf("client", "A"),
    unitTypeId: idOf("unittype", "A"),
    name: "Night shift",
    parentUnitId: idOf("unit", "A"),
    createdAt: AT,
  },
  location: { kind: "location", id: idOf("location", "A"), tenantId: idOf("client", "A"), name: "Quay", createdAt: AT },
  person: {
    kind: "person",
    id: idOf("person", "A"),
    workerProfileId: idOf("profile", "A"),
    email: "Ines.Okafor@harbour.example",
    emailVerified: true,
    firstName: "Ines",
    lastName: "Okafor",
    createdAt: AT,
  },
  user: {
    kind: "user",
    id: idOf("user", "A"),
    tenantId: idOf("client", "A"),
    personId: idOf("person", "A"),
    status: "ACTIVE",
    role: "Owner",
    createdAt: AT,
  },
  report: {
    kind: "user",
    id: idOf("user", "B"),
    tenantId: idOf("client", "A"),
    email: "noor@harbour.example",
    status: "INVITED",
    managerId: idOf("user", "A"),
    role: "Payroll",
    createdAt: AT,
  },
  worker: {
    kind: "worker",
    id: idOf("worker", "A"),
    tenantId: idOf("client", "A"),
    personId: idOf("person", "A"),
    jobTitles: ["Baker", "Trainer"],
    phone: "+31 10 000",
    address: { city: "Delft" },
    unitIds: [idOf("unit", "B"), idOf("unit", "A")],
    primaryUnitId: idOf("unit", "A"),
    locationId: idOf("location", "A"),
    createdAt: AT,
  },
} as const;
