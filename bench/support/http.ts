import { Pool } from "undici";

/** Kept-alive connections to one origin. */
export interface Connections {
  /**
   * Sends one request and reads the whole answer. @throws Error when the status is not the expected one, or none of
   * them.
   */
  send(
    status: number | readonly number[],
    path: string,
    init?: { readonly method?: "GET" | "POST"; readonly headers?: Record<string, string>; readonly body?: string },
  ): Promise<{ text: string; headers: Record<string, string | string[] | undefined> }>;
  close(): Promise<void>;
}

export function openConnections(origin: string, connections: number): Connections {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  return {
    async send(status, path, { method = "GET", headers = {}, body } = {}) {
      const answer = await pool.request({ path, method, headers, ...(body === undefined ? {} : { body }) });
      const text = await answer.body.text();
      if (![status].flat().includes(answer.statusCode))
        throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
      return { text, headers: answer.headers };
    },
    close: () => pool.close(),
  };
}
