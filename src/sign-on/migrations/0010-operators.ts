import type { Migration } from "#runtime/database/migrations.ts";

export const operators: Migration = {
  number: 10,
  name: "applications: what their disabling voids; refusals that operators can explain",
  statements: ({ instant, strict }) => [
    `alter table sign_on_applications add column issues_void_until ${instant}`,
    "create index sign_on_applications_age on sign_on_applications (created_at, id)",
    `create table sign_on_refusals (
      request_id text primary key,
      refused_at ${instant} not null,
      operation text not null,
      check_name text not null,
      error text not null,
      sentence text not null,
      application_id text,
      parameters text not null,
      redirect_uri text
    ) ${strict}`,
    "create index sign_on_refusals_age on sign_on_refusals (refused_at)",
  ],
};
