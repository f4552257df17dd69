import { createSocket } from "node:dgram";
import { AddressForbidden, NameUnresolved } from "./address-guard.ts";
import { NoTurn } from "./name-resolver.ts";

/** What on our side can keep a request from leaving. */
export const TROUBLES = ["descriptors", "memory", "ports", "network", "resolver", "turn"] as const;

export type Trouble = (typeof TROUBLES)[number];

/** Codes that only this machine's kernel gives, before anything has left. */
const BY_CODE: Readonly<Record<string, Trouble>> = {
  EMFILE: "descriptors",
  ENFILE: "descriptors",
  ENOMEM: "memory",
  ENOBUFS: "memory",
  EAI_MEMORY: "memory",
  ENETDOWN: "network",
};

/** Answers of a resolver that say something about the name. */
const ANSWERS: readonly unknown[] = ["ENOTFOUND", "ENODATA", "EBADNAME", "EBADRESP", "ENONAME"];

/**
 * Addresses of documentation (RFC 5737, RFC 3849): a route to them is a route to the world, and nothing is sent there.
 */
const FAR_AWAY = { udp4: "192.0.2.1", udp6: "2001:db8::1" } as const;

interface TroubleDeps {
  /** True when a resolver answers, whatever it says. */
  readonly resolverAnswers: () => Promise<boolean>;
}

/** An attempt that failed before its request began. */
interface UnsentAttempt {
  readonly error: unknown;
  /** True when time ran out while the endpoint's name was being looked up. */
  readonly lookingUp: boolean;
  /** True when it ran out while the name waited for look-ups of other names. */
  readonly waiting: boolean;
}

/**
 * Which trouble of ours kept a request from leaving; `undefined` when it was the endpoint, or may have been (R-X142).
 * Asks the machine where a code alone says too little: an endpoint with a broken zone must not wait for ever as if our
 * own resolver were away.
 */
export async function troubleOf(
  { error, lookingUp, waiting }: UnsentAttempt,
  deps: TroubleDeps,
): Promise<Trouble | undefined> {
  if (error instanceof AddressForbidden) return undefined;
  if (waiting || (error instanceof NameUnresolved && error.cause instanceof NoTurn)) return "turn";
  const isLookup = error instanceof NameUnresolved || lookingUp;
  const codes = codesOf(error instanceof NameUnresolved ? error.cause : error);
  const own = codes.map((code) => BY_CODE[code]).find((trouble) => trouble !== undefined);
  if (isLookup) {
    if (own !== undefined) return own;
    // A resolver library without a descriptor left says that the server refused, or that there is no such name.
    const opened = await openingSocket();
    if (opened !== undefined) return BY_CODE[opened] ?? "descriptors";
    const isAnswer = !lookingUp && codes.some((code) => ANSWERS.includes(code));
    const hasNoAddress = !lookingUp && codes.length === 0;
    return isAnswer || hasNoAddress || (await deps.resolverAnswers()) ? undefined : "resolver";
  }
  // Several addresses were tried: what one of them answered counts.
  const isLocal = (code: string) => code in BY_CODE || code === "EADDRNOTAVAIL" || code === "ENETUNREACH";
  if (codes.length === 0 || !codes.every(isLocal)) return undefined;
  if (own !== undefined) return own;
  const [four, six] = await Promise.all([routeAway("udp4"), routeAway("udp6")]);
  const noPorts = codes.includes("EADDRNOTAVAIL") && addressesOf(error).some((one) => !one.includes(":") || six);
  if (noPorts) return "ports";
  // Without IPv6 here, an endpoint that has nothing else cannot be reached: its matter. Without any route: ours.
  return four || six ? undefined : "network";
}

/** The codes of an error and of the errors inside it. */
function codesOf(error: unknown): readonly string[] {
  const { code, errors, cause } = (error ?? {}) as { code?: unknown; errors?: readonly unknown[]; cause?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return errors.flatMap(codesOf);
  const own = typeof code === "string" ? [code] : [];
  return cause instanceof AggregateError ? [...own, ...codesOf(cause)] : own;
}

function addressesOf(error: unknown): readonly string[] {
  const { address, errors } = (error ?? {}) as { address?: unknown; errors?: readonly unknown[] };
  if (Array.isArray(errors) && errors.length > 0) return errors.flatMap(addressesOf);
  return typeof address === "string" ? [address] : [];
}

/** Opens a socket and closes it; the code of what kept it from opening. */
const openingSocket = (): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = createSocket("udp4");
    const end = (code?: string) => {
      socket.removeAllListeners("error");
      socket.on("error", () => undefined);
      socket.close();
      resolve(code);
    };
    socket.once("error", ({ code }: NodeJS.ErrnoException) => end(code ?? "EMFILE"));
    socket.bind(0, "127.0.0.1", () => end());
  });

/** True when this machine knows a way out. Connecting a datagram socket looks the route up and sends nothing. */
const routeAway = (family: keyof typeof FAR_AWAY): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket(family);
    const end = (has: boolean) => {
      socket.removeAllListeners("error");
      socket.on("error", () => undefined);
      socket.close();
      resolve(has);
    };
    socket.once("error", () => end(false));
    socket.connect(53, FAR_AWAY[family], () => end(true));
  });
