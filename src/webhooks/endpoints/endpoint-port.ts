import { isPort, urlPort } from "#runtime/basis/url-port.ts";

/** Ports from `first` to `last`, both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

const FIRST_UNPRIVILEGED = 1_024;

/**
 * Ports from 1024 on that belong to services which take a POST for something else, or must not be spoken to from a
 * server: those that browsers refuse (Fetch Standard §2.9), databases, queues, remote control of containers and
 * machines.
 */
const OF_OTHER_SERVICES: ReadonlySet<number> = new Set([
  // Browsers' list.
  ...[
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
  ],
  // Databases, caches, search.
  ...[1433, 1521, 3306, 5432, 5984, 6379, 6380, 7000, 7001, 9042, 9200, 9300, 11_211, 27_017, 27_018, 27_019],
  // Queues and coordination.
  ...[1883, 2181, 2379, 2380, 4222, 5672, 9092, 61_613, 61_616],
  // Remote control.
  ...[2375, 2376, 3389, 5900, 5985, 5986, 10_250, 10_255],
]);

/** `443`, `8000-8999`; `undefined` for anything else. */
export function parsePortRange(text: string): PortRange | undefined {
  const [, from, to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const range = { first: Number(from), last: Number(to) };
  return [from, to].every((port = "") => isPort(port)) && range.first <= range.last ? range : undefined;
}

/** The inverse of `parsePortRange`. */
export const writtenPortRange = ({ first, last }: PortRange): string =>
  first === last ? `${first}` : `${first}-${last}`;

/**
 * Why an endpoint may not have the port, or `undefined` (S44, R-X141). `allowed` is the operator's list; while that is
 * empty: 443, 80 for http, and those from 1024 on that are no other service's.
 */
export function portProblem(url: URL, allowed: readonly PortRange[]): string | undefined {
  const port = urlPort(url);
  if (allowed.length > 0) {
    return allowed.some(({ first, last }) => port >= first && port <= last)
      ? undefined
      : "must have a port that the operator allows";
  }
  const isAllowed =
    port === 443 ||
    (port === 80 && url.protocol === "http:") ||
    (port >= FIRST_UNPRIVILEGED && !OF_OTHER_SERVICES.has(port));
  return isAllowed ? undefined : "must have port 443, or one from 1024 on that is not known for another service";
}
