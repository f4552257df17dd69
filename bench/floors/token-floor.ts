import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openFloorStore } from "../support/floor-store.ts";

/**
 * Floor of a token request: read a form, one durable commit, one ES256 signature and for a code one RS256 signature too, write JSON. No
 * checks at all. Usage: node bench/floors/token-floor.ts code|refresh
 */
const withIdToken = process.argv[2] === "code";
const { db } = openFloorStore();
db.exec("create table codes (code text primary key, at integer) strict");
const insert = db.prepare("insert into codes values (?, ?)");
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const ec = Object.assign(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey, {
  dsaEncoding: "ieee-p1363" as const,
});
const claims = Buffer.alloc(500, "c").toString("base64url");

let number = 0;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    new URLSearchParams(Buffer.concat(chunks).toString());
    insert.run(`code ${number++}`, Date.now());
    const idToken = withIdToken && `${claims}.${sign("sha256", Buffer.from(claims), rsa).toString("base64url")}`;
    const accessToken = `${claims}.${sign("sha256", Buffer.from(claims), ec).toString("base64url")}`;
    const body = JSON.stringify({ ...(withIdToken && { idToken }), accessToken });
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
