import type { Migration } from "#runtime/database/migrations.ts";

/** Numbers of one millisecond; see token-numbers/family-number.ts. */
const PER_MS = 2048;

/**
 * A token family becomes one row from its code to its last refresh token. What lives is copied: families with the
 * refresh token that is good and what the one before it is repeated from, and codes that were not redeemed. The
 * earlier tables remain, with the number of each family, as the way from an old text to its family; they are swept by age,
 * and nothing is written to them any more.
 */
export const oneRowPerFamily: Migration = {
  number: 12,
  name: "token families and their codes: one row each, keyed by a number in the order of time",
  statements: ({ instant, integer, bytes, long, strict, onPostgres }) => [
    `create table sign_on_families (
      number ${long} primary key,
      application_id text not null references sign_on_applications (id),
      redirect_uri text not null,
      instance_id text not null,
      person_id text not null,
      session_digest ${bytes} not null,
      scopes text not null,
      claims text not null,
      nonce text,
      code_challenge text,
      authenticated_at ${instant} not null,
      generation ${integer} not null,
      token_digest ${bytes} not null,
      issued_at ${instant} not null,
      expires_at ${instant} not null,
      redeemed_at ${instant},
      ends_at ${instant},
      replaced_at ${instant},
      successor_salt ${bytes} not null,
      successor_scopes text not null,
      expired_at ${instant},
      revoked_at ${instant},
      revoked_because text,
      check ((generation = 0) = (redeemed_at is null)),
      check ((redeemed_at is null) = (ends_at is null))
    ) ${strict}`,
    "create index sign_on_families_person on sign_on_families (person_id)",
    // Room on each page for the updates of its rows, which then touch no index.
    ...onPostgres("alter table sign_on_families set (fillfactor = 75)"),
    `alter table sign_on_token_families add column number ${long}`,
    `alter table sign_on_authorization_codes add column number ${long}`,
    numbering("sign_on_token_families", "id", "family.revoked_at is null", 0),
    numbering("sign_on_authorization_codes", "digest", "family.spent_at is null and family.expired_at is null", 1),
    `insert into sign_on_families
      select family.number, family.application_id, '', family.instance_id, family.person_id, family.session_digest,
        family.scopes, '{"userinfo":' || family.userinfo_claims || ',"idToken":[]}', null, null,
        family.authenticated_at, 2, token.digest, token.issued_at, token.expires_at, family.issued_at,
        family.expires_at, replaced.rotated_at, coalesce(replaced.successor_salt, token.digest),
        coalesce(replaced.successor_scopes, family.scopes), null, null, null
      from sign_on_token_families as family
      join sign_on_refresh_tokens as token on token.family_id = family.id and token.rotated_at is null
      left join sign_on_refresh_tokens as replaced on replaced.digest = token.predecessor_digest
      where family.number is not null`,
    `insert into sign_on_families
      select number, application_id, redirect_uri, instance_id, person_id, session_digest, scopes, claims, nonce,
        code_challenge, authenticated_at, 0, digest, issued_at, expires_at, null, null, null, digest, scopes, null,
        null, null
      from sign_on_authorization_codes
      where number is not null`,
  ],
};

/** Numbers rows by their time, each one higher than the one before; even numbers for families, odd ones for codes. */
const numbering = (table: string, key: string, which: string, odd: number): string =>
  `with ordered as (
    select family.${key} as id, family.issued_at * ${PER_MS / 2} as earliest,
      row_number() over (order by family.issued_at, family.${key}) as place
    from ${table} as family where ${which}
  ), numbered as (
    select id, (max(earliest - place) over (order by place) + place) * 2 + ${odd} as number from ordered
  )
  update ${table} set number = numbered.number from numbered where numbered.id = ${table}.${key}`;
