import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { performance } from "node:perf_hooks";
import { inTime, LATE } from "#runtime/basis/in-time.ts";
import { onceMeanwhile } from "#runtime/basis/once-meanwhile.ts";
import { TurnQueue } from "#runtime/basis/turn-queue.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name; throws when there is none. */
export interface Resolve {
  (name: string): Promise<readonly ResolvedAddress[]>;
  /** True while the name waits for other names, and nothing is asked about it. */
  readonly isWaiting?: (name: string) => boolean;
}

/** Other names were looked up for so long that nothing was found out about this one. */
export class NoTurn extends Error {
  override readonly name = "NoTurn";
}

const QUERY_MS = 1_500;
const TRIES = 2;
/** The answers after which the machine itself may still know the name. */
const UNKNOWN: readonly unknown[] = ["ENOTFOUND", "ENODATA", "ECONNREFUSED"];
/** What is no answer of a resolver, or one that says that it has lost its own. */
const NO_ANSWER: readonly unknown[] = ["ECONNREFUSED", "ETIMEOUT", "ESERVFAIL", "ECANCELLED", "EOF", "EFILE", "ENOMEM"];

/** The one question whether a resolver answers at all, which it has the answer to at hand. */
const PROBE = { timeout: 1_000, tries: 1 };

/**
 * How long the second family is waited for once the first one is known: a question that was lost is asked again meanwhile. There are
 * zones that answer one family alone, and leave questions for the other without any answer.
 */
const OTHER_FAMILY_MS = 2_000;

/** How long a name waits for its turn to be looked up by the machine. */
const TURN_WAIT_MS = 2_000;

/**
 * For how long a resolver is asked. It knows the name servers that the machine had when it was made: another network, or
 * a new lease of an address, has others.
 */
const RESOLVER_KEPT_MS = 5_000;

/** How this machine finds names by itself, whatever the DNS knows; other means are for tests. */
interface Machine {
  readonly lookUp: (name: string) => Promise<readonly ResolvedAddress[]>;
  readonly hostFile: string;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

const THIS_MACHINE: Machine = {
  lookUp: (name) => lookup(name, { all: true }),
  hostFile: "/etc/hosts",
  now: () => performance.now(),
};

/** Asks a question, once more when it got no answer and the machine has other name servers by now. */
type AskPresent = <Answer>(
  question: (resolver: Resolver) => Promise<Answer>,
  isAnswered: (answer: Answer) => boolean,
) => Promise<Answer>;

/** Asks the machine's present name servers, unless others are given as `address:port`. */
function presentServers(
  servers: readonly string[] | undefined,
  { now }: Pick<Machine, "now">,
  options = { timeout: QUERY_MS, tries: TRIES },
): AskPresent {
  const make = () => {
    const resolver = new Resolver(options);
    if (servers !== undefined) resolver.setServers(servers);
    return { resolver, madeAt: now() };
  };
  let present = make();
  return async (question, isAnswered) => {
    if (now() - present.madeAt >= RESOLVER_KEPT_MS) present = make();
    const asked = present;
    const answer = await question(asked.resolver);
    if (isAnswered(answer)) return answer;
    present = make();
    const areOthers = String(present.resolver.getServers()) !== String(asked.resolver.getServers());
    return areOthers ? question(present.resolver) : answer;
  };
}

/**
 * Asks the DNS for both families. Not by getaddrinfo, which has two threads for the whole process and keeps one for as
 * long as a name server is silent: slow names of strangers would take both, and look-ups of databases and `localhost`
 * wait behind them. What the DNS does not know may be in the host file, or be found by the machine's other means, such as
 * the search list of its resolver: those are asked for one name at a time (R-X367).
 * @throws Error with the DNS's code when nothing is found; NoTurn when the machine was not asked in time.
 */
export function systemResolve(servers?: readonly string[], machine: Partial<Machine> = {}): Resolve {
  const { lookUp, hostFile, now } = { ...THIS_MACHINE, ...machine };
  const ask = presentServers(servers, { now });
  const inTurn = turns(lookUp);
  const resolve = async (name: string): Promise<readonly ResolvedAddress[]> => {
    if (/(^|\.)localhost\.?$/i.test(name)) return lookUp(name);
    const [four, six] = await ask(
      (resolver) => askFamilies([resolver.resolve4(name), resolver.resolve6(name)]),
      (both) => both.some((one) => one.status === "fulfilled" || !NO_ANSWER.includes(one.reason.code)),
    );
    const found = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    const reason = weightiest((four as PromiseRejectedResult).reason, (six as PromiseRejectedResult).reason);
    if (!UNKNOWN.includes(reason.code)) throw reason;
    const written = writtenFor(name, await readFile(hostFile, "utf8").catch(() => ""));
    if (written.length > 0) return written;
    return inTurn.lookUp(name).catch((error: unknown) => {
      throw error instanceof NoTurn ? error : reason;
    });
  };
  return Object.assign(resolve, { isWaiting: inTurn.isWaiting });
}

/** What both families answer; of one that is late behind the other nothing. */
async function askFamilies(
  asked: readonly [Promise<string[]>, Promise<string[]>],
): Promise<[PromiseSettledResult<string[]>, PromiseSettledResult<string[]>]> {
  await Promise.any(asked).catch(() => undefined);
  const known = async (answer: Promise<string[]>) => {
    const found = await inTime(answer, OTHER_FAMILY_MS);
    return found === LATE ? [] : found;
  };
  return Promise.allSettled([known(asked[0]), known(asked[1])]);
}

/** Looks names up one after another. */
interface Turns {
  /** @throws NoTurn for a name whose turn does not come in time. */
  readonly lookUp: (name: string) => Promise<readonly ResolvedAddress[]>;
  readonly isWaiting: (name: string) => boolean;
}

function turns(lookUp: Machine["lookUp"]): Turns {
  const queue = new TurnQueue();
  const waiting = new Set<string>();
  return {
    async lookUp(name) {
      const turn = queue.take();
      waiting.add(name);
      const isLate = (await inTime(turn, TURN_WAIT_MS)) === LATE;
      waiting.delete(name);
      if (isLate) {
        void turn.then(() => queue.release());
        throw new NoTurn("Other names were looked up for too long.");
      }
      try {
        return await lookUp(name);
      } finally {
        queue.release();
      }
    },
    isWaiting: (name) => waiting.has(name),
  };
}

/** The addresses of a name in the text of a host file (hosts(5)). */
function writtenFor(name: string, hosts: string): readonly ResolvedAddress[] {
  const wanted = name.replace(/\.$/, "").toLowerCase();
  return hosts.split("\n").flatMap((line) => {
    const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.some((one) => one.toLowerCase() === wanted) ? [{ address, family }] : [];
  });
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
export function resolverAnswers(
  servers?: readonly string[],
  machine: Pick<Machine, "now"> = THIS_MACHINE,
): () => Promise<boolean> {
  const askPresent = presentServers(servers, machine, PROBE);
  const answersRoot = (resolver: Resolver) =>
    resolver.resolveNs(".").then(
      () => true,
      ({ code }: NodeJS.ErrnoException) => !NO_ANSWER.includes(code),
    );
  return onceMeanwhile(() => askPresent(answersRoot, (isAnswered) => isAnswered));
}
