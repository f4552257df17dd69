import type { Migration } from "#runtime/database/migrations.ts";

export const deletedApplications: Migration = {
  number: 11,
  name: "applications that are deleted; consents by application, so that those can be removed",
  statements: ({ instant }) => [
    `alter table sign_on_applications add column deleted_at ${instant}`,
    "create index sign_on_consents_application on sign_on_consents (application_id)",
  ],
};
