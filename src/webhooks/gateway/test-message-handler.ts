import { toWireTestMessage } from "./event-wire.ts";
import { webhookOperation } from "./webhook-operation.ts";

export const signTestMessagesOperation = webhookOperation<"signTestMessages">(
  200,
  async ({ request: { params, body }, integrator, options }) => {
    const messages = body.messages.map((wanted) => ({
      type: wanted.type,
      newIds: wanted.newIds ?? [],
      occurredSecondsAgo: wanted.occurredSecondsAgo ?? 0,
      unknownMember: wanted.unknownMember ?? false,
      spread: wanted.layout === "spread",
      signedSecondsFromNow: wanted.signedSecondsFromNow ?? [],
    }));
    const made = await integrator.signTestMessages({ ...params, messages }, options);
    return { data: made.messages.map(toWireTestMessage) };
  },
);
