import { BaseAPI } from "./runtime.js";
/** Reads what events link to: `data.links.self` is a path below the gateway's address (spec §6, rule 3). */
export class LinkApi extends BaseAPI {
    /** True when the link leads into the gateway's API: the API key must not follow it to any other place. */
    leadsToGateway(link) {
        const { basePath } = this.configuration;
        // Parsed before it is compared: that resolves "..", "@" and backslashes the way `fetch` will.
        return (typeof link === "string" && URL.canParse(basePath + link) && isBelow(new URL(basePath + link).href, basePath));
    }
    /**
     * The current state of what an event was about.
     * @throws TypeError for a link that leads elsewhere, and what every call throws.
     */
    async follow(link, init) {
        if (!this.leadsToGateway(link))
            throw new TypeError(`Not a path of the gateway: ${link}`);
        const apiKey = await this.configuration.apiKey?.("x-api-key");
        const headers = apiKey === undefined ? {} : { "x-api-key": apiKey };
        const response = await this.request({ path: link, method: "GET", headers }, init);
        return { status: response.status, body: await response.clone().json(), response };
    }
}
const isBelow = (href, basePath) => {
    const base = new URL(basePath).href.replace(/\/$/, "");
    return /^\/v\d+\//.test(href.slice(base.length)) && href.startsWith(base);
};
