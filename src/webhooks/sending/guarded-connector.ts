import { isIP } from "node:net";
import { buildConnector } from "undici";
import type { AddressGuard } from "./address-guard.ts";

export interface ConnectorOptions {
  readonly guard: AddressGuard;
  readonly connectTimeoutMs: number;
  /** Certificates that are trusted instead of the system's; for tests. */
  readonly trusted?: string | undefined;
  /** Called when a connection is open; `byName` when its address was looked up. */
  readonly connected?: ((connection: { readonly byName: boolean }) => void) | undefined;
}

/**
 * Opens connections to endpoints, and to judged addresses only: before dialling, and once more on the address that was dialled. TLS 1.2
 * at least, certificates always verified, whatever the environment says.
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
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ...(trusted === undefined ? {} : { ca: trusted }),
  });
  return (options, callback) => {
    try {
      guard.assertHost(options.hostname);
    } catch (error) {
      return queueMicrotask(() => callback(error as Error, null));
    }
    return connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      try {
        guard.assertDialled(socket.remoteAddress);
      } catch (forbidden) {
        socket.destroy();
        return callback(forbidden as Error, null);
      }
      connected?.({ byName: isIP(options.hostname.replace(/^\[(.*)\]$/, "$1")) === 0 });
      return callback(null, socket);
    });
  };
}
