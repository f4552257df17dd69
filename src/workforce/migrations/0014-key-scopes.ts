import type { Migration } from "#runtime/database/migrations.ts";

/**
 * What an API key may be used for (R-X295). Earlier keys, and those that an earlier program issues beside this one,
 * read.
 */
export const keyScopes: Migration = {
  number: 14,
  name: "scopes of api keys",
  statements: () => [`alter table workforce_api_keys add column scopes text not null default '["read"]'`],
};
