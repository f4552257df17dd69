import { createHmac, randomUUID } from "node:crypto";
import { join } from "node:path";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { Pool } from "undici";
import {
  type CreateTenantRequest,
  type CreateTenantResponse,
  PlatformService,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { openFloorStore, sharing } from "../support/floor-store.ts";

/**
 * Floor of an event and its deliveries, from the platform's call to the recorded outcomes: a gRPC call that is answered after a
 * durable commit of tenant, audit entry and outbox entry, in which the deliveries of the entry are made and claimed too; sign
 * and POST; a commit of the outcomes. What comes within one turn of the event loop shares its commit. No checks, no roles, no
 * schedule, one index a question. Usage: node bench/floors/event-floor.ts <origin of the endpoint> <receivers of an event>; prints the
 * path of its socket.
 */
const [origin = "", receivers = "1"] = process.argv.slice(2);
const paths = Array.from({ length: Number(receivers) }, (_, index) => `/${index}`);
const { db, directory } = openFloorStore();
db.exec(`
  create table tenants (id text primary key, instance text, name text, at integer) strict;
  create table audit (number integer primary key, at integer, actor text, action text, object text) strict;
  create table outbox (number integer primary key, event text, body text) strict;
  create table queue (number integer primary key, event text, path text, body text, due_at integer, lease_until integer) strict;
  create index queue_due on queue (due_at) where due_at is not null;
  create table settled (number integer primary key, event text, path text, body text, made text, at integer) strict;
  create index settled_by_event on settled (event);
`);
const insertTenant = db.prepare("insert into tenants values (?, ?, ?, ?)");
const insertAudit = db.prepare("insert into audit (at, actor, action, object) values (?, ?, ?, ?)");
const insertOutbox = db.prepare("insert into outbox (event, body) values (?, ?)");
const take = db.prepare<[], Entry>("delete from outbox returning event, body");
const insertQueue = db.prepare("insert into queue (event, path, body, due_at) values (?, ?, ?, ?)");
const claim = db.prepare<[number], Claimed>(
  "update queue set due_at = null, lease_until = ? where due_at is not null returning number, event, path, body",
);
const leave = db.prepare("delete from queue where number = ?");
const settle = db.prepare("insert into settled (event, path, body, made, at) values (?, ?, ?, ?, ?)");

interface Entry {
  readonly event: string;
  readonly body: string;
}

interface Claimed extends Entry {
  readonly number: number;
  readonly path: string;
}

interface Change {
  readonly request: CreateTenantRequest;
  readonly id: string;
  readonly answer: sendUnaryData<CreateTenantResponse>;
}

let claimed: readonly Claimed[] = [];
const change = sharing<Change>(
  db,
  (changes) => {
    for (const { request, id } of changes) {
      const at = Date.now();
      insertTenant.run(id, request.instanceId, request.name, at);
      insertAudit.run(at, "platform", "tenant.create", id);
      const data = { clientId: id, name: request.name, address: null };
      const event = { id: randomUUID(), type: "client.created", timestamp: new Date(at).toISOString(), data };
      insertOutbox.run(event.id, JSON.stringify(event));
    }
    for (const { event, body } of take.all()) for (const path of paths) insertQueue.run(event, path, body, Date.now());
    claimed = claim.all(Date.now() + 30_000);
  },
  (changes) => {
    for (const { request, id, answer } of changes) {
      const tenant = { id, instanceId: request.instanceId, name: request.name, address: null, createdAt: new Date() };
      answer(null, { tenant });
    }
    for (const one of claimed) void post(one).then(() => outcome(one));
  },
);
const outcome = sharing<Claimed>(
  db,
  (ended) => {
    for (const { number, event, path, body } of ended) {
      leave.run(number);
      settle.run(event, path, body, '[{"outcome":"acknowledged","status":204}]', Date.now());
    }
  },
  () => undefined,
);

const pool = new Pool(origin, { connections: 16 });
async function post({ event, path, body }: Claimed): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", "a secret of the floor")
    .update(`${event}.${timestamp}.${body}`)
    .digest("base64");
  const headers = {
    "content-type": "application/json",
    "webhook-id": event,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  const answer = await pool.request({ method: "POST", path, headers, body });
  await answer.body.dump();
  if (answer.statusCode !== 204) throw new Error(`The endpoint answered ${answer.statusCode}.`);
}

const server = new Server();
server.addService(PlatformService, {
  createTenant({ request }: ServerUnaryCall<CreateTenantRequest, CreateTenantResponse>, answer: Change["answer"]) {
    change({ request, id: randomUUID(), answer });
  },
});
const socket = join(directory, "floor.sock");
server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), () => console.log(socket));
