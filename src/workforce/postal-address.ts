/** A postal address, each part of which may be unknown; on the wire `location` (REST) or `address` (events). */
export interface PostalAddress {
  readonly address1: string | null;
  readonly address2: string | null;
  readonly city: string | null;
  /** ISO 3166-1 alpha-2, in capitals. */
  readonly isoCountryCode: string | null;
  readonly postalCode: string | null;
  /** State or province. */
  readonly zoneCode: string | null;
}

/** The same in the words of the tables that have one. */
export interface AddressColumns {
  readonly address1: string | null;
  readonly address2: string | null;
  readonly city: string | null;
  readonly iso_country_code: string | null;
  readonly postal_code: string | null;
  readonly zone_code: string | null;
}

export const toAddressRow = ({ address1, address2, city, isoCountryCode, postalCode, zoneCode }: PostalAddress) => ({
  address1,
  address2,
  city,
  iso_country_code: isoCountryCode,
  postal_code: postalCode,
  zone_code: zoneCode,
});

export const toPostalAddress = (row: AddressColumns): PostalAddress => ({
  address1: row.address1,
  address2: row.address2,
  city: row.city,
  isoCountryCode: row.iso_country_code,
  postalCode: row.postal_code,
  zoneCode: row.zone_code,
});

/** What an update may name of an address: the whole, or single parts. */
export const ADDRESS_PATHS = [
  "address",
  "address.address1",
  "address.address2",
  "address.city",
  "address.iso_country_code",
  "address.postal_code",
  "address.zone_code",
] as const;

type AddressPath = (typeof ADDRESS_PATHS)[number];

export const NO_ADDRESS: PostalAddress = {
  address1: null,
  address2: null,
  city: null,
  isoCountryCode: null,
  postalCode: null,
  zoneCode: null,
};

/** Any address; parts may also be left out. */
type GivenAddress = { readonly [K in keyof PostalAddress]?: PostalAddress[K] | undefined };

/** What an update that names `mask` gives of an address; the rest of it is not looked at. */
export function namedParts(given: GivenAddress | null, mask: ReadonlySet<string>): PostalAddress {
  const { address1 = null, address2 = null, city = null, isoCountryCode = null } = given ?? {};
  const { postalCode = null, zoneCode = null } = given ?? {};
  return addressAfter(NO_ADDRESS, { address1, address2, city, isoCountryCode, postalCode, zoneCode }, mask);
}

/** The address after an update that names `mask`. */
export function addressAfter(before: PostalAddress, given: PostalAddress, mask: ReadonlySet<string>): PostalAddress {
  const names = (path: AddressPath) => mask.has("address") || mask.has(path);
  return {
    address1: names("address.address1") ? given.address1 : before.address1,
    address2: names("address.address2") ? given.address2 : before.address2,
    city: names("address.city") ? given.city : before.city,
    isoCountryCode: names("address.iso_country_code") ? given.isoCountryCode : before.isoCountryCode,
    postalCode: names("address.postal_code") ? given.postalCode : before.postalCode,
    zoneCode: names("address.zone_code") ? given.zoneCode : before.zoneCode,
  };
}
