// Made by `make generate`. Do not edit.

/** Method and path template of each operation of gateway.yaml. */
export const operations = {
  "listInstanceIntegrations": {
    "method": "GET",
    "path": "/v1/instance-integrations"
  },
  "listClients": {
    "method": "GET",
    "path": "/v1/instance-integrations/{instanceIntegrationId}/clients"
  },
  "getClient": {
    "method": "GET",
    "path": "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}"
  },
  "listJobTitles": {
    "method": "GET",
    "path": "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/job-titles"
  },
  "getOrganizationStructure": {
    "method": "GET",
    "path": "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/organization-structure"
  },
  "listUsers": {
    "method": "GET",
    "path": "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/users"
  },
  "getUser": {
    "method": "GET",
    "path": "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/users/{userId}"
  },
  "listWorkers": {
    "method": "GET",
    "path": "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/workers"
  },
  "listWorkersV2": {
    "method": "GET",
    "path": "/v2/instance-integrations/{instanceIntegrationId}/clients/{clientId}/workers"
  },
  "getWorkerV2": {
    "method": "GET",
    "path": "/v2/instance-integrations/{instanceIntegrationId}/clients/{clientId}/workers/{workerId}"
  },
  "listSubscriptions": {
    "method": "GET",
    "path": "/v1/webhooks/subscriptions"
  },
  "createSubscription": {
    "method": "POST",
    "path": "/v1/webhooks/subscriptions"
  },
  "getSubscription": {
    "method": "GET",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}"
  },
  "updateSubscription": {
    "method": "PATCH",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}"
  },
  "deleteSubscription": {
    "method": "DELETE",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}"
  },
  "pauseSubscription": {
    "method": "POST",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/pause"
  },
  "resumeSubscription": {
    "method": "POST",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/resume"
  },
  "enableSubscription": {
    "method": "POST",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/enable"
  },
  "pingSubscription": {
    "method": "POST",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/ping"
  },
  "sendTestEvent": {
    "method": "POST",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/test-events"
  },
  "signTestMessages": {
    "method": "POST",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/test-messages"
  },
  "listSigningSecrets": {
    "method": "GET",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/secrets"
  },
  "rotateSigningSecret": {
    "method": "POST",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/secrets"
  },
  "revokeSigningSecret": {
    "method": "DELETE",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/secrets/{secretNumber}"
  },
  "listPublicKeys": {
    "method": "GET",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/public-keys"
  },
  "readEvents": {
    "method": "GET",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/events"
  },
  "explainEvent": {
    "method": "GET",
    "path": "/v1/webhooks/subscriptions/{subscriptionId}/events/{eventId}/explanation"
  },
  "listEvents": {
    "method": "GET",
    "path": "/v1/webhooks/events"
  },
  "listDeliveries": {
    "method": "GET",
    "path": "/v1/webhooks/deliveries"
  },
  "getDelivery": {
    "method": "GET",
    "path": "/v1/webhooks/deliveries/{deliveryId}"
  },
  "resendDelivery": {
    "method": "POST",
    "path": "/v1/webhooks/deliveries/{deliveryId}/resend"
  },
  "listRecoveries": {
    "method": "GET",
    "path": "/v1/webhooks/recoveries"
  },
  "startRecovery": {
    "method": "POST",
    "path": "/v1/webhooks/recoveries"
  },
  "startRecoveries": {
    "method": "POST",
    "path": "/v1/webhooks/subscription-recoveries"
  },
  "getRecovery": {
    "method": "GET",
    "path": "/v1/webhooks/recoveries/{recoveryId}"
  },
  "pauseRecovery": {
    "method": "POST",
    "path": "/v1/webhooks/recoveries/{recoveryId}/pause"
  },
  "resumeRecovery": {
    "method": "POST",
    "path": "/v1/webhooks/recoveries/{recoveryId}/resume"
  },
  "cancelRecovery": {
    "method": "POST",
    "path": "/v1/webhooks/recoveries/{recoveryId}/cancel"
  },
  "listEventTypes": {
    "method": "GET",
    "path": "/v1/webhooks/event-types"
  }
} as const;
