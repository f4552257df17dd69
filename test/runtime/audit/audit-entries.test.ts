import { AuditService, type ListAuditEntriesRequest } from "../../../generated/proto/gatehouse/audit/v1/audit.ts";
import { access } from "../../../src/access.ts";
import { appendToAudit } from "../../../src/runtime/audit/audit.ts";
import { auditRegistration } from "../../../src/runtime/audit/audit-entries-service.ts";
import { readAudit } from "../../../src/runtime/audit/audit-log.ts";
import type { Store } from "../../../src/runtime/database/database.ts";
import type { Peer, PromiseClient } from "../../../src/runtime/rpc/call.ts";
import { inProcessCarrier } from "../../../src/runtime/rpc/in-process.ts";
import { accessInterceptor } from "../../../src/runtime/rpc/interceptors.ts";
import { eachStore, inTransaction } from "../../support/stores.ts";

const ALL: ListAuditEntriesRequest = {
  object: null,
  actor: null,
  action: null,
  requestId: null,
  since: null,
  until: null,
  limit: 500,
  cursor: null,
};
const START = new Date("2026-01-01T00:00:00Z").getTime();
const day = (count: number) => new Date(START + count * 86_400_000);

eachStore((_name, open) => {
  describe("the audit log, as operators read it", () => {
    let store: Store;
    let audit: PromiseClient<typeof AuditService>;

    const as = (peer: Peer) =>
      inProcessCarrier({
        peer,
        registrations: [auditRegistration({ store })],
        interceptors: [accessInterceptor(access)],
        hand: "encoded",
      }).connect(AuditService);

    beforeAll(async () => {
      ({ store } = await open());
      audit = as("operator");
      await inTransaction(store.view(), async (tx) => {
        for (let index = 0; index < 40; index++) {
          const noun = index % 2 === 0 ? "application" : "token";
          const entry = {
            actor: index % 4 === 0 ? "operator" : "platform",
            action: `${noun}.${index % 8 === 0 ? "disable" : "update"}`,
            object: `thing_${index % 5}`,
            facts: { index },
          } as const;
          await appendToAudit(tx, entry, `req_${index}`, day(index));
        }
      });
    });

    const indexes = async (more: Partial<ListAuditEntriesRequest>) => {
      const { entries } = await audit.listAuditEntries({ ...ALL, ...more });
      return entries.map(({ facts }) => (JSON.parse(facts) as { index: number }).index);
    };
    const those = (fits: (index: number) => boolean) =>
      Array.from({ length: 40 }, (_, index) => 39 - index).filter(fits);

    it.each<[string, Partial<ListAuditEntriesRequest>, (index: number) => boolean]>([
      ["everything", {}, () => true],
      ["an object", { object: "thing_3" }, (index) => index % 5 === 3],
      ["an actor", { actor: "operator" }, (index) => index % 4 === 0],
      ["an action", { action: "application.disable" }, (index) => index % 8 === 0],
      ["all of a noun", { action: "application.*" }, (index) => index % 2 === 0],
      ["a noun in capitals, which is none", { action: "APPLICATION.*" }, () => false],
      ["a request", { requestId: "req_7" }, (index) => index === 7],
      ["since an instant", { since: day(30) }, (index) => index >= 30],
      ["before an instant", { until: day(10) }, (index) => index < 10],
      [
        "all of it at once",
        { object: "thing_0", action: "application.*", since: day(5), until: day(35) },
        (index) => index % 10 === 0 && index >= 5 && index < 35,
      ],
      ["nothing", { object: "thing_9" }, () => false],
    ])("is filtered by %s, newest first", async (_, more, fits) => {
      expect(await indexes(more)).toEqual(those(fits));
    });

    it("is read page by page, each entry once", async () => {
      const seen: string[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < 20; page++) {
        const { entries, nextCursor }: Awaited<ReturnType<typeof audit.listAuditEntries>> =
          await audit.listAuditEntries({ ...ALL, action: "token.*", limit: 3, cursor });
        expect(entries.length).toBeLessThanOrEqual(3);
        seen.push(...entries.map(({ requestId }) => requestId));
        cursor = nextCursor ?? null;
        if (cursor === null) break;
      }
      expect(seen).toEqual(those((index) => index % 2 === 1).map((index) => `req_${index}`));
    });

    it("is searched in steps, however few entries match", async () => {
      const filter = {
        object: undefined,
        actor: undefined,
        action: undefined,
        requestId: "req_2",
        since: undefined,
        until: undefined,
        limit: 10,
      };
      const found: number[] = [];
      let before: number | undefined;
      let readings = 0;
      do {
        const { entries, next } = await readAudit(store.view(), { ...filter, before }, 10);
        found.push(entries.length);
        before = next;
        readings++;
      } while (before !== undefined);
      expect([readings, found.filter((count) => count > 0)]).toEqual([5, [1]]);
      const recent = { ...filter, since: day(38), requestId: undefined, before: undefined };
      expect((await readAudit(store.view(), recent, 10)).next).toBeUndefined();
    });

    it.each([
      [{ limit: 501 }, "limit"],
      [{ limit: -1 }, "limit"],
      [{ cursor: "x" }, "cursor"],
      [{ cursor: "0" }, "cursor"],
      [{ action: "everything" }, "action"],
      [{ action: "*" }, "action"],
      [{ action: "a.b.c" }, "action"],
    ])("refuses %j", async (more, field) => {
      await expect(audit.listAuditEntries({ ...ALL, ...more })).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [{ field }],
      });
    });

    it("is for the operator alone", async () => {
      await expect(as("platform").listAuditEntries(ALL)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    });
  });
});
