import type { Migration } from "#runtime/database/migrations.ts";

export const returnedClaims: Migration = {
  number: 5,
  name: "which claim took a delivery",
  statements: () => ["alter table webhooks_deliveries add column claim text not null default ''"],
};
