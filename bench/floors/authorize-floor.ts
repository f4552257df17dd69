import { createHash, randomBytes } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openFloorStore, sharing } from "../support/floor-store.ts";

/**
 * Floor of an authorization of somebody who is signed in: read query and cookie, find the session by the digest of its
 * secret, one durable commit of a code, which those of one turn share, redirect. No checks at all.
 */
const { db } = openFloorStore();
db.exec("create table sessions (digest blob primary key, person text) strict");
db.exec("create table codes (number integer primary key, digest blob, person text, at integer) strict");
const digestOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();
db.prepare("insert into sessions values (?, ?)").run(digestOf("secret"), "person");
const find = db.prepare<[Buffer], { readonly person: string }>("select person from sessions where digest = ?");
const insert = db.prepare("insert into codes (digest, person, at) values (?, ?, ?)");

interface Asked {
  readonly person: string | undefined;
  readonly code: string;
  readonly asked: URLSearchParams;
  readonly response: ServerResponse;
}

const issue = sharing<Asked>(
  db,
  (all) => {
    for (const { code, person } of all) insert.run(digestOf(code), person, Date.now());
  },
  (all) => {
    for (const { code, asked, response } of all) {
      const answer = new URLSearchParams({ code, state: asked.get("state") ?? "" });
      response.writeHead(302, { location: `${asked.get("redirect_uri")}?${answer}` }).end();
    }
  },
);

const server = createServer((request, response) => {
  const asked = new URLSearchParams(request.url?.split("?")[1]);
  const secret = request.headers.cookie?.slice("session=".length) ?? "";
  const code = randomBytes(32).toString("base64url");
  issue({ person: find.get(digestOf(secret))?.person, code, asked, response });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
