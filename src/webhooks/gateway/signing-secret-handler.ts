import { SecretKind } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import { ifMatchOf } from "./subscription-condition.ts";
import { toWireSecret } from "./subscription-wire.ts";
import { webhookOperation } from "./webhook-operation.ts";
import { optional, present } from "./wire.ts";

export const listSigningSecretsOperation = webhookOperation<"listSigningSecrets">(
  200,
  async ({ request: { params }, integrator, options }) => {
    const { subscription } = await integrator.getSubscription(params, options);
    return { data: present(subscription).secrets.map(toWireSecret) };
  },
);

export const rotateSigningSecretOperation = webhookOperation<"rotateSigningSecret">(
  201,
  async ({ request, integrator, options }) => {
    const { params, body } = request;
    const { number, secret } = await integrator.rotateSecret(
      {
        ...params,
        kind: valueOfLower(SecretKind, body.kind ?? "symmetric"),
        overlapSeconds: body.overlapSeconds ?? null,
        secret: body.secret ?? null,
        ifMatch: ifMatchOf(request),
      },
      options,
    );
    return { number, ...optional("secret", secret) };
  },
);

export const revokeSigningSecretOperation = webhookOperation<"revokeSigningSecret">(
  204,
  async ({ request, integrator, options }) => {
    const { subscriptionId, secretNumber } = request.params;
    const revoked = { subscriptionId, number: Number(secretNumber), ifMatch: ifMatchOf(request) };
    await integrator.revokeSecret(revoked, options);
    return undefined;
  },
);
