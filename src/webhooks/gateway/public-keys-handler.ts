import type { PublicKeysService } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import type { operations } from "#generated/types/gateway.ts";
import type { Operation, Reply } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { Keyed } from "./keyed.ts";
import { webhookProblem } from "./webhook-problem.ts";
import { toInstant } from "./wire.ts";

type ListPublicKeys = operations["listPublicKeys"];

/** What everybody who knows a subscription's id may read; the one operation without a key (R-X274). */
export const listPublicKeysOperation = (
  publicKeys: PromiseClient<typeof PublicKeysService>,
  keyed: Keyed,
): Operation<ListPublicKeys> => ({
  handle: (request) =>
    keyed.withoutKey(request, {
      async answer(options) {
        const { keys } = await publicKeys.listPublicKeys(request.params, options);
        const data = keys.map(({ number, publicKey, expiresAt }) => ({
          number,
          publicKey,
          ...(expiresAt ? { expiresAt: toInstant(expiresAt) } : {}),
        }));
        return { status: 200, headers: { "Cache-Control": "no-store" }, body: { data } };
      },
      problemOf: (failure) => webhookProblem(failure, "query"),
    }) as Promise<Reply<ListPublicKeys>>,
  invalid: (request, parts) =>
    keyed.withoutKey(request, {
      answer: async () => ({ problem: { code: "invalid_request", errors: parts } }),
      problemOf: () => undefined,
    }),
});
