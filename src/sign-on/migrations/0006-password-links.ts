import type { Migration } from "#runtime/database/migrations.ts";

export const passwordLinks: Migration = {
  number: 6,
  name: "links by which people set a password",
  statements: ({ instant, bytes, strict }) => [
    `create table sign_on_password_links (
      digest ${bytes} primary key,
      person_id text not null,
      purpose text not null check (purpose in ('invitation', 'reset')),
      created_at ${instant} not null,
      expires_at ${instant} not null,
      ended_at ${instant},
      ended_because text check (ended_because in ('used', 'withdrawn')),
      check ((ended_at is null) = (ended_because is null))
    ) ${strict}`,
    // At most one open link per person, held by the store.
    "create unique index sign_on_password_links_open on sign_on_password_links (person_id) where ended_at is null",
    "create index sign_on_password_links_expiry on sign_on_password_links (expires_at)",
  ],
};
