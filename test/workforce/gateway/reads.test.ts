import type { components } from "../../../generated/types/gateway.ts";
import { eachStore } from "../../support/stores.ts";
import { type Furniture, furnish, type Gateway, startGateway } from "../gateway-fixture.ts";
import { openWorkforce, type Workforce } from "../workforce-fixture.ts";

type Wire = components["schemas"];

eachStore((_, open) => {
  let workforce: Workforce;
  let gateway: Gateway;
  let have: Furniture;
  let below: string;

  beforeAll(async () => {
    workforce = await openWorkforce(open);
    gateway = await startGateway(workforce.registrations);
    have = await furnish(workforce);
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
    const nothing = {
      address1: null,
      address2: null,
      city: null,
      isoCountryCode: null,
      postalCode: null,
      zoneCode: null,
    };
    expect(await read(below)).toEqual([
      {
        id: have.tenant.id,
        name: "Harbour Bakery",
        location: {
          ...nothing,
          address1: "14 Quay Street",
          city: "Rotterdam",
          isoCountryCode: "NL",
          postalCode: "3011 AB",
        },
      },
      { id: have.bare.id, name: "Nordlys Ærlig Å/S 🥐", location: nothing },
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

  it("listWorkers: oldest first, ended ones left out (spec §2.3, R-G16)", async () => {
    const ended = await workforce.worker(have.tenant.id, "ended@example.com");
    await workforce.raw(`update workforce_workers set ended_at = 1 where id = '${ended.id}'`);
    const nothing = {
      address1: null,
      address2: null,
      city: null,
      isoCountryCode: null,
      postalCode: null,
      zoneCode: null,
    };
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

  it("events link to what the gateway shows of them (spec §6 rule 3)", async () => {
    await workforce.events();
    const made = await workforce.tenant(have.instanceId, { name: "Linked" });
    const user = await workforce.user(made.id, "linked@example.com");
    await workforce.signs(user.person.id, have.instanceId);
    const [created, updated] = (await workforce.events()).map((event) => asDelivered(event, have.connectionId));
    const { address, clientId, name } = created?.data ?? {};
    expect(await read(created?.self ?? "")).toEqual({ id: clientId, name, location: address });
    const { userId, ...fields } = updated?.data ?? {};
    expect(await read(updated?.self ?? "")).toEqual({ id: userId, ...fields });
    for (const event of [created, updated]) expect(event?.post).toMatchEventContract();
  });

  it("ignores query parameters that the contract does not have", async () => {
    expect(await read(`${below}?limit=0&x=%F0%9F%A5%90&__proto__=1`)).toHaveLength(3);
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
