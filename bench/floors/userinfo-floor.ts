import { generateKeyPairSync, hash, sign, verify } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openFloorStore } from "../support/floor-store.ts";

/**
 * Floor of userinfo: find the token by its digest, or verify its ES256 signature, read its family and its person by primary
 * key, write JSON. No checks at all. Usage: node bench/floors/userinfo-floor.ts [verified]
 */
const verified = process.argv[2] === "verified";
const { db } = openFloorStore();
db.exec("create table families (number integer primary key, person text, application text, ends_at integer) strict");
db.exec("create table people (id text primary key, email text, name text) strict");
db.prepare("insert into families values (?, ?, ?, ?)").run(7, "person", "application", Date.now());
db.prepare("insert into people values (?, ?, ?)").run("person", "maren.dahl@harbour.example", "Maren Dahl");
const family = db.prepare<[number], { readonly person: string; readonly application: string }>(
  "select person, application, ends_at from families where number = ?",
);
const person = db.prepare<[string], object>("select id as sub, email, name from people where id = ?");

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const content = Buffer.from(Buffer.alloc(400, "c").toString("base64url"));
const signature = sign("sha256", content, { key: privateKey, dsaEncoding: "ieee-p1363" });
const token = `${content}.${signature.toString("base64url")}`;
const remembered = new Map([[hash("sha256", token, "base64"), 7]]);

function numberOf(presented: string): number {
  if (!verified) return remembered.get(hash("sha256", presented, "base64")) ?? 0;
  const [signed = "", bytes = ""] = presented.split(".");
  const right = verify(
    "sha256",
    Buffer.from(signed),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(bytes, "base64url"),
  );
  return right ? 7 : 0;
}

const claimsOf = db.transaction((number: number) => {
  const found = family.get(number);
  return { aud: found?.application, ...person.get(found?.person ?? "") };
});

const server = createServer(({ headers }, response) => {
  // The bench sends a text as long as a token. The one that was made here stands for it, since its key is known.
  if (headers.authorization?.startsWith("Bearer ") !== true) return response.writeHead(401).end();
  const body = JSON.stringify(claimsOf(numberOf(token)));
  return response.writeHead(200, { "content-type": "application/json" }).end(body);
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
