import type { Migration } from "#runtime/database/migrations.ts";

export const signInsById: Migration = {
  number: 13,
  name: "sign-ins are swept by their id, which is in the order of time: no index by time",
  statements: () => ["drop index sign_on_sign_ins_age"],
};
