import type { Migration } from "#runtime/database/migrations.ts";

export const orderByTheStore: Migration = {
  number: 4,
  name: "where in the outbox a subscription begins",
  statements: ({ long }) => [
    // 0 for those that exist: what waits in the outbox by then is sent to them too.
    `alter table webhooks_subscriptions add column events_after ${long} not null default 0`,
  ],
};
