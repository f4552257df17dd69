import { createHash, timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import pg from "pg";

/**
 * Floor of a read on PostgreSQL: a hand-written handler for this one address. Fastify, pg with named statements, one
 * query for key, connection and tenant, one for the rows; an entity tag. No contract, no roles, no log, no metrics.
 * Argument: the store's URL.
 */
pg.types.setTypeParser(20, Number);
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
const app = Fastify();

const REACH = `select key.digest, key.revoked_at, key.expires_at, connection.configured, tenant.revision
  from workforce_api_keys key
  join workforce_instance_integrations connection on connection.integration_id = key.integration_id and connection.id = $2
  join workforce_tenants tenant on tenant.instance_id = connection.instance_id and tenant.id = $3
  where key.look_up = $1`;
const WORKERS = `select worker.id, person.first_name, person.last_name, person.email, worker.job_titles, worker.phone, worker.address1,
    worker.address2, worker.city, worker.iso_country_code, worker.postal_code, worker.zone_code
  from workforce_workers worker join workforce_people person on person.id = worker.person_id
  where worker.tenant_id = $1 and worker.ended_at is null order by worker.created_at, worker.id`;

app.get<{ Params: { connectionId: string; clientId: string } }>(
  "/v1/instance-integrations/:connectionId/clients/:clientId/workers",
  async (request, reply) => {
    const key = String(request.headers["x-api-key"]);
    const { connectionId, clientId } = request.params;
    const [reach] = (
      await pool.query({ name: "reach", text: REACH, values: [key.slice(4, 16), connectionId, clientId] })
    ).rows as { digest: Buffer; revoked_at: number | null; configured: number; revision: number }[];
    const digest = createHash("sha256").update(key).digest();
    if (reach === undefined || reach.revoked_at !== null || !timingSafeEqual(reach.digest, digest))
      return reply.code(401).send({ code: "unauthorized" });
    const { rows } = await pool.query({ name: "workers", text: WORKERS, values: [clientId] });
    const body = (rows as Record<string, string>[]).map((row) => ({
      id: row.id,
      firstName: row.first_name,
      lastName: row.last_name,
      fullName: `${row.first_name} ${row.last_name}`,
      email: row.email,
      jobTitles: JSON.parse(row.job_titles ?? "[]") as string[],
      phone: row.phone,
      location: {
        address1: row.address1,
        address2: row.address2,
        city: row.city,
        isoCountryCode: row.iso_country_code,
        postalCode: row.postal_code,
        zoneCode: row.zone_code,
      },
    }));
    const tag = createHash("sha256").update(`${key} ${request.url} ${reach.revision}`).digest("base64url");
    return reply.header("etag", `"${tag}"`).send(body);
  },
);

await app.listen({ host: "127.0.0.1", port: 0 });
console.log((app.server.address() as AddressInfo).port);
process.on("SIGTERM", () => process.exit(0));
