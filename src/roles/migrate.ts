import { runtimeMigrations } from "#runtime/changes/migrations.ts";
import type { MigrationSet } from "#runtime/database/migrations.ts";
import { signOnMigrations } from "../sign-on/services.ts";
import { webhooksMigrations } from "../webhooks/services.ts";
import { workforceMigrations } from "../workforce/services.ts";

/** Every owner's migrations, runtime first; there are no foreign keys between owners, so the rest has no order. */
export const migrations: readonly MigrationSet[] = [
  runtimeMigrations,
  workforceMigrations,
  signOnMigrations,
  webhooksMigrations,
];
