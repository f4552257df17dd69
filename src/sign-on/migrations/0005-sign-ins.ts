import type { Migration } from "#runtime/database/migrations.ts";

export const signIns: Migration = {
  number: 5,
  name: "sign-ins of each person; throttles of failed ones",
  statements: ({ sequence, instant, bytes, strict }) => [
    `create table sign_on_sign_ins (
      id ${sequence},
      person_id text not null,
      at ${instant} not null,
      outcome text not null check (outcome in ('succeeded', 'failed')),
      reason text check (reason in ('wrong_password', 'person_disabled')),
      application_id text,
      instance_id text,
      user_agent text,
      network text,
      check ((outcome = 'failed') = (reason is not null))
    ) ${strict}`,
    "create index sign_on_sign_ins_person on sign_on_sign_ins (person_id, outcome, id)",
    "create index sign_on_sign_ins_age on sign_on_sign_ins (at)",
    `create table sign_on_throttles (
      subject ${bytes} primary key,
      clear_at ${instant} not null,
      open_at ${instant} not null
    ) ${strict}`,
    "create index sign_on_throttles_age on sign_on_throttles (clear_at)",
  ],
};
