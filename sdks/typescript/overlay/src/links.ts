import { BaseAPI } from "./runtime.js";

/** The answer at a link. */
export interface LinkAnswer {
  readonly status: number;
  /** The parsed body; its schema is that of the link's operation. */
  readonly body: unknown;
  readonly response: Response;
}

/** Follows the links of events: `data.links.self` is a path below the gateway's address (spec §6, rule 3). */
export class LinkApi extends BaseAPI {
  /**
   * The current state of an event's entity.
   * @throws TypeError for a link outside the gateway, and the errors of every call.
   */
  async follow(link: string, init?: RequestInit): Promise<LinkAnswer> {
    if (!leadsToGateway(this.configuration.basePath, link)) throw new TypeError(`Not a path of the gateway: ${link}`);
    const apiKey = await this.configuration.apiKey?.("x-api-key");
    const headers: Record<string, string> = apiKey === undefined ? {} : { "x-api-key": apiKey };
    const response = await this.request({ path: link, method: "GET", headers }, init);
    return { status: response.status, body: await response.clone().json(), response };
  }
}

/** True when the link is within the gateway's API at `url`: the API key must not be sent to any other address. */
export function leadsToGateway(url: string, link: unknown): link is string {
  const base = url.replace(/\/+$/, "");
  if (typeof link !== "string" || !URL.canParse(base + link)) return false;
  // Parsed before it is compared: that resolves "..", "@" and backslashes the way `fetch` will.
  const { href } = new URL(base + link);
  return href.startsWith(`${new URL(base).href.replace(/\/$/, "")}/v`) && /^\/v\d+\//.test(link);
}
