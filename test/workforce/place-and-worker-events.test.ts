import { type TakenEntry, takeFromOutbox } from "../../src/runtime/outbox/outbox.ts";
import { eventBody } from "../../src/webhooks/events/envelope.ts";
import { eventDepartures } from "../support/event-contract.ts";
import { eachStore, inTransaction } from "../support/stores.ts";
import { type Gateway, startGateway } from "./gateway-fixture.ts";
import { makePlaces, newUnit } from "./organization/places-fixture.ts";
import { openWorkforce, there, type Workforce } from "./workforce-fixture.ts";

/** What `links.self` leads to. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of any shape.
type Answer = any;

/** A write that emits an event, and what the gateway shows where the event leads to. */
interface Case {
  readonly write: (workforce: Workforce, tenantId: string) => Promise<unknown>;
  readonly type: string;
  readonly data: object;
  readonly found: (answer: Answer, entityId: string) => unknown;
  readonly shows: unknown;
}

const address = {
  address1: "Ærøgade 3",
  address2: "2. th.",
  city: "Ærø",
  isoCountryCode: "DK",
  postalCode: "5970",
  zoneCode: "83",
};
const nowhere = { address1: null, address2: null, city: null, isoCountryCode: null, postalCode: null, zoneCode: null };
const name = "Nordlys Ærlig Å/S 🥐";
const withId = (list: readonly { id: string }[], id: string) => list.filter((one) => one.id === id);
const unitIn = ({ units }: Answer, id: string) => withId(units, id);
const typeIn = ({ unitsTypes }: Answer, id: string) => withId(unitsTypes, id);
const locationIn = ({ locations }: Answer, id: string) => withId(locations, id);
const itself = (answer: Answer, id: string) => [answer.id, answer.email, answer.endedAt, id === answer.id];
const base = { requestId: "" };

const onboardFully = async (workforce: Workforce, tenantId: string) => {
  const { unitIds, locationId } = await makePlaces(workforce, tenantId, ["Bageri 🥖", "Salg"]);
  const names = { firstName: "Søren", lastName: "Kjær Ødegård" };
  const seat = { jobTitles: ["Bager", "Førstehjælper"], phone: "+45 33 55 01 42", address, locationId };
  return workforce.worker(tenantId, "s@o.example", {
    ...names,
    ...seat,
    unitIds: [...unitIds],
    primaryUnitId: unitIds[1],
  });
};

const CASES: Readonly<Record<string, Case>> = {
  "worker.onboarded, in full": {
    write: onboardFully,
    type: "worker.onboarded",
    data: {
      fullName: "Søren Kjær Ødegård",
      jobTitles: ["Bager", "Førstehjælper"],
      phone: "+45 33 55 01 42",
      location: address,
      organizationUnits: [{ name: "Bageri 🥖" }, { name: "Salg" }],
      organizationUnit: { name: "Salg" },
      organizationLocation: { name: "Quay Street" },
      endedAt: null,
    },
    found: itself,
    shows: [expect.any(String), "s@o.example", null, true],
  },
  "worker.onboarded, with only a name": {
    write: ({ worker }, tenantId) => worker(tenantId, "bare@example.com"),
    type: "worker.onboarded",
    data: {
      jobTitles: [],
      phone: null,
      location: nowhere,
      organizationUnits: [],
      organizationUnit: null,
      organizationLocation: null,
    },
    found: itself,
    shows: [expect.any(String), "bare@example.com", null, true],
  },
  "worker.updated": {
    write: async (workforce, tenantId) => {
      const { id } = await onboardFully(workforce, tenantId);
      const request = { ...base, workerId: id, jobTitles: ["Mester 🥐"], address: null, unitIds: [] };
      await workforce.platform.updateWorker({ ...request, updateMask: ["job_titles", "address", "location_id"] });
    },
    type: "worker.updated",
    data: {
      jobTitles: ["Mester 🥐"],
      location: nowhere,
      organizationLocation: null,
      organizationUnit: { name: "Salg" },
    },
    found: ({ jobTitles, organizationLocation }) => [jobTitles, organizationLocation],
    shows: [["Mester 🥐"], null],
  },
  "worker.updated, at the end of the employment": {
    write: async (workforce, tenantId) => {
      const { id } = await workforce.worker(tenantId, "ends@example.com");
      await workforce.platform.endWorker({ ...base, workerId: id });
    },
    type: "worker.updated",
    data: { endedAt: expect.stringMatching(/Z$/) },
    found: itself,
    shows: [expect.any(String), "ends@example.com", expect.stringMatching(/Z$/), true],
  },
  "organization_unit_type.created, with units": {
    write: ({ platform }, tenantId) =>
      platform.createUnitType({
        ...base,
        tenantId,
        name,
        units: [
          newUnit("Bageri 🥖", { unitCode: "B", description: "To ovne" }),
          newUnit("Rug", { parent: { $case: "parentIndex", value: 0 } }),
        ],
      }),
    type: "organization_unit_type.created",
    data: {
      name,
      units: [
        { name: "Bageri 🥖", unitCode: "B", description: "To ovne", parentUnit: null },
        { name: "Rug", unitCode: null, description: null, parentUnit: { name: "Bageri 🥖" } },
      ],
    },
    found: typeIn,
    shows: [expect.objectContaining({ name })],
  },
  "organization_unit_type.created, without units": {
    write: ({ platform }, tenantId) => platform.createUnitType({ ...base, tenantId, name, units: [] }),
    type: "organization_unit_type.created",
    data: { name, units: [] },
    found: typeIn,
    shows: [expect.objectContaining({ name })],
  },
  "organization_unit.created, below another": {
    write: async (workforce, tenantId) => {
      const { unitType, unitIds } = await makePlaces(workforce, tenantId);
      const more = { unitCode: "R-1", description: "Rugbrød\nog boller", parentUnitId: unitIds[0] };
      await workforce.platform.createUnit({ ...base, tenantId, unitTypeId: unitType.id, name, ...more });
    },
    type: "organization_unit.created",
    data: {
      name,
      unitCode: "R-1",
      description: "Rugbrød\nog boller",
      unitType: { name: "Department" },
      parentUnit: { name: "Bakery" },
    },
    found: unitIn,
    shows: [expect.objectContaining({ name, description: "Rugbrød\nog boller" })],
  },
  "organization_unit.created, at the top": {
    write: async (workforce, tenantId) => {
      const { unitType } = await makePlaces(workforce, tenantId);
      await workforce.platform.createUnit({ ...base, tenantId, unitTypeId: unitType.id, name });
    },
    type: "organization_unit.created",
    data: { unitCode: null, description: null, parentUnit: null },
    found: unitIn,
    shows: [expect.objectContaining({ name, description: null, parentUnitId: null })],
  },
  "organization_location.created": {
    write: ({ platform }, tenantId) => platform.createLocation({ ...base, tenantId, name }),
    type: "organization_location.created",
    data: { name },
    found: locationIn,
    shows: [expect.objectContaining({ name })],
  },
  "organization_location.deleted": {
    write: async ({ platform }, tenantId) => {
      const { location } = await platform.createLocation({ ...base, tenantId, name });
      await platform.deleteLocation({ ...base, locationId: there(location).id });
    },
    type: "organization_location.deleted",
    data: { name },
    found: locationIn,
    shows: [],
  },
};

eachStore((_, open) => {
  let workforce: Workforce;
  let gateway: Gateway;
  let instanceId: string;
  let key: Awaited<ReturnType<Workforce["integration"]>>;

  beforeAll(async () => {
    workforce = await openWorkforce(open);
    gateway = await startGateway(workforce.registrations);
    instanceId = await workforce.instance();
    key = await workforce.integration(instanceId);
  });
  afterAll(() => gateway.stop());

  const taken = (): Promise<readonly TakenEntry[]> =>
    inTransaction(workforce.opened.store.view(), (tx) => takeFromOutbox(tx, 1_000));
  const post = (entry: TakenEntry) => {
    const body = Buffer.from(eventBody(entry, key.connectionId));
    const headers = {
      "content-type": "application/json",
      "user-agent": "Gatehouse/0.1.0",
      "webhook-id": entry.eventId,
      "webhook-timestamp": "1782807327",
      "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
    };
    return { headers, body };
  };

  it.each(Object.entries(CASES))("%s keeps the contract and links to its subject (R-E1)", async (_title, one) => {
    const { id: tenantId } = await workforce.tenant(instanceId);
    await taken();
    await one.write(workforce, tenantId);
    const entries = await taken();
    expect(entries.flatMap((entry) => eventDepartures(post(entry)))).toEqual([]);
    const entry = there(entries.findLast(({ eventType }) => eventType === one.type));
    expect(entry).toMatchObject({ instanceId, tenantId, data: { clientId: tenantId, ...one.data } });
    const { data, entity } = JSON.parse(post(entry).body.toString());
    const self = await gateway.get(data.links.self, key.secret);
    expect(self.status).toBe(200);
    expect(one.found(self.json(), entity.id)).toEqual(one.shows);
  });
});
