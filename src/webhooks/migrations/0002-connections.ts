import type { Migration } from "#runtime/database/migrations.ts";

export const connections: Migration = {
  number: 2,
  name: "where instance integrations stand",
  statements: ({ integer, strict }) => [
    // Only connections whose state workforce has reported; any other is configured, as it was at subscription.
    `create table webhooks_connections (
      instance_integration_id text primary key,
      state text not null check (state in ('configured', 'unconfigured', 'revoked')),
      revision ${integer} not null
    ) ${strict}`,
  ],
};
