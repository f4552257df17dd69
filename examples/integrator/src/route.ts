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

/** Every route of this path, with its parameter. */
export function findRoutes(
  routes: readonly Route[],
  pathname: string,
): readonly { readonly route: Route; readonly parameter: string }[] {
  return routes.flatMap((route) => {
    if (route.path === pathname) return [{ route, parameter: "" }];
    const match = typeof route.path === "string" ? null : route.path.exec(pathname);
    return match ? [{ route, parameter: match[1] ?? "" }] : [];
  });
}
