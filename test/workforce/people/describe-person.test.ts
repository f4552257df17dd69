import { ErasureService } from "../../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { erasureMigrations } from "../../../src/runtime/erasure/erasures.ts";
import { inProcessCarrier } from "../../../src/runtime/rpc/in-process.ts";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import { quietBoundary } from "../../support/carriers.ts";
import { patiently } from "../../support/patient-calls.ts";
import { eachStore } from "../../support/stores.ts";
import { there, type Workforce, workforceOver } from "../workforce-fixture.ts";

const email = "maren@example.com";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  beforeEach(async () => {
    workforce = workforceOver(await open([erasureMigrations, workforceMigrations]));
    instanceId = await workforce.instance();
  });

  const seats = async () => {
    const { person } = await workforce.signIn.describePerson({ key: { $case: "email", value: email } });
    return there(person).seats.map(({ id, admits }) => [id, admits]);
  };

  it("DescribePerson has users and workers in one order, oldest first", async () => {
    const one = (await workforce.tenant(instanceId)).id;
    const other = (await workforce.tenant(instanceId)).id;
    const worker = await workforce.worker(one, email);
    const deleted = await workforce.user(one, email);
    await workforce.platform.deleteUser({ requestId: "", userId: deleted.id });
    const second = await workforce.worker(other, email);
    const user = await workforce.user(one, email);
    expect(await seats()).toEqual([
      [worker.id, true],
      [deleted.id, false],
      [second.id, true],
      [user.id, true],
    ]);
  });

  it("DescribePerson has at most 100 seats, the oldest of those that do not admit the person", async () => {
    const tenantId = (await workforce.tenant(instanceId)).id;
    const first = await workforce.worker(tenantId, email);
    for (let count = 0; count < 100; count++) {
      const { id: userId } = await workforce.user(tenantId, email);
      await workforce.platform.deleteUser({ requestId: "", userId });
    }
    const shown = await seats();
    expect([shown.length, shown[0]]).toEqual([100, [first.id, true]]);
  });

  it("DescribePerson has the seats by which a person can sign in, however many older ones do not admit anybody", async () => {
    const tenantId = (await workforce.tenant(instanceId)).id;
    for (let count = 0; count < 100; count++) {
      const { id: userId } = await workforce.user(tenantId, email);
      await workforce.platform.deleteUser({ requestId: "", userId });
      const { id: workerId } = await workforce.worker(tenantId, email);
      await workforce.platform.endWorker({ requestId: "", workerId });
    }
    const user = await workforce.user(tenantId, email);
    const worker = await workforce.worker(tenantId, email);
    const shown = await seats();
    expect([shown.length, shown.slice(-2)]).toEqual([
      100,
      [
        [user.id, true],
        [worker.id, true],
      ],
    ]);
  });

  it("DescribePerson omits seats of an erased tenant at once: none of them admits anybody (R-X263)", async () => {
    const value = (await workforce.tenant(instanceId)).id;
    await workforce.user(value, email);
    const stays = await workforce.user((await workforce.tenant(instanceId)).id, email);
    const carrier = inProcessCarrier({
      ...{ peer: "platform", registrations: workforce.registrations, interceptors: quietBoundary(), hand: "encoded" },
    });
    await patiently(carrier.connect(ErasureService)).erase({ target: { id: { $case: "tenantId", value } } });
    expect(await seats()).toEqual([[stays.id, true]]);
  });
});
