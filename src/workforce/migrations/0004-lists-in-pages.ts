import type { Migration } from "#runtime/database/migrations.ts";

/** Users of a tenant in the order in which they are listed, page by page (R-G9). Workers have such an index already. */
export const listsInPages: Migration = {
  number: 4,
  name: "lists in pages",
  statements: () => [
    "create index workforce_users_age on workforce_users (tenant_id, created_at, id) where status <> 'DELETED'",
  ],
};
