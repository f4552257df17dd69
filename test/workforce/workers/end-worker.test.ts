import { SeatKind } from "../../../generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { eachStore } from "../../support/stores.ts";
import { type Gateway, startGateway } from "../gateway-fixture.ts";
import { openTenant, refusal, there, type Workforce, workforceOver } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;
  let worker: Awaited<ReturnType<Workforce["worker"]>>;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
    worker = await workforce.worker(tenantId, "ines@example.com", { jobTitles: ["Baker"] });
    await workforce.events();
    workforce.clock.step(60_000);
  });

  const end = async (workerId = worker.id) =>
    there((await workforce.platform.endWorker({ requestId: "", workerId })).worker);

  it("EndWorker returns when it ended, and emits that once (R-G16)", async () => {
    const before = await workforce.revision("workforce_tenants", tenantId);
    const endedAt = workforce.clock.now();
    expect(await end()).toEqual({ ...worker, endedAt });
    expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before + 1);
    expect(await workforce.events()).toMatchObject([
      { eventType: "worker.updated", entity: { id: worker.id }, data: { endedAt: endedAt.toISOString() } },
    ]);
  });

  it("EndWorker neither changes nor emits anything the second time (I9, R-X51)", async () => {
    const ended = await end();
    const before = await workforce.revision("workforce_tenants", tenantId);
    await workforce.events();
    workforce.clock.step(1);
    expect(await end()).toEqual(ended);
    expect(await workforce.events()).toEqual([]);
    expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before);
  });

  it("EndWorker emits once when many end it at the same time", async () => {
    const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
    await Promise.all(racers.map(({ platform }) => platform.endWorker({ requestId: "", workerId: worker.id })));
    expect(await workforce.events()).toHaveLength(1);
  });

  it("an ended worker cannot be changed, and the refusal says what to do instead", async () => {
    await end();
    await workforce.events();
    const request = { requestId: "", workerId: worker.id, updateMask: ["phone"], jobTitles: [], address: null };
    expect(await refusal(workforce.platform.updateWorker({ ...request, unitIds: [] }))).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "worker_ended",
      message: expect.stringContaining("Onboard the person again"),
    });
    expect(await workforce.events()).toEqual([]);
  });

  it("an ended worker may be followed by a new employment of the same person, which is another worker", async () => {
    await end();
    const again = await workforce.worker(tenantId, "ines@example.com");
    expect(again.id).not.toBe(worker.id);
    expect(again.person.id).toBe(worker.person.id);
    expect(again.endedAt).toBeNull();
  });

  it("an ended worker leaves the claims, and with the last seat the membership (R-S7)", async () => {
    const user = await workforce.user(tenantId, "ines@example.com", { signedInBefore: true });
    const identity = () =>
      workforce.signIn.getIdentity({ personId: worker.person.id, instanceId, authenticatedAt: null });
    const seat = { personId: worker.person.id, tenantId, kind: SeatKind.WORKER };
    await workforce.platform.setLastLoginContext({ requestId: "", ...seat });
    expect((await identity()).identity).toMatchObject({ workers: [{ workerId: worker.id }] });
    await end();
    expect((await identity()).identity).toMatchObject({
      workers: [],
      users: [{ userId: user.id }],
      lastLoginContext: { kind: "SEAT_KIND_USER" },
    });
    await workforce.platform.deleteUser({ requestId: "", userId: user.id });
    expect(await identity()).toMatchObject({ membership: "MEMBERSHIP_NONE" });
  });

  describe("at the gateway", () => {
    let gateway: Gateway;
    beforeEach(async () => {
      gateway = await startGateway(workforce.registrations);
    });
    afterEach(() => gateway.stop());

    it("is in no list, adds no job title, and is shown by id with the time of its end (R-G16)", async () => {
      const { secret, connectionId } = await workforce.integration(instanceId);
      const ended = await end();
      const below = (version: string) => `/${version}/instance-integrations/${connectionId}/clients/${tenantId}`;
      const lists = ["v1/workers", "v1/job-titles", "v2/workers", "v2/workers?limit=1"].map(async (path) => {
        const [version = "", rest] = path.split("/");
        return (await gateway.get(`${below(version)}/${rest}`, secret)).json();
      });
      expect(await Promise.all(lists)).toEqual([[], [], [], []]);
      const one = await gateway.get(`${below("v2")}/workers/${worker.id}`, secret);
      expect(one.json()).toMatchObject({ id: worker.id, endedAt: there(ended.endedAt).toISOString() });
    });
  });
});
