import type { Migration } from "#runtime/database/migrations.ts";

export const codeExpiry: Migration = {
  number: 2,
  name: "authorization codes that expired unused",
  statements: ({ instant }) => [
    // No check against spent_at: two processes' clocks may differ, and whether a code is good is not this column's business.
    `alter table sign_on_authorization_codes add column expired_at ${instant}`,
    `create index sign_on_authorization_codes_open on sign_on_authorization_codes (expires_at)
      where spent_at is null and expired_at is null`,
    "create index sign_on_authorization_codes_issued on sign_on_authorization_codes (issued_at)",
  ],
};
