import { BaseAPI } from "./runtime.js";
/** The answer at a link. */
export interface LinkAnswer {
    readonly status: number;
    /** The parsed body; its schema is that of the link's operation. */
    readonly body: unknown;
    readonly response: Response;
}
/** Follows the links of events: `data.links.self` is a path below the gateway's address (spec §6, rule 3). */
export declare class LinkApi extends BaseAPI {
    /**
     * The current state of an event's entity.
     * @throws TypeError for a link outside the gateway, and the errors of every call.
     */
    follow(link: string, init?: RequestInit): Promise<LinkAnswer>;
}
/** True when the link is within the gateway's API at `url`: the API key must not be sent to any other address. */
export declare function leadsToGateway(url: string, link: unknown): link is string;
