/** Everything that is sealed under the master key: each value is bound to one row, `purpose/…`, and opens for it alone. */
const SEALED_FOR = {
  signing_key: "the private half of a signing key, in sign_on_signing_keys",
  webhooks_signing_secrets: "a subscription's signing secret, or the seed of its key pair, in the table of that name",
  webhooks_extra_headers: "the headers that a subscription's deliveries have besides ours, in webhooks_subscriptions",
  store_identities: "that the master key is the store's own, in the table of that name",
  webhooks_feed: "a position in a subscription's feed, in the cursors that callers keep; not stored",
  webhooks_lists:
    "a position in an integration's lists of deliveries, events or recoveries, in their cursors; not stored",
  device_proof: "a browser's proof of an earlier sign-in, in its cookie; not stored",
} as const;

/** Everything that is digested under a key of the master key's: texts that could be guessed. */
const DIGESTED_FOR = {
  "throttle/email": "an address whose failures are counted, in sign_on_throttles",
  "throttle/network": "a network whose failures are counted, in the same table",
  "throttle/device": "a device proof whose failures are counted, in the same table",
} as const;

/** Every number that tokens carry, enciphered under a key of the master key's for each kind; none is stored so. */
const ENCIPHERED_FOR = {
  "authorization_code/number": "a token family's number, in its authorization code",
  "refresh_token/number": "the same in its refresh tokens",
  "token_family/id": "the same in its access tokens and in the audit log",
} as const;

/** What a sealed value is bound to, for example `signing_key/es256-…`. A purpose that is not in the list does not compile. */
export type SealedRow = keyof typeof SEALED_FOR | `${keyof typeof SEALED_FOR}/${string}`;

export type DigestPurpose = keyof typeof DIGESTED_FOR;

export type CipherPurpose = keyof typeof ENCIPHERED_FOR;

/** What operators count, of each purpose; `undefined` where nothing is stored. Total: a new purpose says which it is. */
const KIND_OF = {
  signing_key: "signingKeys",
  webhooks_signing_secrets: "signingSecrets",
  webhooks_extra_headers: "extraHeaders",
  store_identities: "storeIdentity",
  webhooks_feed: undefined,
  webhooks_lists: undefined,
  device_proof: undefined,
} as const satisfies Readonly<Record<keyof typeof SEALED_FOR, string | undefined>>;

/** What a stored sealed value is; each kind has one table. */
export type SealedKind = Exclude<(typeof KIND_OF)[keyof typeof KIND_OF], undefined>;

export const SEALED_KINDS: readonly SealedKind[] = Object.values(KIND_OF).filter((kind) => kind !== undefined);

/** Where values of one kind are stored, as the owner of the table says: what is resealed, and counted by master key. */
export interface SealedColumn {
  readonly kind: SealedKind;
  readonly table: string;
  /** Holds sealed values; null or empty where a row has none. */
  readonly column: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** What the value of a row is bound to; `key` has the row's key in the order of the columns. */
  readonly rowOf: (...key: readonly (string | number)[]) => SealedRow;
}
