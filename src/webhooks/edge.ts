import { IntegratorService } from "#generated/proto/gatehouse/webhooks/v1/integrator.ts";
import { PublicKeysService } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import type { operations } from "#generated/types/gateway.ts";
import type { Operations } from "#runtime/http/operation.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import { getDeliveryOperation, listDeliveriesOperation, resendDeliveryOperation } from "./gateway/delivery-handler.ts";
import {
  explainEventOperation,
  listEventsOperation,
  listEventTypesOperation,
  readEventsOperation,
} from "./gateway/event-handler.ts";
import type { Keyed } from "./gateway/keyed.ts";
import { listPublicKeysOperation } from "./gateway/public-keys-handler.ts";
import {
  cancelRecoveryOperation,
  getRecoveryOperation,
  listRecoveriesOperation,
  pauseRecoveryOperation,
  resumeRecoveryOperation,
  startRecoveriesOperation,
  startRecoveryOperation,
} from "./gateway/recovery-handler.ts";
import {
  listSigningSecretsOperation,
  revokeSigningSecretOperation,
  rotateSigningSecretOperation,
} from "./gateway/signing-secret-handler.ts";
import {
  createSubscriptionOperation,
  deleteSubscriptionOperation,
  enableSubscriptionOperation,
  getSubscriptionOperation,
  listSubscriptionsOperation,
  pauseSubscriptionOperation,
  pingSubscriptionOperation,
  resumeSubscriptionOperation,
  triggerTestEventOperation,
  updateSubscriptionOperation,
} from "./gateway/subscription-handler.ts";
import { signTestMessagesOperation } from "./gateway/test-message-handler.ts";
import type { WebhooksId } from "./gateway/webhook-operation.ts";

/** The operations below /v1/webhooks, for the gateway's area, which brings what keys and problems have in common. */
export const webhooksEdge = (
  connect: Carrier["connect"],
): ((keyed: Keyed) => Operations<Pick<operations, WebhooksId>>) => {
  const integrator = connect(IntegratorService);
  const publicKeys = connect(PublicKeysService);
  return (keyed) => {
    const gateway = { integrator, keyed };
    return {
      listSubscriptions: listSubscriptionsOperation(gateway),
      createSubscription: createSubscriptionOperation(gateway),
      getSubscription: getSubscriptionOperation(gateway),
      updateSubscription: updateSubscriptionOperation(gateway),
      deleteSubscription: deleteSubscriptionOperation(gateway),
      pauseSubscription: pauseSubscriptionOperation(gateway),
      resumeSubscription: resumeSubscriptionOperation(gateway),
      enableSubscription: enableSubscriptionOperation(gateway),
      pingSubscription: pingSubscriptionOperation(gateway),
      sendTestEvent: triggerTestEventOperation(gateway),
      signTestMessages: signTestMessagesOperation(gateway),
      listSigningSecrets: listSigningSecretsOperation(gateway),
      rotateSigningSecret: rotateSigningSecretOperation(gateway),
      revokeSigningSecret: revokeSigningSecretOperation(gateway),
      listPublicKeys: listPublicKeysOperation(publicKeys, keyed),
      readEvents: readEventsOperation(gateway),
      listEvents: listEventsOperation(gateway),
      explainEvent: explainEventOperation(gateway),
      listDeliveries: listDeliveriesOperation(gateway),
      getDelivery: getDeliveryOperation(gateway),
      resendDelivery: resendDeliveryOperation(gateway),
      listRecoveries: listRecoveriesOperation(gateway),
      startRecovery: startRecoveryOperation(gateway),
      startRecoveries: startRecoveriesOperation(gateway),
      getRecovery: getRecoveryOperation(gateway),
      pauseRecovery: pauseRecoveryOperation(gateway),
      resumeRecovery: resumeRecoveryOperation(gateway),
      cancelRecovery: cancelRecoveryOperation(gateway),
      listEventTypes: listEventTypesOperation(gateway),
    };
  };
};
