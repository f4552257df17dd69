import { contractDepartures, type Exchange } from "./contract.ts";
import { eventDepartures, type ReceivedPost } from "./event-contract.ts";

/** What of an exchange belongs to the request. */
export type ContractRequest = Pick<Exchange, "method" | "url" | "unrouted">;

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: the parameters must be exactly those of the types of jest.
    interface Matchers<R, T = {}> {
      /** The answer (status, headers, text) to this request keeps the published OpenAPI contract. */
      toMatchContract(request: ContractRequest): R;
      /** The POST (headers, body) keeps the published AsyncAPI contract. */
      toMatchEventContract(): R;
    }
  }
}

const verdict = (subject: string, departures: readonly string[], shown: () => string) => ({
  pass: departures.length === 0,
  message: () =>
    departures.length === 0
      ? `${subject} keeps the contract, and was expected not to.`
      : `${subject} departs from the contract:\n${departures.map((text) => `  - ${text}`).join("\n")}\n\n${shown()}`,
});

expect.extend({
  toMatchContract(answer: Omit<Exchange, keyof ContractRequest>, request: ContractRequest) {
    const { status, headers, text } = answer;
    const departures = contractDepartures({ ...request, status, headers, text });
    return verdict(`${request.method} ${request.url} → ${status}`, departures, () => text.slice(0, 2_000));
  },
  toMatchEventContract(post: ReceivedPost) {
    return verdict(
      "The POST",
      eventDepartures(post),
      () => `${JSON.stringify(post.headers, null, 2)}\n${post.body.toString("utf8").slice(0, 4_000)}`,
    );
  },
});
