import { toCursor } from "../../../src/webhooks/deliveries/cursor.ts";
import { openCursor, sealCursor } from "../../../src/workforce/gateway/sealed-cursor.ts";
import { eachStore } from "../../support/stores.ts";
import { clientCreated } from "../webhooks-kit.ts";
import { type Integrator, type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly next?: string;
}

const LISTS = [
  ["listDeliveries", "/v1/webhooks/deliveries"],
  ["listEvents", "/v1/webhooks/events"],
  ["listRecoveries", "/v1/webhooks/recoveries"],
] as const;

eachStore((_, open) => {
  describe("positions in an integration's own lists, which count what everybody has (R-X297)", () => {
    let api: IntegratorApi;
    beforeAll(async () => {
      api = await openIntegratorApi(open);
      for (const owner of [api.mine, api.theirs]) {
        for (let made = 0; made < 3; made++) {
          const subscriptionId = await api.subscribe(owner);
          await api.workforce.raw(
            `update webhooks_subscriptions set endpoint_url = 'https://hooks.example/in' where id = '${subscriptionId}'`,
          );
          const event = { ...clientCreated(owner.tenantId as never), instanceId: owner.instanceId as never };
          await api.kit.emit(event);
          await api.kit.relay();
          const json = { subscriptionId, from: new Date(api.clock.now().getTime() - 60_000).toISOString() };
          const started = await api.ask("POST", "/v1/webhooks/recoveries", { secret: owner.secret, json });
          expect(started.status).toBe(201);
        }
      }
    });
    afterAll(() => api.gateway.stop());

    const read = async (path: string, cursor: string | undefined, { secret }: Integrator = api.mine) => {
      const after = cursor === undefined ? "" : `&cursor=${cursor}`;
      const answer = await api.ask("GET", `${path}?limit=1${after}`, { secret });
      return { status: answer.status, ...answer.json<Page & { readonly errors?: readonly { name: string }[] }>() };
    };
    /** What the holder of the key can read of a cursor. */
    const inside = (list: string, cursor: string | undefined, { secret: key }: Integrator = api.mine) =>
      openCursor({ key, list }, cursor ?? "") ?? "";

    it.each(LISTS)("%s: cannot be read by who has the key, and are all equally long", async (list, path) => {
      const first = await read(path, undefined);
      const second = await read(path, first.next);
      const positions = [first, second].map(({ next }) => inside(list, next));
      expect(positions.map((text) => Buffer.from(text, "base64url").toString("latin1"))).not.toContainEqual(
        expect.stringMatching(/^\d+$/),
      );
      const [one = "", other = ""] = positions;
      expect([other.length, other === one, one.length > 40]).toEqual([one.length, false, true]);
      expect(first.data).not.toEqual(second.data);
    });

    it.each(LISTS)("%s: are refused of another list and of another integration", async (list, path) => {
      const others = LISTS.filter(([name]) => name !== list);
      const foreign = others.map(async ([name, at]) => inside(name, (await read(at, undefined)).next));
      const theirs = inside(list, (await read(path, undefined, api.theirs)).next, api.theirs);
      // Signed as the holder of a key can sign them.
      const { secret: key } = api.mine;
      const cursors = [...(await Promise.all(foreign)), theirs].map((position) => sealCursor({ key, list }, position));
      const answers = await Promise.all(cursors.map((cursor) => read(path, cursor)));
      expect(answers.map(({ status, errors }) => [status, errors?.map(({ name }) => name)])).toEqual(
        Array(3).fill([400, ["cursor"]]),
      );
    });

    it.each(LISTS)("%s: those that the program before this one gave go on", async (list, path) => {
      const { secret: key } = api.mine;
      const former = sealCursor({ key, list }, toCursor(Number.MAX_SAFE_INTEGER));
      const { status, data } = await read(path, former);
      expect([status, data]).toEqual([200, (await read(path, undefined)).data]);
    });
  });
});
