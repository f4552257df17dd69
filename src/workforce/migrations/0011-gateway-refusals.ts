import type { Migration } from "#runtime/database/migrations.ts";

/** Refused requests of the gateway, as operators have them explained (R-X199). */
export const gatewayRefusals: Migration = {
  number: 11,
  name: "refused requests of the gateway that operators can explain",
  statements: ({ instant, strict }) => [
    `create table workforce_gateway_refusals (
      request_id text primary key,
      refused_at ${instant} not null,
      operation text not null,
      check_name text not null,
      api_key_id text,
      ids text not null
    ) ${strict}`,
    "create index workforce_gateway_refusals_age on workforce_gateway_refusals (refused_at)",
  ],
};
