import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";

/** Floor of a question about one row: node:http, one prepared read by primary key, JSON. No checks at all. */
const directory = mkdtempSync(join(tmpdir(), "gh-floor-"));
const db = new BetterSqlite3(join(directory, "floor.sqlite"));
db.exec("create table people (id text primary key, email text, name text) strict");
db.prepare("insert into people values (?, ?, ?)").run("person", "maren.dahl@harbour.example", "Maren Dahl");
const find = db.prepare("select id as sub, email, name from people where id = ?");
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(find.get("person")));
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.on("SIGTERM", () => {
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
});
