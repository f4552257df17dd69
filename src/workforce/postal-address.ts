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

interface AddressRow {
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

export const toPostalAddress = (row: AddressRow): PostalAddress => ({
  address1: row.address1,
  address2: row.address2,
  city: row.city,
  isoCountryCode: row.iso_country_code,
  postalCode: row.postal_code,
  zoneCode: row.zone_code,
});
