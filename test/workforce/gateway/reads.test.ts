import type { components } from "../../../generated/types/gateway.ts";
import { eachStore } from "../../support/stores.ts";
import { type Furniture, type Gateway, openFurnished } from "../gateway-fixture.ts";
import type { Workforce } from "../workforce-fixture.ts";
import { fillIds, OPERATIONS } from "./contract-paths.ts";

type Wire = components["schemas"];

const nothing = { address1: null, address2: null, city: null, isoCountryCode: null, postalCode: null, zoneCode: null };

eachStore((_, open) => {
  let workforce: Workforce;
  let gateway: Gateway;
  let have: Furniture;
  let below: string;

  beforeAll(async () => {
    ({ workforce, gateway, have } = await openFurnished(open));
    below = `/v1/instance-integrations/${have.connectionId}/clients`;
  });
  afterAll(() => gateway.stop());

  const read = async <T>(path: string): Promise<T> => {
    gateway.takeCalls();
    const answer = await gateway.get(path, have.secret);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.anything()]);
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    expect(gateway.takeCalls().length).toBe(1);
    return answer.json<T>();
  };

  it("listInstanceIntegrations: the key's own, oldest first, not configured ones too (spec §2.1, R-G5)", async () => {
    const list = await read<Wire["InstanceIntegration"][]>("/v1/instance-integrations");
    expect(list.map(({ id, applicationInstance }) => [id, applicationInstance.instanceName])).toEqual([
      [have.connectionId, "Europe"],
      [have.otherConnectionId, "North America"],
      [have.unconfiguredId, "Asia"],
    ]);
    expect(list[0]).toEqual({
      id: have.connectionId,
      applicationInstance: { id: have.instanceId, instanceName: "Europe" },
      createdAt: expect.stringMatching(/^2026-06-30T08:15:27\.\d{3}Z$/),
      updatedAt: list[0]?.createdAt,
    });
  });

  it("listClients: with nulls and letters beyond ASCII, oldest first (spec §2.2, R-G4)", async () => {
    // Not the suite's workforce, in which other tests make more tenants.
    const { gateway: served, have: furniture } = await openFurnished(open);
    const answer = await served.get(`/v1/instance-integrations/${furniture.connectionId}/clients`, furniture.secret);
    await served.stop();
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual([
      {
        id: furniture.tenant.id,
        name: "Harbour Bakery",
        location: {
          ...nothing,
          address1: "14 Quay Street",
          city: "Rotterdam",
          isoCountryCode: "NL",
          postalCode: "3011 AB",
        },
      },
      { id: furniture.bare.id, name: "Nordlys Ærlig Å/S 🥐", location: nothing },
    ]);
  });

  it("listClients: an empty array for an instance without clients", async () => {
    expect(await read(`/v1/instance-integrations/${have.otherConnectionId}/clients`)).toEqual([]);
  });

  it("getClient: one of the list (R-G8)", async () => {
    const [first] = await read<Wire["PlatformClient"][]>(below);
    expect(await read(`${below}/${have.tenant.id}`)).toEqual(first);
  });

  it("getUser: with manager and role (spec §2.6, R-G7, R-G14)", async () => {
    expect(await read(`${below}/${have.tenant.id}/users/${have.user.id}`)).toEqual({
      id: have.user.id,
      clientId: have.tenant.id,
      email: "maren@example.com",
      firstName: "Maren",
      lastName: null,
      fullName: "Maren",
      status: "INVITED",
      manager: {
        id: have.owner.id,
        firstName: "Aiko",
        lastName: "Marsh",
        fullName: "Aiko Marsh",
        email: "aiko@example.com",
      },
      role: { id: String(have.user.role?.id), name: "Admin" },
      createdAt: have.user.createdAt?.toISOString(),
    });
  });

  it("getUser: nulls for a user without names, manager and role", async () => {
    expect(await read(`${below}/${have.bare.id}/users/${have.nameless.id}`)).toMatchObject({
      firstName: null,
      lastName: null,
      fullName: null,
      manager: null,
      role: null,
    });
  });

  it("getUser: a deleted one, with status DELETED (R-G7)", async () => {
    const { id } = await workforce.user(have.bare.id, "leaver@example.com");
    await workforce.platform.deleteUser({ requestId: "", userId: id });
    expect(await read(`${below}/${have.bare.id}/users/${id}`)).toMatchObject({ id, status: "DELETED" });
  });

  it("listWorkers: oldest first, without ended ones (spec §2.3, R-G16)", async () => {
    const ended = await workforce.worker(have.tenant.id, "ended@example.com");
    await workforce.raw(`update workforce_workers set ended_at = 1 where id = '${ended.id}'`);
    expect(await read(`${below}/${have.tenant.id}/workers`)).toEqual([
      {
        id: have.worker.id,
        firstName: "Ines",
        lastName: "Okafor",
        fullName: "Ines Okafor",
        email: "ines@example.com",
        jobTitles: ["Baker", "Shift lead"],
        phone: "+31 10 555 0142",
        location: { ...nothing, address1: "3 Mill Lane", address2: "Flat 2", city: "Rotterdam", isoCountryCode: "NL" },
      },
      {
        id: have.plain.id,
        firstName: "Tomas",
        lastName: "Lindqvist",
        fullName: "Tomas Lindqvist",
        email: "tomas@example.com",
        jobTitles: [],
        phone: null,
        location: nothing,
      },
    ]);
  });

  it("listWorkers: an empty array for a client without workers", async () => {
    expect(await read(`${below}/${have.bare.id}/workers`)).toEqual([]);
  });

  it("listJobTitles: each once, by code point, without those of ended workers (spec §2.5, R-X38)", async () => {
    const { id } = await workforce.tenant(have.instanceId, { name: "Titles" });
    const titles = ["Älteste", "Zoo", "apprentice", "\u{1f950} baker", "\u{ff0c} comma", "Baker"];
    await workforce.worker(id, "one@titles.example", { jobTitles: [...titles, "Driver"] });
    await workforce.worker(id, "two@titles.example", { jobTitles: ["Driver", "Baker"] });
    await workforce.worker(id, "three@titles.example", { jobTitles: ["Baker", "Driver"] });
    const gone = await workforce.worker(id, "gone@titles.example", { jobTitles: ["Ghost"] });
    await workforce.raw(`update workforce_workers set ended_at = 1 where id = '${gone.id}'`);
    expect(await read(`${below}/${id}/job-titles`)).toEqual([
      "Baker",
      "Driver",
      "Zoo",
      "apprentice",
      "Älteste",
      "\u{ff0c} comma",
      "\u{1f950} baker",
    ]);
  });

  it("listJobTitles: those of the specification's sample, and an empty array", async () => {
    expect(await read(`${below}/${have.tenant.id}/job-titles`)).toEqual(["Baker", "Shift lead"]);
    expect(await read(`${below}/${have.bare.id}/job-titles`)).toEqual([]);
  });

  it("getOrganizationStructure: layers, units and locations, oldest first, with nulls (spec §2.4, R-G4)", async () => {
    const { unitType, lower, top, unit, location } = have.structure;
    expect(await read(`${below}/${have.tenant.id}/organization-structure`)).toEqual({
      unitsTypes: [
        { id: unitType.id, name: "Department" },
        { id: lower.id, name: "Lag ☕" },
      ],
      units: [
        { id: top.id, name: "Bakery", description: "Ovens", unitTypeId: unitType.id, parentUnitId: null },
        { id: unit.id, name: "Rye Ærlig", description: null, unitTypeId: lower.id, parentUnitId: top.id },
      ],
      locations: [{ id: location.id, name: "Quay Street" }],
    });
  });

  it("getOrganizationStructure: empty arrays, locations among them (R-G4)", async () => {
    const structure = await read(`${below}/${have.bare.id}/organization-structure`);
    expect(structure).toEqual({ unitsTypes: [], units: [], locations: [] });
  });

  it("listUsers: the same as by id, oldest first, without DELETED ones (R-G7)", async () => {
    const { id } = await workforce.user(have.tenant.id, "gone@example.com");
    await workforce.platform.deleteUser({ requestId: "", userId: id });
    const list = await read<Wire["PlatformUser"][]>(`${below}/${have.tenant.id}/users`);
    expect(list.map((user) => user.id)).toEqual([have.owner.id, have.user.id]);
    for (const user of list) expect(await read(`${below}/${have.tenant.id}/users/${user.id}`)).toEqual(user);
  });

  it("listUsers: an empty array for a client without users", async () => {
    const { id } = await workforce.tenant(have.instanceId, { name: "Nobody" });
    expect(await read(`${below}/${id}/users`)).toEqual([]);
  });

  const placed = () => ({
    ...{ id: have.worker.id, firstName: "Ines", lastName: "Okafor", fullName: "Ines Okafor" },
    organizationUnits: [
      { id: have.structure.unit.id, name: "Rye Ærlig" },
      { id: have.structure.top.id, name: "Bakery" },
    ],
    organizationUnit: { id: have.structure.top.id, name: "Bakery" },
    organizationLocation: { id: have.structure.location.id, name: "Quay Street" },
    endedAt: null,
  });
  const nowhere = { organizationUnits: [], organizationUnit: null, organizationLocation: null, endedAt: null };

  it("listWorkersV2: version 1, and where workers are placed (R-G6)", async () => {
    const v1 = await read<Wire["Worker"][]>(`${below}/${have.tenant.id}/workers`);
    const v2 = await read<Wire["WorkerV2"][]>(`${below.replace("/v1/", "/v2/")}/${have.tenant.id}/workers`);
    expect(v2).toEqual([
      { ...v1[0], ...placed() },
      { ...v1[1], ...nowhere },
    ]);
  });

  it("listWorkersV2: an empty array for a client without workers", async () => {
    expect(await read(`${below.replace("/v1/", "/v2/")}/${have.bare.id}/workers`)).toEqual([]);
  });

  it("getWorkerV2: one of the list (R-G6)", async () => {
    const list = `${below.replace("/v1/", "/v2/")}/${have.tenant.id}/workers`;
    const [first, second] = await read<Wire["WorkerV2"][]>(list);
    expect(await read(`${list}/${have.worker.id}`)).toEqual(first);
    expect(await read(`${list}/${have.plain.id}`)).toEqual(second);
  });

  it("getWorkerV2: an ended one, with the time (R-G16)", async () => {
    const { id } = await workforce.worker(have.bare.id, "once@example.com");
    await workforce.raw(`update workforce_workers set ended_at = 1782807327412 where id = '${id}'`);
    const list = `${below.replace("/v1/", "/v2/")}/${have.bare.id}/workers`;
    expect(await read(`${list}/${id}`)).toMatchObject({ id, ...nowhere, endedAt: "2026-06-30T08:15:27.412Z" });
    expect(await read(list)).toEqual([]);
  });

  it("events link to the gateway's answer about them (spec §6 rule 3)", async () => {
    await workforce.events();
    const made = await workforce.tenant(have.instanceId, { name: "Linked" });
    const user = await workforce.user(made.id, "linked@example.com");
    await workforce.signs(user.person.id, have.instanceId);
    const [created, , updated] = (await workforce.events()).map((event) => asDelivered(event, have.connectionId));
    const { address, clientId, name } = created?.data ?? {};
    expect(await read(created?.self ?? "")).toEqual({ id: clientId, name, location: address });
    const { userId, ...fields } = updated?.data ?? {};
    expect(await read(updated?.self ?? "")).toEqual({ id: userId, ...fields });
    for (const event of [created, updated]) expect(event?.post).toMatchEventContract();
  });

  it("listInstanceIntegrations: an empty array for an integration without one", async () => {
    const { secret } = await workforce.integration();
    const answer = await gateway.get("/v1/instance-integrations", secret);
    expect([answer.status, answer.text]).toEqual([200, "[]"]);
  });

  it("getClient: nulls for a client without an address", async () => {
    expect(await read(`${below}/${have.bare.id}`)).toMatchObject({
      location: nothing,
    });
  });

  it("every operation returns letters beyond ASCII as they were given, as UTF-8", async () => {
    const letters = "Ærø \u{1f950} 日本 e\u0301 \u202e";
    const instanceId = await workforce.instance(letters);
    const { secret, connectionId } = await workforce.integration(instanceId);
    const { id } = await workforce.tenant(instanceId, { name: letters, address: { city: letters } });
    const names = { firstName: letters, lastName: letters };
    const user = await workforce.user(id, "beyond@ascii.example", { roleName: "Owner", ...names });
    const worker = await workforce.worker(id, "worker@ascii.example", { ...names, jobTitles: [letters] });
    await workforce.platform.createLocation({ requestId: "", tenantId: id, name: letters });
    const ids = { instanceIntegrationId: connectionId, clientId: id, userId: user.id, workerId: worker.id };
    for (const { id: operationId, path } of OPERATIONS) {
      const answer = await gateway.get(fillIds(path, ids), secret);
      expect([operationId, answer.text]).toEqual([operationId, expect.stringContaining(JSON.stringify(letters))]);
    }
  });

  it("ignores query parameters that the contract does not have", async () => {
    expect(await read(`${below}?limit=0&x=%F0%9F%A5%90&__proto__=1`)).toEqual(await read(below));
  });

  it("answers HEAD like GET, without the body", async () => {
    const answer = await gateway.get(below, have.secret, { method: "HEAD" });
    expect([answer.status, answer.text]).toEqual([200, ""]);
  });
});

/** An event as a subscriber would receive it, as far as workforce has a say in it. */
function asDelivered(event: Awaited<ReturnType<Workforce["events"]>>[number], connectionId: string) {
  const { eventType: type, entity, data, selfPath } = event;
  const self = selfPath.replace("{instanceIntegrationId}", connectionId);
  const id = "event_4DkSw9XbTm2RzL7QcN5Hv";
  const envelope = { id, type, specVersion: 1, dataVersion: 1, occurredAt: "2026-06-30T08:15:27.412Z", entity };
  const headers = {
    "content-type": "application/json",
    "user-agent": "Gatehouse/0.1.0",
    "webhook-id": id,
    "webhook-timestamp": "1782807327",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  return {
    data,
    self,
    post: { headers, body: Buffer.from(JSON.stringify({ ...envelope, data: { ...data, links: { self } } })) },
  };
}
