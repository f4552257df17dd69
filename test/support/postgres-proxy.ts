import { openPostgres, type PostgresStore } from "../../src/runtime/database/postgres/postgres.ts";
import { type FaultProxy, openFaultProxy } from "./fault-proxy.ts";
import type { Closer } from "./scope.ts";

/** A proxy before the tests' PostgreSQL server, and the URL by which a database is reached through it. */
export async function postgresProxy(
  location: string,
  closeLater: (closer: Closer) => void,
): Promise<{ readonly proxy: FaultProxy; readonly proxied: string }> {
  const url = new URL(location);
  const directory = decodeURIComponent(url.hostname);
  const proxy = await openFaultProxy(closeLater, { target: { path: `${directory}/.s.PGSQL.5432` } });
  url.host = `127.0.0.1:${proxy.port}`;
  return { proxy, proxied: url.href };
}

/** The database of another store, reached through a proxy by three connections unless given; closed with the scope. */
export async function openProxied(
  { location }: { readonly location: string },
  closeLater: (closer: Closer) => void,
  { connections = 3 }: { readonly connections?: number } = {},
): Promise<{ readonly proxy: FaultProxy; readonly store: PostgresStore }> {
  const { proxy, proxied } = await postgresProxy(location, closeLater);
  const store = await openPostgres(proxied, { connections });
  closeLater(() => store.close());
  return { proxy, store };
}
