import { BaseAPI } from "./runtime.js";

/** What a link led to. */
export interface LinkAnswer {
  readonly status: number;
  /** As it came; its schema is the one of the operation that the link names. */
  readonly body: unknown;
  readonly response: Response;
}

/** Reads what events link to: `data.links.self` is a path below the gateway's address (spec §6, rule 3). */
export class LinkApi extends BaseAPI {
  /**
   * The current state of what an event was about.
   * @throws TypeError for a link that leads elsewhere, and what every call throws.
   */
  async follow(link: string, init?: RequestInit): Promise<LinkAnswer> {
    if (!leadsToGateway(this.configuration.basePath, link)) throw new TypeError(`Not a path of the gateway: ${link}`);
    const apiKey = await this.configuration.apiKey?.("x-api-key");
    const headers: Record<string, string> = apiKey === undefined ? {} : { "x-api-key": apiKey };
    const response = await this.request({ path: link, method: "GET", headers }, init);
    return { status: response.status, body: await response.clone().json(), response };
  }
}

/** True when the link leads into the gateway's API at `url`: an API key must not follow it to any other place. */
export function leadsToGateway(url: string, link: unknown): link is string {
  const base = url.replace(/\/+$/, "");
  if (typeof link !== "string" || !URL.canParse(base + link)) return false;
  // Parsed before it is compared: that resolves "..", "@" and backslashes the way `fetch` will.
  const { href } = new URL(base + link);
  return href.startsWith(`${new URL(base).href.replace(/\/$/, "")}/v`) && /^\/v\d+\//.test(link);
}
