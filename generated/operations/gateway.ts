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
  "getUser": {
    "method": "GET",
    "path": "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/users/{userId}"
  },
  "listWorkers": {
    "method": "GET",
    "path": "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/workers"
  }
} as const;
