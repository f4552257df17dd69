import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { eventually } from "./eventually.ts";
import { type FaultProxy, openFaultProxy } from "./fault-proxy.ts";
import { withScope } from "./scope.ts";

describe("the fault proxy of the tests", () => {
  withScope((closeLater) => {
    let proxy: FaultProxy;
    let targets: Socket[];

    beforeEach(async () => {
      targets = [];
      const echo = createServer((socket) => {
        targets.push(socket);
        socket.on("error", () => undefined);
        socket.pipe(socket);
      });
      await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
      closeLater(async () => void echo.close());
      proxy = await openFaultProxy(closeLater, {
        target: { host: "127.0.0.1", port: (echo.address() as AddressInfo).port },
      });
    });

    /** A client through the proxy, and what came back to it so far. */
    async function open() {
      const socket = connect(proxy.port, "127.0.0.1");
      closeLater(async () => void socket.destroy());
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk.toString();
      });
      const ends: string[] = [];
      socket.on("error", (error) => ends.push((error as NodeJS.ErrnoException).code ?? ""));
      socket.on("end", () => ends.push("end"));
      await once(socket, "connect");
      const says = (text: string) =>
        eventually(
          async () => received,
          (all) => all.endsWith(text),
        );
      return { socket, says, ends, received: () => received };
    }

    it("passes the data of both sides, and the end", async () => {
      const { socket, says, ends } = await open();
      socket.write("one");
      await expect(says("one")).resolves.toBe("one");
      socket.end();
      await expect(
        eventually(
          async () => ends.join(),
          (all) => all !== "",
        ),
      ).resolves.toBe("end");
    });

    it("keeps the data of both sides, and delivers it later, in order", async () => {
      const { socket, says, received } = await open();
      socket.write("one");
      await says("one");
      proxy.hold();
      socket.write("two");
      const other = await open();
      other.socket.write("three");
      expect([received(), other.received()]).toEqual(["one", ""]);
      proxy.pass();
      await expect(says("onetwo")).resolves.toBe("onetwo");
      await expect(other.says("three")).resolves.toBe("three");
    });

    it("swallows data of existing connections, and passes that of new ones", async () => {
      const old = await open();
      old.socket.write("one");
      await old.says("one");
      proxy.silence({ of: "existing" });
      old.socket.write("two");
      const fresh = await open();
      fresh.socket.write("three");
      await fresh.says("three");
      proxy.pass();
      old.socket.write("four");
      await expect(old.says("four")).resolves.toBe("onefour");
    });

    it("swallows answers alone: the target has read the request", async () => {
      const { socket, received } = await open();
      socket.write("one");
      await eventually(
        async () => received(),
        (all) => all === "one",
      );
      proxy.silence({ what: "answers" });
      socket.write("two");
      const read = await eventually(
        async () => targets[0]?.bytesRead,
        (bytes) => bytes === 6,
      );
      expect([read, received()]).toEqual([6, "one"]);
    });

    it("cuts the connections that a test picks", async () => {
      const [first, second] = [await open(), await open()];
      await eventually(
        async () => proxy.connections(),
        (count) => count === 2,
      );
      proxy.cut((index) => index === 0);
      await expect(
        eventually(
          async () => first.ends.join(),
          (all) => all !== "",
        ),
      ).resolves.toBe("ECONNRESET");
      second.socket.write("one");
      await expect(second.says("one")).resolves.toBe("one");
    });

    it("delays without changing the order", async () => {
      const { socket, says } = await open();
      proxy.delay(30);
      socket.write("one");
      await eventually(
        async () => targets.length,
        (count) => count === 1,
      );
      proxy.pass();
      socket.write("two");
      await expect(says("two")).resolves.toBe("onetwo");
    });

    it("leaves clients half open: the target is gone without a packet", async () => {
      const { socket, ends, says } = await open();
      socket.write("one");
      await says("one");
      proxy.halfOpen();
      await eventually(
        async () => targets[0]?.closed,
        (closed) => closed === true,
      );
      socket.write("two");
      const fresh = await open();
      fresh.socket.write("three");
      await fresh.says("three");
      expect(ends).toEqual([]);
    });

    it("refuses new connections until it passes again", async () => {
      proxy.refuse();
      const refused = connect(proxy.port, "127.0.0.1");
      await expect(once(refused, "close")).rejects.toMatchObject({ code: "ECONNRESET" });
      proxy.pass();
      const { socket, says } = await open();
      socket.write("one");
      await expect(says("one")).resolves.toBe("one");
    });
  });
});
