import type { Migration } from "#runtime/database/migrations.ts";

export const previousSecretsInUse: Migration = {
  number: 16,
  name: "applications: when the previous secret was accepted last",
  statements: ({ instant }) => [`alter table sign_on_applications add column previous_secret_used_at ${instant}`],
};
