/** Where something is; the parts that a country does not have are left out. */
export interface Address {
  readonly address1: string;
  readonly address2?: string;
  readonly postalCode: string;
  readonly city: string;
  readonly zoneCode?: string;
  readonly isoCountryCode: string;
}

/** Name, code and what lies below it, one layer further down. */
export interface Unit {
  readonly name: string;
  readonly code: string;
  readonly description?: string;
  readonly below?: readonly Unit[];
}

/** Given name and family name. The e-mail address follows from them and the company's domain. */
export type Name = readonly [first: string, last: string];

export interface Employee {
  readonly name: Name;
  readonly jobTitles: readonly string[];
  /** Names of units; the first is the primary one. */
  readonly units: readonly string[];
  readonly location?: string;
  /** Street and number, in the company's town unless `home` says more. */
  readonly street?: string;
  readonly home?: Partial<Address>;
  /** The last digits, put behind the company's `phonePrefix`. */
  readonly phone?: string;
  /** Another company's domain, for somebody whose address is there. */
  readonly domain?: string;
}

export type SeatState = "active" | "invited" | "inactive" | "deleted";

export interface Seat {
  readonly name: Name;
  readonly role?: "Owner" | "Admin" | "Member";
  readonly state: SeatState;
  /** Whose invitation it was; that user becomes the manager. Without one, the tenant's oldest active Owner does. */
  readonly invitedBy?: Name;
  readonly domain?: string;
}

export type InstanceKey = "europe" | "north-america";

/** One tenant of the demonstration, with everything that is told of it. */
export interface Company {
  /** Stands in request ids: never changed once released. */
  readonly key: string;
  readonly instance: InstanceKey;
  readonly name: string;
  readonly domain: string;
  readonly address: Address;
  /** Numbers reserved for fiction, so that nobody is called. */
  readonly phonePrefix: string;
  readonly locations: readonly string[];
  /** One per layer, from the top. */
  readonly unitTypes: readonly string[];
  readonly units: readonly Unit[];
  /** Owners first: later seats are managed by them. */
  readonly seats: readonly Seat[];
  readonly employees: readonly Employee[];
}

/** `Zoë`, `Lindqvist-Åberg` → `zoe.lindqvist-aberg@…` */
export function emailOf([first, last]: Name, domain: string): string {
  const plain = `${first}.${last}`
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ø", "o")
    .replaceAll("Ø", "O")
    .replaceAll("ł", "l")
    .replaceAll("Ł", "L")
    .replaceAll("ß", "ss")
    .replaceAll(/[^A-Za-z.-]/g, "");
  return `${plain.toLowerCase()}@${domain}`;
}
