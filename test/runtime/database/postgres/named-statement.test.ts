import { createServer, connect as dial, Socket } from "node:net";
import pg from "pg";
import { connectionConfig, PostgresConnection } from "../../../../src/runtime/database/postgres/postgres-connection.ts";
import type { Closer } from "../../../support/scope.ts";
import { onPostgres } from "../../../support/stores.ts";

const NAME = "gh_named";

/** Values with the types that statements of ours take and give. */
const VALUES: readonly (readonly [string, string, unknown])[] = [
  ["a text", "text", "Zoë 👩‍🚀"],
  ["an empty text", "text", ""],
  ["null", "text", null],
  ["a number", "integer", -7],
  ["a number of 64 bits", "bigint", 2 ** 52],
  ["a fraction", "double precision", 0.1],
  ["true", "boolean", true],
  ["bytes", "bytea", Buffer.from([0, 1, 254, 255])],
  ["bytes of an array's view", "bytea", new Uint8Array([9, 8]).subarray(1)],
  ["a list", "text[]", ["a", 'quoted "b"', "c,d"]],
  ["a JSON text", "jsonb", '{"a": [1, null]}'],
];

/** Where the server would be: hands everything on, and notes the kind of each message of the client after its first. */
async function watched(location: string, closeLater: (closer: Closer) => void) {
  const kinds: string[] = [];
  const path = `${decodeURIComponent(new URL(location).host)}/.s.PGSQL.5432`;
  const server = createServer((client) => {
    const target = dial(path);
    let unread = Buffer.alloc(0);
    let isFirst = true;
    client.on("data", (bytes: Buffer) => {
      unread = Buffer.concat([unread, bytes]);
      for (;;) {
        // The first message of a connection has no kind.
        const at = isFirst ? 0 : 1;
        if (unread.length < at + 4) break;
        const length = at + unread.readUInt32BE(at);
        if (unread.length < length) break;
        if (!isFirst) kinds.push(unread.toString("latin1", 0, 1));
        isFirst = false;
        unread = unread.subarray(length);
      }
    });
    client.on("error", () => target.destroy());
    target.on("error", () => client.destroy());
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeLater(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.address() as { readonly port: number };
  return { kinds, url: Object.assign(new URL(location), { host: `127.0.0.1:${port}` }).href };
}

onPostgres((open, closeLater) => {
  const connected = async (url: string): Promise<PostgresConnection> => {
    const connection = new PostgresConnection(connectionConfig(url, "test"));
    await connection.connect();
    closeLater(() => connection.end());
    return connection;
  };

  it.each(VALUES)("answers %s as node-postgres' own query does, the first time and again", async (_, type, value) => {
    const { location } = await open();
    const connection = await connected(location);
    const text = `select $1::${type} as value, 'more' as "otherValue"`;
    const { rows } = await connection.query(text, [value]);
    expect(rows).toHaveLength(1);
    for (const time of [1, 2, 3])
      expect({ time, ...(await connection.ask(text, [value], NAME)) }).toEqual({
        time,
        command: "SELECT",
        rowCount: 1,
        rows,
      });
  });

  it("says how many rows a write changed, each time", async () => {
    const { location } = await open();
    const connection = await connected(location);
    await connection.query("create table things (number integer)");
    const insert = (values: readonly number[]) =>
      connection.ask("insert into things select unnest($1::integer[])", [values], NAME);
    for (const rowCount of [2, 0, 3])
      expect(await insert([1, 2, 3].slice(0, rowCount))).toEqual({ command: "INSERT", rowCount, rows: [] });
    const { rows } = await connection.ask("select number from things order by 1", [], "gh_other");
    expect(rows).toEqual([1, 1, 2, 2, 3].map((number) => ({ number })));
  });

  it("has a statement parsed and its columns named once for a connection", async () => {
    const { location } = await open();
    const { kinds, url } = await watched(location, closeLater);
    const connection = await connected(url);
    kinds.length = 0;
    for (const number of [1, 2]) await connection.ask("select $1::integer as number", [number], NAME);
    await connection.ask("select 1 as number where false", [], "gh_none");
    await connection.ask("select 1 as number where false", [], "gh_none");
    const [first, again] = ["PBDES", "BES"];
    expect(kinds.join("")).toBe(`${first}${again}${first}${again}`);
  });

  it("asks for the columns again while the statement has failed", async () => {
    const { location } = await open();
    const connection = await connected(location);
    const divided = (by: number) => connection.ask("select 6 / $1::integer as quotient", [by], NAME);
    await expect(divided(0)).rejects.toMatchObject({ code: "22012" });
    for (const by of [2, 3]) expect((await divided(by)).rows).toEqual([{ quotient: 6 / by }]);
    await expect(divided(0)).rejects.toMatchObject({ code: "22012" });
    expect((await divided(6)).rows).toEqual([{ quotient: 1 }]);
  });

  it("hands the system one buffer for a short statement, and the list for a long one", async () => {
    const { location } = await open();
    const connection = await connected(location);
    const listed = jest.spyOn(Socket.prototype, "_writev" as never);
    await connection.ask("select length($1::text) as length", ["short"], NAME);
    expect(listed).toHaveBeenCalledTimes(0);
    const { rows } = await connection.ask("select length($1::text) as length", ["x".repeat(100_000)], NAME);
    expect(listed).toHaveBeenCalledTimes(1);
    expect(rows).toEqual([{ length: 100_000 }]);
    listed.mockRestore();
  });

  it("fails a statement whose value cannot be sent, and no other", async () => {
    const { location } = await open();
    const connection = await connected(location);
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const failed = connection.ask("select $1::text as value", [circle], NAME);
    const next = connection.ask("select $1::text as value", ["fit"], NAME);
    await expect(failed).rejects.toThrow("circular structure");
    expect((await next).rows).toEqual([{ value: "fit" }]);
  });

  it("fails a statement whose answer cannot be read, and no other", async () => {
    const { location } = await open();
    const connection = await connected(location);
    const POINT = 600 as never;
    const before = pg.types.getTypeParser(POINT);
    pg.types.setTypeParser(POINT, () => {
      throw new Error("No point.");
    });
    const asked = connection.ask("select point(1, 2) as place from generate_series(1, 3)", [], NAME);
    await expect(asked).rejects.toThrow("No point.");
    pg.types.setTypeParser(POINT, before);
    expect((await connection.ask("select 1 as number", [], "gh_other")).rows).toEqual([{ number: 1 }]);
    const again = await connection.ask("select point(1, 2) as place from generate_series(1, 3)", [], NAME);
    expect(again.rows).toEqual([1, 2, 3].map(() => ({ place: { x: 1, y: 2 } })));
  });

  it("rejects what is asked of a connection that is lost", async () => {
    const { location } = await open();
    const connection = await connected(location);
    const asked = connection.ask("select pg_sleep(60)", [], NAME);
    connection.lose(new Error("Lost."));
    await expect(asked).rejects.toThrow("Lost.");
    await expect(connection.ask("select 1", [], NAME)).rejects.toThrow(/not queryable/);
  });
});
