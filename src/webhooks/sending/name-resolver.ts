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
/** What is no answer of a resolver, or one that says that it has lost its own. */
const NO_ANSWER: readonly unknown[] = ["ECONNREFUSED", "ETIMEOUT", "ESERVFAIL", "ECANCELLED", "EOF", "EFILE", "ENOMEM"];

/** The one question whether a resolver answers at all, which it has the answer to at hand. */
const PROBE = { timeout: 1_000, tries: 1 };

/** The machine's resolvers, unless others are given as `address:port`. */
function resolverOf(servers: readonly string[] | undefined, options = { timeout: QUERY_MS, tries: TRIES }): Resolver {
  const resolver = new Resolver(options);
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}

/**
 * Asks the DNS for both families. Not by getaddrinfo, whose threads are shared with password hashing: slow names would
 * occupy them all. What the DNS does not know is looked up there after all, for the host file's sake.
 * @throws Error with the DNS's code when nothing is found.
 */
export function systemResolve(servers?: readonly string[]): Resolve {
  const resolver = resolverOf(servers);
  return async (name) => {
    if (/(^|\.)localhost\.?$/i.test(name)) return lookup(name, { all: true });
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    const reason = weightiest((four as PromiseRejectedResult).reason, (six as PromiseRejectedResult).reason);
    if (!UNKNOWN.includes(reason.code)) throw reason;
    return lookup(name, { all: true }).catch(() => {
      throw reason;
    });
  };
}

/**
 * The failure that decides: an unknown name is unknown to both families, a failed question outweighs an empty answer.
 */
function weightiest(four: NodeJS.ErrnoException, six: NodeJS.ErrnoException): NodeJS.ErrnoException {
  const both = [four, six];
  return both.find(({ code }) => code === "ENOTFOUND") ?? both.find(({ code }) => code !== "ENODATA") ?? four;
}

/**
 * Whether a resolver answers at all: asks it for the root, which every one that works knows. Askers at one moment share
 * the question.
 */
export function resolverAnswers(servers?: readonly string[]): () => Promise<boolean> {
  const resolver = resolverOf(servers, PROBE);
  let asking: Promise<boolean> | undefined;
  const ask = () =>
    resolver
      .resolveNs(".")
      .then(
        () => true,
        ({ code }: NodeJS.ErrnoException) => !NO_ANSWER.includes(code),
      )
      .finally(() => {
        asking = undefined;
      });
  return () => {
    asking ??= ask();
    return asking;
  };
}
