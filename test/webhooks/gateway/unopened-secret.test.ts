import { eachStore } from "../../support/stores.ts";
import { type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

eachStore((_, open) => {
  describe("what is signed as data while a secret cannot be opened (R-X372)", () => {
    let api: IntegratorApi;
    let id: string;
    let path: string;
    beforeEach(async () => {
      api = await openIntegratorApi(open);
      id = await api.subscribe();
      path = `/v1/webhooks/subscriptions/${id}`;
      await api.mineOf("POST", `${path}/test-events`, { type: "user.updated" });
    });
    afterEach(() => api.gateway.stop());

    const readFeed = () => api.ask("GET", `${path}/events`, { secret: api.mine.secret });
    const signMessages = (count = 1) =>
      api.ask("POST", `${path}/test-messages`, {
        secret: api.mine.secret,
        json: { messages: Array.from({ length: count }, () => ({ type: "user.created" })) },
      });
    const loseSecrets = () =>
      api.kit.tables
        .updateTable("webhooks_signing_secrets")
        .set({ sealed: Buffer.alloc(80, 1) })
        .execute();

    it("is 503 with a minute to wait and what helps, since it is no fault of the request", async () => {
      await loseSecrets();
      for (const ask of [readFeed, () => signMessages()]) {
        const answer = await ask();
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
        expect(answer.json<object>()).toMatchObject({
          code: "unavailable",
          detail: expect.stringContaining("replace the secret"),
        });
      }
    });

    it("notes no test messages in the audit log, since none are signed", async () => {
      await loseSecrets();
      await signMessages();
      expect((await api.audit(id)).map(({ action }) => action)).not.toContain("subscription.signTestMessages");
    });

    it("counts no test messages, of which a thousand may be signed in a minute, since none are signed", async () => {
      await loseSecrets();
      for (let count = 0; count < 10; count++) await signMessages(100);
      await api.mineOf("POST", `${path}/secrets`, {});
      const statuses: number[] = [];
      for (let count = 0; count < 10; count++) statuses.push((await signMessages(100)).status);
      expect([...new Set(statuses), (await signMessages()).status]).toEqual([200, 429]);
    });

    it("is signed again as soon as the integration has replaced the secret", async () => {
      await loseSecrets();
      await api.mineOf("POST", `${path}/secrets`, {});
      expect([(await readFeed()).status, (await signMessages()).status]).toEqual([200, 200]);
    });
  });
});
