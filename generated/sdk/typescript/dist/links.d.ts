import { BaseAPI } from "./runtime.js";
/** What a link led to. */
export interface LinkAnswer {
    readonly status: number;
    /** As it came; its schema is the one of the operation that the link names. */
    readonly body: unknown;
    readonly response: Response;
}
/** Reads what events link to: `data.links.self` is a path below the gateway's address (spec §6, rule 3). */
export declare class LinkApi extends BaseAPI {
    /**
     * The current state of what an event was about.
     * @throws TypeError for a link that leads elsewhere, and what every call throws.
     */
    follow(link: string, init?: RequestInit): Promise<LinkAnswer>;
}
/** True when the link leads into the gateway's API at `url`: an API key must not follow it to any other place. */
export declare function leadsToGateway(url: string, link: unknown): link is string;
