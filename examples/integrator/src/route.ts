import type { IncomingMessage } from "node:http";
import type { Reply } from "./replies.ts";

export interface Visit {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  /** What the first group of the route's path matched. */
  readonly parameter: string;
}

export interface Route {
  readonly method: "GET" | "POST";
  /** The whole path, or an anchored expression. */
  readonly path: string | RegExp;
  reply(visit: Visit): Reply | Promise<Reply>;
}

/** The route of this path and its parameter, if there is one. */
export function findRoute(routes: readonly Route[], pathname: string): { route: Route; parameter: string } | undefined {
  for (const route of routes) {
    if (route.path === pathname) return { route, parameter: "" };
    const match = typeof route.path === "string" ? null : route.path.exec(pathname);
    if (match) return { route, parameter: match[1] ?? "" };
  }
  return undefined;
}
