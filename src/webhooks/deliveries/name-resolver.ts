import { lookup, Resolver } from "node:dns/promises";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name; throws when there is none. */
export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>;

const QUERY_MS = 1_500;
const TRIES = 2;
/** The answers after which the machine's own host file may still know the name. */
const UNKNOWN: readonly unknown[] = ["ENOTFOUND", "ENODATA", "ECONNREFUSED"];

/**
 * Asks the DNS for both families. Not by getaddrinfo, whose threads are shared with password hashing: names that answer slowly would hold
 * them all. What the DNS does not know is looked up there after all, for the host file's sake.
 * @throws Error with the resolver's code when nothing is found.
 */
export function systemResolve(): Resolve {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES });
  return async (name) => {
    if (/(^|\.)localhost\.?$/i.test(name)) return lookup(name, { all: true });
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    const { code } = (four as PromiseRejectedResult).reason as NodeJS.ErrnoException;
    if (UNKNOWN.includes(code)) return lookup(name, { all: true });
    throw (four as PromiseRejectedResult).reason;
  };
}
