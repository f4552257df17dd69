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
  }
} as const;
