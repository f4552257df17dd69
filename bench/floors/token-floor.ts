import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openFloorStore, sharing } from "../support/floor-store.ts";

/**
 * Floor of a token request: read a form, one durable commit, which those of one turn share, one ES256 signature and for a code one RS256
 * signature too, write JSON. No checks at all. Usage: node bench/floors/token-floor.ts code|refresh
 */
const withIdToken = process.argv[2] === "code";
const { db } = openFloorStore();
db.exec("create table codes (code text primary key, at integer) strict");
const insert = db.prepare("insert into codes values (?, ?)");
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const claims = Buffer.alloc(500, "c").toString("base64url");
const jwtOf = (key: KeyObject): string => `${claims}.${sign("sha256", Buffer.from(claims), key).toString("base64url")}`;

let number = 0;
const redeem = sharing<ServerResponse>(
  db,
  (all) => {
    for (const _ of all) insert.run(`code ${number++}`, Date.now());
  },
  (all) => {
    for (const response of all) {
      const body = JSON.stringify({ ...(withIdToken && { idToken: jwtOf(rsa) }), accessToken: jwtOf(ec) });
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    }
  },
);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    new URLSearchParams(Buffer.concat(chunks).toString());
    redeem(response);
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
