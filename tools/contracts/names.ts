/** The contracts whose operations the server answers: names of files in openapi/, without ending. */
export const REST_CONTRACTS = ["sign-on", "gateway", "portal"] as const;

export const EVENTS_CONTRACT = "webhooks.asyncapi";

/** Every published contract. */
export const CONTRACTS = [...REST_CONTRACTS, EVENTS_CONTRACT] as const;
