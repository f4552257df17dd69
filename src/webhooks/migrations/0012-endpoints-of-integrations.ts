import type { Migration } from "#runtime/database/migrations.ts";

export const endpointsOfIntegrations: Migration = {
  number: 12,
  name: "endpoints that integrations have chosen",
  statements: ({ integer }) => [
    // 1 where an integration chose the endpoint, so that it may be no other integration's; 0 where an operator did.
    `alter table webhooks_subscriptions add column endpoint_by_integration ${integer} not null default 0`,
  ],
};
