import { Client } from "@temporalio/client";
import { NativeConnection, type TLSConfig } from "@temporalio/worker";
import { pause } from "../process/loop.ts";
import { NOT_REACHED_YET } from "./not-reached.ts";
import type { WorkflowStarts } from "./workflow-starts.ts";

/** TLS options of the connection; texts in PEM form. */
export interface TemporalTls {
  /** Authorities trusted to issue the server's certificate; the operating system's by default. */
  readonly authorities?: string | undefined;
  /** The name in the server's certificate; the host of the address by default. */
  readonly serverName?: string | undefined;
  /** Our own certificate and key (mTLS). */
  readonly own?: { readonly certificate: string; readonly key: string } | undefined;
}

/** What a connection trusts, and what it shows of us. */
export interface TemporalCredentials {
  /** `undefined` for a plain connection, which shows no API key either. */
  readonly tls: TemporalTls | undefined;
  readonly apiKey: string | undefined;
}

/** Where a namespace of a Temporal server is. */
export interface TemporalAddress {
  readonly address: string;
  readonly namespace: string;
}

/** Temporal as the loops see it: a client while a server is connected, otherwise none. */
export interface TemporalLink {
  /** Waits for a suitable server. `undefined` when the signal is aborted first. */
  client(signal: AbortSignal): Promise<Client | undefined>;
  /** Where a loop reports how its starts of workflows of this type go. */
  starts(workflowType: string): WorkflowStarts;
}

/** The link as its keeper sees it (worker-loop.ts). */
interface OpenLink extends TemporalLink {
  /** A sentence that says what is wrong; `undefined` while all is well. */
  trouble(): string | undefined;
  /** The server answers and is suitable. */
  opened(client: Client): void;
  /** The server does not answer or is not suitable. */
  closed(because: string): void;
}

/** Name of this process in histories. The SDK would use the machine's name (R-E15). */
export const IDENTITY = `gatehouse-${process.pid}`;

const LOOK_AGAIN_MS = 200;

export function createLink(starts: TemporalLink["starts"]): OpenLink {
  let current: Client | undefined;
  let trouble: string | undefined = NOT_REACHED_YET;
  return {
    async client(signal) {
      while (current === undefined && !signal.aborted) await pause(LOOK_AGAIN_MS, signal);
      return signal.aborted ? undefined : current;
    },
    starts,
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

/** @throws Error when no server answers at the address. */
export async function connectTo(
  { address, namespace }: TemporalAddress,
  { tls, apiKey }: TemporalCredentials,
): Promise<{ readonly connection: NativeConnection; readonly client: Client }> {
  const secure = tls && { tls: tlsConfig(tls), ...(apiKey !== undefined && { apiKey }) };
  const connection = await NativeConnection.connect({ address, ...secure });
  return { connection, client: new Client({ connection, namespace, identity: IDENTITY }) };
}

const tlsConfig = ({ authorities, serverName, own }: TemporalTls): TLSConfig => ({
  ...(authorities !== undefined && { serverRootCACertificate: Buffer.from(authorities) }),
  ...(serverName !== undefined && { serverNameOverride: serverName }),
  ...(own !== undefined && { clientCertPair: { crt: Buffer.from(own.certificate), key: Buffer.from(own.key) } }),
});
