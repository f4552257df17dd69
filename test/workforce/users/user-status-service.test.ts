import { watchStatements } from "../../support/asked-statements.ts";
import { eachStore } from "../../support/stores.ts";
import { openTenant, refusal, type Workforce, workforceOver } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
    await workforce.events();
  });

  const invited = async (email: string) => {
    const user = await workforce.user(tenantId, email);
    await workforce.events();
    return user;
  };
  const active = async (email: string, more = {}) => {
    const user = await workforce.user(tenantId, email, more);
    await workforce.signs(user.person.id, instanceId);
    await workforce.events();
    return user;
  };
  const move = (action: "enableUser" | "disableUser" | "deleteUser", userId: string, requestId = "") =>
    workforce.platform[action]({ requestId, userId });
  const told = async () =>
    (await workforce.events()).map(({ eventType, data }) => [eventType, data.userId, data.status]);

  it("DisableUser and EnableUser emit one user.updated each, and raise the revision (spec §3)", async () => {
    const { id } = await active("maren@example.com");
    const before = await workforce.revision("workforce_tenants", tenantId);
    const disabled = await move("disableUser", id);
    const enabled = await move("enableUser", id);
    expect([disabled.user?.status, enabled.user?.status]).toEqual(["USER_STATUS_INACTIVE", "USER_STATUS_ACTIVE"]);
    expect(await told()).toEqual([
      ["user.updated", id, "INACTIVE"],
      ["user.updated", id, "ACTIVE"],
    ]);
    expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before + 2);
  });

  it("a change to the present state neither writes nor emits anything (I9)", async () => {
    const { id } = await active("maren@example.com");
    const before = await workforce.revision("workforce_tenants", tenantId);
    const { user } = await move("enableUser", id);
    expect(user?.status).toBe("USER_STATUS_ACTIVE");
    expect(await told()).toEqual([]);
    expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before);
  });

  it("DisableUser emits once when many callers disable at the same time", async () => {
    const { id } = await active("maren@example.com");
    const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
    await Promise.all(
      racers.flatMap(({ platform }) => [1, 2].map(() => platform.disableUser({ requestId: "", userId: id }))),
    );
    expect(await told()).toEqual([["user.updated", id, "INACTIVE"]]);
  });

  it("INVITED users can be neither enabled nor disabled (R-G17)", async () => {
    const { id } = await invited("maren@example.com");
    for (const action of ["enableUser", "disableUser"] as const)
      expect(await refusal(move(action, id))).toMatchObject({ code: "FAILED_PRECONDITION", reason: "user_status" });
    expect(await told()).toEqual([]);
  });

  it("DeleteUser is final: no command brings the user back, a second deletion changes nothing (R-E4)", async () => {
    const { id } = await active("maren@example.com");
    await move("deleteUser", id);
    expect(await told()).toEqual([["user.updated", id, "DELETED"]]);
    for (const action of ["enableUser", "disableUser"] as const)
      expect(await refusal(move(action, id))).toMatchObject({ code: "FAILED_PRECONDITION", reason: "user_status" });
    expect((await move("deleteUser", id)).user?.status).toBe("USER_STATUS_DELETED");
    expect(await told()).toEqual([]);
  });

  it("DeleteUser of an INVITED user withdraws the invitation", async () => {
    const { id } = await invited("maren@example.com");
    expect((await move("deleteUser", id)).user?.status).toBe("USER_STATUS_DELETED");
    expect(await told()).toEqual([["user.updated", id, "DELETED"]]);
  });

  it("DeleteUser clears the manager of each report, with one event per report whose snapshot has none (R-G17)", async () => {
    const manager = await active("owner@example.com", { roleName: "Owner" });
    const reports = [await active("a@example.com"), await active("b@example.com")];
    const other = await workforce.user(tenantId, "c@example.com", { invitedByUserId: reports[0]?.id });
    await workforce.events();

    await move("deleteUser", manager.id);

    const events = await workforce.events();
    expect(events.map(({ data }) => [data.userId, data.status, data.manager])).toEqual([
      [manager.id, "DELETED", null],
      [reports[0]?.id, "ACTIVE", null],
      [reports[1]?.id, "ACTIVE", null],
    ]);
    const { rows } = await workforce.raw("select id from workforce_users where manager_id is not null");
    expect(rows).toEqual([{ id: other.id }]);
  });

  it("DeleteUser asks the store no more for a manager of many reports than for one of two", async () => {
    const managers = [await invited("a@example.com"), await invited("b@example.com")];
    for (const [index, count] of [2, 40].entries())
      for (let report = 0; report < count; report++)
        await workforce.user(tenantId, `${index}-${report}@example.com`, { invitedByUserId: managers[index]?.id });
    await workforce.events();

    const asked: (readonly string[])[] = [];
    for (const { id } of managers) asked.push(await watchStatements(() => move("deleteUser", id)));
    // A process that shares its store may ask a thing of its own meanwhile.
    expect(asked[1]?.length).toBeLessThan((asked[0]?.length ?? 0) + 10);
    expect(await told()).toHaveLength(1 + 2 + 1 + 40);
  });

  it("a repeat gets the first answer, even after the state has changed since (R-G18)", async () => {
    const { id } = await active("maren@example.com");
    const first = await move("disableUser", id, "once");
    await move("enableUser", id);
    expect(await move("disableUser", id, "once")).toEqual(first);
    expect((await told()).length).toBe(2);
  });

  it("an unknown user and a malformed id are refused", async () => {
    expect(await refusal(move("deleteUser", "user_AAAAAAAAAAAAAAAAAAAAA"))).toMatchObject({
      code: "NOT_FOUND",
      reason: "user_not_found",
    });
    expect((await refusal(move("deleteUser", "client_AAAAAAAAAAAAAAAAAAAAA"))).violations).toEqual([
      { field: "user_id", reason: "must be user_ followed by 21 letters or digits" },
    ]);
  });
});
