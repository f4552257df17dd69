import { runtimeMigrations } from "#runtime/changes/migrations.ts";
import { runtimeUpkeep } from "#runtime/changes/sweep-loop.ts";
import type { MigrationSet } from "#runtime/database/migrations.ts";
import type { TableUpkeep } from "#runtime/database/sweeping.ts";
import { erasureMigrations } from "#runtime/erasure/erasures.ts";
import type { SealedColumn } from "#runtime/sealing/purposes.ts";
import { sealedProof } from "#runtime/upkeep/store-proof.ts";
import type { Config } from "../config.ts";
import { sealedPrivateKeys, signOnMigrations, signOnUpkeep } from "../sign-on/services.ts";
import { sealedOfSubscriptions, webhooksMigrations, webhooksUpkeep } from "../webhooks/services.ts";
import { workforceMigrations, workforceUpkeep } from "../workforce/services.ts";

/** Every owner's migrations, runtime first; there are no foreign keys between owners, so the rest has no order. */
export const migrations: readonly MigrationSet[] = [
  runtimeMigrations,
  erasureMigrations,
  workforceMigrations,
  signOnMigrations,
  webhooksMigrations,
];

/** What becomes of the rows of every table (R-X249). */
export const tableUpkeep = (
  config: Pick<Config, "audit-kept-days" | "webhook-body-days" | "webhook-delivery-days">,
): readonly TableUpkeep[] => [
  ...runtimeUpkeep(config["audit-kept-days"]),
  ...workforceUpkeep,
  ...signOnUpkeep,
  ...webhooksUpkeep(config),
];

/** Where every owner stores what a master key seals (R-X353). */
export const SEALED: readonly SealedColumn[] = [sealedProof, sealedPrivateKeys, ...sealedOfSubscriptions];

/** Actions that ended or replaced something which a restore makes good again, and which the platform does not send again. */
export const REPEATED_BY_HAND: readonly string[] = [
  "apiKey.revoke",
  "application.delete",
  "application.disable",
  "application.endPreviousSecret",
  "application.removeRedirectUri",
  "application.rotateSecret",
  "application.update",
  "instanceIntegration.revoke",
  "instanceIntegration.unconfigure",
  "password.set",
  "person.disable",
  "signingKey.revoke",
  "subscription.delete",
  "subscription.disable",
  "subscription.pause",
  "subscription.revokeSecret",
  "subscription.rotateSecret",
  "subscription.update",
  "user.disable",
];
