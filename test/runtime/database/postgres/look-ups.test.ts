import type { LookupAddress } from "node:dns";
import dns from "node:dns/promises";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { PostgresConnection } from "../../../../src/runtime/database/postgres/postgres-connection.ts";
import { eventually } from "../../../support/eventually.ts";
import { withScope } from "../../../support/scope.ts";

const HERE = [{ address: "127.0.0.1", family: 4 }];

describe("connections to a PostgreSQL server that is given by its name", () => {
  withScope((closeLater) => {
    let port: number;
    let accepted: number;
    /** The look-ups so far; each is answered by the test. */
    let asked: PromiseWithResolvers<LookupAddress[]>[];

    beforeEach(async () => {
      accepted = 0;
      asked = [];
      const server = createServer((socket) => {
        accepted++;
        socket.on("error", () => undefined).destroy();
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      closeLater(async () => void server.close());
      port = (server.address() as AddressInfo).port;
      const spy = jest.spyOn(dns, "lookup").mockImplementation((() => {
        const one = Promise.withResolvers<LookupAddress[]>();
        asked.push(one);
        return one.promise;
      }) as unknown as typeof dns.lookup);
      closeLater(async () => spy.mockRestore());
    });

    /** Why it is not connected, at last. */
    const connect = () => {
      const connection = new PostgresConnection({ connectionString: `postgresql://gatehouse@postgres.test:${port}/x` });
      const end = connection.connect().then(
        () => undefined,
        ({ code, message }: NodeJS.ErrnoException) => code ?? message,
      );
      return { connection, end };
    };

    it("wait together for one look-up of it, though the first of them is given up", async () => {
      const [first, ...others] = Array.from({ length: 10 }, connect);
      first?.connection.lose(new Error("given up"));
      const later = connect();
      expect(asked).toHaveLength(1);
      asked[0]?.resolve(HERE);
      await Promise.all([...others, later].map(({ end }) => end));
      expect([
        await first?.end,
        asked.length,
        await eventually(
          async () => accepted,
          (count) => count >= 10,
        ),
      ]).toEqual(["given up", 1, 10]);
    });

    it("ask afresh afterwards, since a name may lead elsewhere by then, and when a look-up failed", async () => {
      const one = connect();
      asked[0]?.reject(Object.assign(new Error("no answer"), { code: "EAI_AGAIN" }));
      expect(await one.end).toBe("EAI_AGAIN");
      const two = connect();
      asked[1]?.resolve(HERE);
      await two.end;
      void connect();
      expect([asked.length, accepted]).toEqual([3, 1]);
      asked[2]?.resolve(HERE);
    });
  });
});
