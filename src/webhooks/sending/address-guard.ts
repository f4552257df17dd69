import type { LookupFunction, Socket } from "node:net";
import { isIP } from "node:net";
import { buildConnector } from "undici";
import { isOwnListener, type OwnListeners } from "../endpoints/own-listeners.ts";
import { mayDial, type Network } from "../endpoints/public-address.ts";
import { withBoundedAnswers } from "./answer-bytes.ts";
import type { Resolve, ResolvedAddress } from "./name-resolver.ts";
import { withoutInterimAnswers } from "./without-interim-answers.ts";

/**
 * The endpoint leads to an address that we do not send to. Does not name the address, since subscribers could map a
 * network by it.
 */
export class AddressForbidden extends Error {
  override readonly name = "AddressForbidden";
}

/** The endpoint's name leads nowhere. */
export class NameUnresolved extends Error {
  override readonly name = "NameUnresolved";
}

/** What a name leads to. */
type Found = readonly [ResolvedAddress, ...ResolvedAddress[]];

export interface AddressGuard {
  /** Judges a host that is an address already, which is never looked up. @throws AddressForbidden */
  assertHost(host: string): void;
  /** Judges an address and port that a connection was made to. @throws AddressForbidden */
  assertDialled(address: string, port: number): void;
  /**
   * For `connect`: resolves a name once and hands over addresses that were all judged, so what is checked is what is
   * dialled and a second answer never counts. One forbidden answer among several refuses them all (R-E11).
   */
  readonly lookup: LookupFunction;
  /** True while the name is being looked up. */
  isLookingUp(name: string): boolean;
  /** True while that waits for other names, and nothing is asked about this one. */
  isWaiting(name: string): boolean;
}

export function addressGuard(allowed: readonly Network[], resolve: Resolve, own?: OwnListeners): AddressGuard {
  const assertAllowed = (address: string) => {
    if (!mayDial(address, allowed)) throw new AddressForbidden("The endpoint leads to an address that is not public.");
  };
  // Connections that open to one name at the same moment share its answer; nothing is kept beyond that moment.
  const asking = new Map<string, Promise<Found>>();
  const ask = (name: string): Promise<Found> => {
    const underWay = asking.get(name);
    if (underWay !== undefined) return underWay;
    const answer = judged(name).finally(() => asking.delete(name));
    asking.set(name, answer);
    return answer;
  };

  async function judged(name: string): Promise<Found> {
    const [first, ...others] = await resolve(name).catch((cause: unknown) => {
      throw new NameUnresolved("The endpoint's name cannot be resolved.", { cause });
    });
    if (first === undefined) throw new NameUnresolved("The endpoint's name has no address.");
    const found: Found = [first, ...others];
    for (const { address } of found) assertAllowed(address);
    return found;
  }

  return {
    assertHost(host) {
      if (isIP(host) !== 0) assertAllowed(host);
    },
    assertDialled(address, port) {
      assertAllowed(address);
      if (own !== undefined && isOwnListener(address, port, own))
        throw new AddressForbidden("The endpoint leads to a listener of our own.");
    },
    isLookingUp: (name) => asking.has(name),
    isWaiting: (name) => resolve.isWaiting?.(name) === true,
    lookup(name, options, callback) {
      ask(name).then(
        (found) => {
          if (options.all === true) callback(null, [...found]);
          else callback(null, found[0].address, found[0].family);
        },
        (error: NodeJS.ErrnoException) => callback(error, []),
      );
    },
  };
}

/**
 * Ends a connection by the error that it met. With TLS 1.3 a server that wants a certificate of ours says so by an alert
 * behind the handshake; the end of the connection comes right after it, and would be all that is reported. What came
 * before the alert is read by then.
 */
const endWithItsError = (socket: Socket): void => void socket.once("error", (error) => void socket.destroy(error));

export interface ConnectorOptions {
  readonly guard: AddressGuard;
  readonly connectTimeoutMs: number;
  /** Certificates that are trusted instead of the system's; for tests. */
  readonly trusted?: string | undefined;
  /** Called when a connection is open; `byName` when its address was looked up. */
  readonly connected?: ((connection: { readonly byName: boolean }) => void) | undefined;
}

/**
 * As many addresses of a name are tried, one after the other, each for as long. Node's own quarter of a second is shorter than the way to
 * the other side of the Earth and back, and than the second after which a lost packet is sent again.
 */
const ADDRESSES_TRIED = 4;

/**
 * Opens connections to endpoints, and to judged addresses only: before dialling, and once more on the address that was
 * dialled. TLS 1.2 at least, certificates always verified, whatever the environment says.
 */
export function guardedConnector({
  guard,
  connectTimeoutMs,
  trusted,
  connected,
}: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    lookup: guard.lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.floor(connectTimeoutMs / ADDRESSES_TRIED),
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ca: trusted,
  });
  return (options, callback) => {
    try {
      guard.assertHost(options.hostname);
    } catch (error) {
      return queueMicrotask(() => callback(error as Error, null));
    }
    // A server is told its name without a full stop at the end (RFC 6066 §3), which it may not know otherwise.
    const servername = options.hostname.replace(/\.$/, "");
    const named = isIP(options.hostname) === 0 ? { ...options, servername } : options;
    return connect(named, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      try {
        // A socket that is closed already has no address: its text is none either.
        guard.assertDialled(String(socket.remoteAddress), Number(socket.remotePort));
      } catch (forbidden) {
        socket.destroy();
        return callback(forbidden as Error, null);
      }
      endWithItsError(socket);
      withBoundedAnswers(socket);
      withoutInterimAnswers(socket);
      connected?.({ byName: isIP(options.hostname) === 0 });
      return callback(null, socket);
    });
  };
}
