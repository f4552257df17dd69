import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { refused } from "../unknown-address/not-found-reply.ts";

/**
 * An address with others below it, whose list is on another page: leads there (R-X376).
 * @param place path of that page, and the place on it.
 */
export const leadOperation = (place: string, gatewayUrl: string): Operation<operations["findGuides"]> => ({
  async handle() {
    return { status: 303, headers: { location: place, "cache-control": "public, max-age=300" } };
  },
  invalid: async (request, parts) => refused(gatewayUrl, request, parts),
});
