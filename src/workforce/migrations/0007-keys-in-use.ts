import type { Migration } from "#runtime/database/migrations.ts";

/** What becomes of API keys in use: limits of their own, last uses, and the budgets that several processes share (R-G12). */
export const keysInUse: Migration = {
  number: 7,
  name: "keys in use",
  statements: ({ instant, integer, unlogged, strict }) => [
    `alter table workforce_api_keys add column rate_per_second ${integer}`,
    `alter table workforce_api_keys add column rate_burst ${integer} check ((rate_burst is null) = (rate_per_second is null))`,
    `alter table workforce_api_keys add column last_used_at ${instant}`,
    // Empty where one process has all budgets in its memory. After a crash every bucket is full, as after a restart of such a process.
    `create ${unlogged} table workforce_rate_buckets (
      api_key_id text primary key references workforce_api_keys (id),
      drawn ${instant} not null,
      refilled_at ${instant} not null,
      granted ${integer} not null
    ) ${strict}`,
  ],
};
