import { BLOCKED_PORTS } from "../../desk/src/blocked-ports.ts";

describe("blocked ports", () => {
  it("are each refused by Node's own fetch, before it connects", async () => {
    const said = [];
    for (const port of BLOCKED_PORTS)
      said.push(await fetch(`http://127.0.0.1:${port}/`).catch(({ cause }: Error) => (cause as Error).message));
    expect(said).toEqual(Array.from({ length: 82 }, () => "bad port"));
  });

  it.each(["", "3000", "8080", "5432", "9000"])("are not those of servers: %s", (port) => {
    expect(BLOCKED_PORTS.has(port)).toBe(false);
  });
});
