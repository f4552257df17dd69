import { Socket } from "node:net";
import pg from "pg";
import { silent } from "./postgres-trouble.ts";

const KEEP_ALIVE_AFTER_MS = 10_000;
/** The server, too, notices a client that is gone without a word, and gives its locks back. */
const SERVER_KEEP_ALIVE = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

/** What every connection of ours has, whatever it is for. */
export const connectionConfig = (url: string, options = ""): pg.ClientConfig => ({
  connectionString: url,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  options: `${options} ${SERVER_KEEP_ALIVE}`.trim(),
});

/**
 * A connection to PostgreSQL that can be lost at any time without ending the process, and that is destroyed when an answer does not come in
 * time: node-postgres' own deadline leaves it in use, with the late answer still to come.
 */
export class PostgresConnection extends pg.Client {
  readonly #socket: Socket;

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    // What was under way fails by itself. Without a listener the event would end the process.
    this.on("error", () => undefined);
  }

  /** Ends the connection at once; what is under way fails with the error. */
  lose(error: Error): void {
    this.#socket.destroy(error);
  }

  /** Awaits an answer; when it does not come in time, the connection is lost. `ms` 0 is no deadline. */
  async within<T>(ms: number, answer: Promise<T>): Promise<T> {
    if (ms === 0) return answer;
    const timer = setTimeout(() => this.lose(silent(ms)), ms);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Says goodbye, and does not wait for a server that is silent. */
  async leave(ms: number): Promise<void> {
    await this.within(ms, this.end()).catch(() => undefined);
  }
}
