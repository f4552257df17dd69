import type { Command } from "commander";
import type { PostalAddress } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { FieldFlags } from "../../output/failed-call.ts";

export interface AddressOptions {
  readonly address1?: string;
  readonly address2?: string;
  readonly postalCode?: string;
  readonly city?: string;
  readonly zone?: string;
  readonly country?: string;
}

export const ADDRESS_FIELDS: FieldFlags = {
  "address.address1": "--address1",
  "address.address2": "--address2",
  "address.postal_code": "--postal-code",
  "address.city": "--city",
  "address.zone_code": "--zone",
  "address.iso_country_code": "--country",
};

/** The flags of a postal address, all of them optional. */
export const addAddressOptions = (command: Command): Command =>
  command
    .optionsGroup("Postal address:")
    .option("--address1 <text>", "street and number")
    .option("--address2 <text>", "second line")
    .option("--postal-code <text>", "postal code")
    .option("--city <text>", "city")
    .option("--zone <code>", "state or province")
    .option("--country <code>", "two letters, ISO 3166-1 alpha-2")
    .optionsGroup("Options:");

export const addressOf = (options: AddressOptions): PostalAddress => ({
  address1: options.address1 ?? null,
  address2: options.address2 ?? null,
  postalCode: options.postalCode ?? null,
  city: options.city ?? null,
  zoneCode: options.zone ?? null,
  isoCountryCode: options.country ?? null,
});

/** The flags' values by the field names of an update; `undefined` without the flag. */
export const addressFieldsOf = (options: AddressOptions) => ({
  "address.address1": options.address1,
  "address.address2": options.address2,
  "address.postal_code": options.postalCode,
  "address.city": options.city,
  "address.zone_code": options.zone,
  "address.iso_country_code": options.country,
});

export const toAddressJson = (address: PostalAddress | null | undefined) => ({
  address1: address?.address1 ?? null,
  address2: address?.address2 ?? null,
  postalCode: address?.postalCode ?? null,
  city: address?.city ?? null,
  zoneCode: address?.zoneCode ?? null,
  isoCountryCode: address?.isoCountryCode ?? null,
});

/** The address on one line: `Quay Street 14, 3011 AB Rotterdam, NL`; null when nothing is known. */
export function toShownAddress(address: PostalAddress | null | undefined): string | null {
  const { address1, address2, postalCode, city, zoneCode, isoCountryCode } = toAddressJson(address);
  const place = [postalCode, city, zoneCode].filter(isPresent).join(" ");
  const line = [address1, address2, place, isoCountryCode].filter(isPresent).join(", ");
  return line === "" ? null : line;
}

const isPresent = (part: string | null): part is string => part !== null && part !== "";
