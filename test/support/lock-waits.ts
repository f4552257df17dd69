/**
 * A row for each lock that a connection to the same database waits for. Suites share a server, and have a database each; of a row's lock
 * PostgreSQL names no database, so that of the connection counts.
 */
export const LOCK_WAITS =
  "select 1 from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted";
