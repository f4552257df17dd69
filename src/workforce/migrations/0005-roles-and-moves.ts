import type { Migration } from "#runtime/database/migrations.ts";

/** What access roles permit, and which ways a user's status never goes (R-G17). */
export const rolesAndMoves: Migration = {
  number: 5,
  name: "roles and moves",
  statements: ({ guard }) => [
    "alter table workforce_access_roles add column permissions text not null default '[]'",
    // Who else has a role decides whether it is edited for one user (R-E3).
    "create index workforce_users_role on workforce_users (tenant_id, access_role_id) where access_role_id is not null",
    // The platform may list deleted users too.
    "create index workforce_users_all_age on workforce_users (tenant_id, created_at, id)",
    ...guard({
      name: "workforce_users_move",
      table: "workforce_users",
      columns: ["status"],
      refuses: `new.status <> old.status and new.status <> 'DELETED' and not (
        (old.status in ('INVITED', 'INACTIVE') and new.status = 'ACTIVE') or (old.status = 'ACTIVE' and new.status = 'INACTIVE')
      )`,
    }),
    // A seat stays one person's, in one tenant.
    ...guard({
      name: "workforce_users_seat_stays",
      table: "workforce_users",
      columns: ["tenant_id", "person_id"],
      refuses: "new.tenant_id <> old.tenant_id or new.person_id <> old.person_id",
    }),
  ],
};
