import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { post } from "../../desk/src/post.ts";

describe("one POST to a program (R-X308)", () => {
  let server: Server | undefined;
  afterEach(() => server?.close().closeAllConnections());

  async function answered(answer: (response: ServerResponse) => void) {
    server = createServer((_request, response) => answer(response));
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return post(new URL(`http://127.0.0.1:${port}/`), {}, "{}", 2_000);
  }

  it.each<[string, (response: ServerResponse) => void]>([
    ["never ends", (response) => void response.writeHead(200).write("thank you")],
    [
      "breaks off",
      (response) => {
        response.writeHead(200, { "content-length": "100" }).write("thank you");
        setTimeout(() => response.destroy(), 50);
      },
    ],
  ])("has the status of an answer whose body %s", async (_, answer) => {
    const { status, failure, excerpt } = await answered(answer);
    expect({ status, failure, excerpt }).toEqual({ status: 200, failure: undefined, excerpt: "thank you" });
  });

  it("reads no more of a body than it shows", async () => {
    const chunk = "x".repeat(65_536);
    const { status, excerpt } = await answered((response) => {
      response.writeHead(500);
      const more = () => {
        while (response.write(chunk));
      };
      response.on("drain", more);
      more();
    });
    expect([status, excerpt]).toEqual([500, "x".repeat(200)]);
  });

  it("says that there was no status in time", async () => {
    const { status, failure } = await answered(() => undefined);
    expect([status, failure]).toEqual([undefined, "timeout"]);
  });
});
