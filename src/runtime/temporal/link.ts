import { Client } from "@temporalio/client";
import { NativeConnection, type TLSConfig } from "@temporalio/worker";
import { pause } from "../basis/loop.ts";
import { NOT_REACHED_YET } from "./not-reached.ts";

/** How a server is spoken to by TLS; texts in PEM form. */
export interface TemporalTls {
  /** Who may vouch for the server; whom the operating system trusts unless given. */
  readonly authorities?: string | undefined;
  /** The name in the server's certificate; the host of the address unless given. */
  readonly serverName?: string | undefined;
  /** What we prove ourselves by (mTLS). */
  readonly own?: { readonly certificate: string; readonly key: string } | undefined;
}

/** How to reach a namespace of a Temporal server. */
export interface TemporalAddress {
  readonly address: string;
  readonly namespace: string;
  /** Left out where nothing is encrypted. */
  readonly tls?: TemporalTls | undefined;
  readonly apiKey: string | undefined;
}

/** What loops know of Temporal: a client while there is a server, and nothing while there is none. */
export interface TemporalLink {
  /** Waits for a server that is fit for us. `undefined` when the signal is aborted first. */
  client(signal: AbortSignal): Promise<Client | undefined>;
}

/** The link as its keeper sees it (worker-loop.ts). */
export interface OpenLink extends TemporalLink {
  /** A sentence that says what is wrong; `undefined` while all is well. */
  trouble(): string | undefined;
  /** The server is there and fit. */
  opened(client: Client): void;
  /** It is not. */
  closed(because: string): void;
}

/** How histories name this process. The SDK would say the machine's name (R-E15). */
export const IDENTITY = `gatehouse-${process.pid}`;

const LOOK_AGAIN_MS = 200;

export function createLink(): OpenLink {
  let current: Client | undefined;
  let trouble: string | undefined = NOT_REACHED_YET;
  return {
    async client(signal) {
      while (current === undefined && !signal.aborted) await pause(LOOK_AGAIN_MS, signal);
      return signal.aborted ? undefined : current;
    },
    trouble: () => trouble,
    opened(client) {
      current = client;
      trouble = undefined;
    },
    closed(because) {
      current = undefined;
      trouble = because;
    },
  };
}

/** @throws Error when nobody answers there. */
export async function connectTo({ address, namespace, tls, apiKey }: TemporalAddress): Promise<{
  readonly connection: NativeConnection;
  readonly client: Client;
}> {
  const secure = tls && { tls: tlsConfig(tls), ...(apiKey !== undefined && { apiKey }) };
  const connection = await NativeConnection.connect({ address, ...secure });
  return { connection, client: new Client({ connection, namespace, identity: IDENTITY }) };
}

const tlsConfig = ({ authorities, serverName, own }: TemporalTls): TLSConfig => ({
  ...(authorities !== undefined && { serverRootCACertificate: Buffer.from(authorities) }),
  ...(serverName !== undefined && { serverNameOverride: serverName }),
  ...(own !== undefined && { clientCertPair: { crt: Buffer.from(own.certificate), key: Buffer.from(own.key) } }),
});
