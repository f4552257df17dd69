import { readFileSync } from "node:fs";
import { tableUpkeep } from "../../../src/roles/owners.ts";

/** Which file takes an erased person, seat or company out of each table that says something about one. */
const ERASED_BY: Readonly<Record<string, readonly string[]>> = {
  "src/workforce/erasure/erasing-repository.ts": [
    "workforce_access_roles",
    "workforce_import_bad_lines",
    "workforce_last_login_contexts",
    "workforce_locations",
    "workforce_people",
    "workforce_tenants",
    "workforce_unit_types",
    "workforce_units",
    "workforce_users",
    "workforce_worker_units",
    "workforce_workers",
  ],
  "src/sign-on/erasure/person-eraser.ts": [
    "sign_on_consents",
    "sign_on_credentials",
    "sign_on_interactions",
    "sign_on_password_links",
    "sign_on_sessions",
    "sign_on_sign_ins",
  ],
  "src/webhooks/deliveries/body-eraser.ts": [
    "webhooks_deliveries",
    "webhooks_delivery_bodies",
    "webhooks_queue",
    "webhooks_settled",
  ],
  "src/runtime/outbox/outbox-eraser.ts": ["outbox_entries"],
  "src/runtime/changes/answers-eraser.ts": ["change_requests"],
};

/** What an erasure leaves as it is, by the reason. docs/operations/personal-data.md says so to operators. */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  "ids and times of what ended": [
    "sign_on_authorization_codes",
    "sign_on_families",
    "sign_on_refresh_tokens",
    "sign_on_revoked_access_tokens",
    "sign_on_token_families",
  ],
  "ids, and the state that an application sent, for two hours": ["sign_on_logouts"],
  "keyed digests, which expire with their wait": ["sign_on_throttles"],
  "ids and checks; the redirect URI, or another value that was refused, for two weeks": ["sign_on_refusals"],
  "who did what to which id": ["audit_entries", "erasures"],
  "ids, numbers and times": [
    "webhooks_connections",
    "webhooks_events",
    "webhooks_failing_runs",
    "webhooks_feed",
    "webhooks_recoveries",
    "webhooks_recovery_deliveries",
    "workforce_gateway_refusals",
    "workforce_imports",
    "workforce_rate_buckets",
  ],
  "moved to other tables before the eraser of bodies begins": ["webhooks_attempts", "webhooks_bodies"],
  "integrators and operators: software, its addresses and secrets": [
    "sign_on_applications",
    "sign_on_redirect_uris",
    "webhooks_signing_secrets",
    "webhooks_subscriptions",
    "workforce_api_keys",
    "workforce_instance_integrations",
    "workforce_instances",
    "workforce_integrations",
  ],
  "the store and its keys": [
    "migration_ledger",
    "sign_on_signing_keys",
    "store_identities",
    "store_probes",
    "store_sizes",
  ],
};

const KEPT = { "audit-kept-days": 400, "webhook-body-days": 30, "webhook-delivery-days": 90 };

it("every table is erased by a file, or has a reason why an erasure leaves it (R-X260)", () => {
  const named = [...Object.values(ERASED_BY), ...Object.values(LEFT)].flat();
  expect(
    tableUpkeep(KEPT)
      .map(({ table }) => table)
      .toSorted(),
  ).toEqual(named.toSorted());
});

it.each(Object.entries(ERASED_BY))("%s names each of its tables (R-X260)", (file, tables) => {
  const code = readFileSync(file, "utf8");
  expect(tables.filter((table) => !new RegExp(`\\b${table}\\b`).test(code))).toEqual([]);
});
