/** The type of the event by which an endpoint is tried; no subscription can name it, and no pattern matches it (R-X271). */
export const PING = "webhook.ping";
