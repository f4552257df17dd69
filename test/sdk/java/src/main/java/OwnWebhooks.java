import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import example.gatehouse.sdk.ApiException;
import example.gatehouse.sdk.api.GatewayApi;
import example.gatehouse.sdk.model.RecoveriesRequest;
import example.gatehouse.sdk.model.RecoveryRequest;
import example.gatehouse.sdk.model.SecretRotation;
import example.gatehouse.sdk.model.SubscriptionChanges;
import example.gatehouse.sdk.model.SubscriptionRequest;
import example.gatehouse.sdk.model.TestEventRequest;
import example.gatehouse.sdk.model.TestMessagesRequest;
import java.util.function.Function;

/** Asks the operations of an integration's own webhooks. */
final class OwnWebhooks {
  private final ObjectMapper json;
  private final GatewayApi gateway;

  OwnWebhooks(ObjectMapper json, GatewayApi gateway) {
    this.json = json;
    this.gateway = gateway;
  }

  Object ask(JsonNode asked) throws ApiException {
    Function<String, String> id = name -> asked.path("parameters").path(name).asText(null);
    switch (asked.path("operationId").asText()) {
      case "listSubscriptions":
        return gateway.listSubscriptions(null, null);
      case "createSubscription":
        return gateway.createSubscription(read(asked, SubscriptionRequest.class));
      case "getSubscription":
        return gateway.getSubscription(id.apply("subscriptionId"));
      case "updateSubscription":
        return gateway.updateSubscription(id.apply("subscriptionId"), read(asked, SubscriptionChanges.class));
      case "deleteSubscription":
        gateway.deleteSubscription(id.apply("subscriptionId"));
        return null;
      case "pauseSubscription":
        return gateway.pauseSubscription(id.apply("subscriptionId"));
      case "resumeSubscription":
        return gateway.resumeSubscription(id.apply("subscriptionId"));
      case "enableSubscription":
        return gateway.enableSubscription(id.apply("subscriptionId"));
      case "pingSubscription":
        return gateway.pingSubscription(id.apply("subscriptionId"));
      case "signTestMessages":
        return gateway.signTestMessages(id.apply("subscriptionId"), read(asked, TestMessagesRequest.class));
      case "sendTestEvent":
        return gateway.sendTestEvent(id.apply("subscriptionId"), read(asked, TestEventRequest.class));
      case "listSigningSecrets":
        return gateway.listSigningSecrets(id.apply("subscriptionId"));
      case "rotateSigningSecret":
        return gateway.rotateSigningSecret(id.apply("subscriptionId"), read(asked, SecretRotation.class));
      case "revokeSigningSecret":
        gateway.revokeSigningSecret(id.apply("subscriptionId"), Integer.valueOf(id.apply("secretNumber")));
        return null;
      case "listPublicKeys":
        return gateway.listPublicKeys(id.apply("subscriptionId"));
      case "readEvents":
        return gateway.readEvents(id.apply("subscriptionId"), asked.path("parameters").path("after").asText(null), null, null);
      case "listEvents":
        return gateway.listEvents(null, null, null, null, null, null);
      case "explainEvent":
        return gateway.explainEvent(id.apply("subscriptionId"), id.apply("eventId"));
      case "listDeliveries":
        return gateway.listDeliveries(null, null, null, null, null, null, null, null, null);
      case "getDelivery":
        return gateway.getDelivery(id.apply("deliveryId"));
      case "resendDelivery":
        return gateway.resendDelivery(id.apply("deliveryId"));
      case "listRecoveries":
        return gateway.listRecoveries(null, null, null);
      case "startRecovery":
        return gateway.startRecovery(read(asked, RecoveryRequest.class));
      case "startRecoveries":
        return gateway.startRecoveries(read(asked, RecoveriesRequest.class));
      case "getRecovery":
        return gateway.getRecovery(id.apply("recoveryId"));
      case "pauseRecovery":
        return gateway.pauseRecovery(id.apply("recoveryId"));
      case "resumeRecovery":
        return gateway.resumeRecovery(id.apply("recoveryId"));
      case "cancelRecovery":
        return gateway.cancelRecovery(id.apply("recoveryId"));
      case "listEventTypes":
        return gateway.listEventTypes();
      default:
        throw new UnsupportedOperationException("The SDK has no " + asked.path("operationId").asText() + ".");
    }
  }

  private <T> T read(JsonNode asked, Class<T> model) {
    return json.convertValue(asked.path("body"), model);
  }
}
