import type {
  CreateSubscriptionRequest,
  SubscriptionOptions,
} from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { UpdateSubscriptionRequest } from "../../../generated/proto/gatehouse/webhooks/v1/subscriptions.ts";

/** Options of a new subscription: none unless the arguments say otherwise. */
export const options = (more: Partial<SubscriptionOptions> = {}): Pick<CreateSubscriptionRequest, "options"> => ({
  options: { description: "", extraHeaders: [], pingFirst: false, asymmetric: false, ...more },
});

/** An update of the fields that the arguments have. */
export function update(
  subscriptionId: string,
  fields: Partial<Omit<UpdateSubscriptionRequest, "subscriptionId" | "updateMask">>,
): UpdateSubscriptionRequest {
  const names = Object.keys(fields).filter((name) => name !== "skipPing");
  return {
    endpointUrl: "",
    eventTypes: [],
    tenantIds: [],
    description: "",
    extraHeaders: [],
    skipPing: false,
    ...fields,
    subscriptionId,
    updateMask: names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  };
}

/** A header of a request. */
export const header = (name: string, value?: string) => ({
  name,
  maskedValue: "",
  ...(value === undefined ? {} : { value }),
});
