// Made by `make generate`. Do not edit.

/** The first example of every event type in webhooks.asyncapi.yaml, for any receiver. */
export const TEST_EVENTS = {
  "client.created": {
    "entity": {
      "type": "client",
      "id": "client_3HsYp8QdWm5KzR1XbN7Vt"
    },
    "data": {
      "clientId": "client_3HsYp8QdWm5KzR1XbN7Vt",
      "name": "Harbour Bakery",
      "address": {
        "address1": "14 Quay Street",
        "address2": null,
        "city": "Rotterdam",
        "isoCountryCode": "NL",
        "postalCode": "3011 AB",
        "zoneCode": null
      }
    },
    "selfPath": "/v1/instance-integrations/{instanceIntegrationId}/clients/client_3HsYp8QdWm5KzR1XbN7Vt"
  },
  "user.created": {
    "entity": {
      "type": "user",
      "id": "user_2VfRk7TqLs9XmC4BwD6Hn"
    },
    "data": {
      "userId": "user_2VfRk7TqLs9XmC4BwD6Hn",
      "clientId": "client_3HsYp8QdWm5KzR1XbN7Vt",
      "email": "maren.dahl@harbour-bakery.example",
      "firstName": "Maren",
      "lastName": "Dahl",
      "fullName": "Maren Dahl",
      "status": "INVITED",
      "manager": {
        "id": "user_5ZgPx8LbQw3KtN7JcS1Vd",
        "firstName": "Aiko",
        "lastName": "Marsh",
        "fullName": "Aiko Marsh",
        "email": "aiko.marsh@harbour-bakery.example"
      },
      "role": {
        "id": "2",
        "name": "Admin"
      },
      "createdAt": "2026-06-29T10:00:00.000Z"
    },
    "selfPath": "/v1/instance-integrations/{instanceIntegrationId}/clients/client_3HsYp8QdWm5KzR1XbN7Vt/users/user_2VfRk7TqLs9XmC4BwD6Hn"
  },
  "user.updated": {
    "entity": {
      "type": "user",
      "id": "user_2VfRk7TqLs9XmC4BwD6Hn"
    },
    "data": {
      "userId": "user_2VfRk7TqLs9XmC4BwD6Hn",
      "clientId": "client_3HsYp8QdWm5KzR1XbN7Vt",
      "email": "maren.dahl@harbour-bakery.example",
      "firstName": "Maren",
      "lastName": "Dahl",
      "fullName": "Maren Dahl",
      "status": "ACTIVE",
      "manager": {
        "id": "user_5ZgPx8LbQw3KtN7JcS1Vd",
        "firstName": "Aiko",
        "lastName": "Marsh",
        "fullName": "Aiko Marsh",
        "email": "aiko.marsh@harbour-bakery.example"
      },
      "role": {
        "id": "2",
        "name": "Admin"
      },
      "createdAt": "2026-06-29T10:00:00.000Z"
    },
    "selfPath": "/v1/instance-integrations/{instanceIntegrationId}/clients/client_3HsYp8QdWm5KzR1XbN7Vt/users/user_2VfRk7TqLs9XmC4BwD6Hn"
  },
  "worker.onboarded": {
    "entity": {
      "type": "worker",
      "id": "worker_6TpJm4VcXz9RsG2QdK8Lb"
    },
    "data": {
      "workerId": "worker_6TpJm4VcXz9RsG2QdK8Lb",
      "clientId": "client_3HsYp8QdWm5KzR1XbN7Vt",
      "firstName": "Tomas",
      "lastName": "Lindqvist",
      "fullName": "Tomas Lindqvist",
      "email": "tomas.lindqvist@harbour-bakery.example",
      "jobTitles": [
        "Baker"
      ],
      "phone": "+31 10 555 0142",
      "location": {
        "address1": "3 Mill Lane",
        "address2": null,
        "city": "Rotterdam",
        "isoCountryCode": "NL",
        "postalCode": "3012 CD",
        "zoneCode": null
      },
      "organizationUnits": [
        {
          "id": "unit_9KdRw2MxLb6TzQ4HcN1Vs",
          "name": "Night Shift"
        }
      ],
      "organizationUnit": {
        "id": "unit_9KdRw2MxLb6TzQ4HcN1Vs",
        "name": "Night Shift"
      },
      "organizationLocation": {
        "id": "location_1XbQn7WvHt5LpD3KmC9Rs",
        "name": "Quayside"
      },
      "endedAt": null,
      "createdAt": "2026-06-29T10:05:00.000Z"
    },
    "selfPath": "/v2/instance-integrations/{instanceIntegrationId}/clients/client_3HsYp8QdWm5KzR1XbN7Vt/workers/worker_6TpJm4VcXz9RsG2QdK8Lb"
  },
  "worker.updated": {
    "entity": {
      "type": "worker",
      "id": "worker_6TpJm4VcXz9RsG2QdK8Lb"
    },
    "data": {
      "workerId": "worker_6TpJm4VcXz9RsG2QdK8Lb",
      "clientId": "client_3HsYp8QdWm5KzR1XbN7Vt",
      "firstName": "Tomas",
      "lastName": "Lindqvist",
      "fullName": "Tomas Lindqvist",
      "email": "tomas.lindqvist@harbour-bakery.example",
      "jobTitles": [
        "Baker"
      ],
      "phone": "+31 10 555 0142",
      "location": {
        "address1": "3 Mill Lane",
        "address2": null,
        "city": "Rotterdam",
        "isoCountryCode": "NL",
        "postalCode": "3012 CD",
        "zoneCode": null
      },
      "organizationUnits": [
        {
          "id": "unit_9KdRw2MxLb6TzQ4HcN1Vs",
          "name": "Night Shift"
        }
      ],
      "organizationUnit": {
        "id": "unit_9KdRw2MxLb6TzQ4HcN1Vs",
        "name": "Night Shift"
      },
      "organizationLocation": null,
      "endedAt": null,
      "createdAt": "2026-06-29T10:05:00.000Z"
    },
    "selfPath": "/v2/instance-integrations/{instanceIntegrationId}/clients/client_3HsYp8QdWm5KzR1XbN7Vt/workers/worker_6TpJm4VcXz9RsG2QdK8Lb"
  },
  "organization_unit_type.created": {
    "entity": {
      "type": "organizationUnitType",
      "id": "unittype_4QmZt8XcVk1LwR6HdN3Bp"
    },
    "data": {
      "organizationUnitTypeId": "unittype_4QmZt8XcVk1LwR6HdN3Bp",
      "clientId": "client_3HsYp8QdWm5KzR1XbN7Vt",
      "name": "Shift",
      "units": [
        {
          "organizationUnitId": "unit_9KdRw2MxLb6TzQ4HcN1Vs",
          "name": "Night Shift",
          "unitCode": "SH-N",
          "description": "Bakes between ten and six.",
          "parentUnit": {
            "id": "unit_3VxHp5TkQd8ZmL1RcB7Wn",
            "name": "Bakery"
          }
        },
        {
          "organizationUnitId": "unit_7NbLc1RzXw4VtK9QmH5Ds",
          "name": "Small Hours",
          "unitCode": null,
          "description": null,
          "parentUnit": {
            "id": "unit_9KdRw2MxLb6TzQ4HcN1Vs",
            "name": "Night Shift"
          }
        }
      ],
      "createdAt": "2026-06-29T09:40:00.000Z"
    },
    "selfPath": "/v1/instance-integrations/{instanceIntegrationId}/clients/client_3HsYp8QdWm5KzR1XbN7Vt/organization-structure"
  },
  "organization_unit.created": {
    "entity": {
      "type": "organizationUnit",
      "id": "unit_9KdRw2MxLb6TzQ4HcN1Vs"
    },
    "data": {
      "organizationUnitId": "unit_9KdRw2MxLb6TzQ4HcN1Vs",
      "clientId": "client_3HsYp8QdWm5KzR1XbN7Vt",
      "name": "Night Shift",
      "unitCode": "SH-N",
      "description": "Bakes between ten and six.",
      "unitType": {
        "id": "unittype_4QmZt8XcVk1LwR6HdN3Bp",
        "name": "Shift"
      },
      "parentUnit": {
        "id": "unit_3VxHp5TkQd8ZmL1RcB7Wn",
        "name": "Bakery"
      },
      "createdAt": "2026-06-29T09:40:00.000Z"
    },
    "selfPath": "/v1/instance-integrations/{instanceIntegrationId}/clients/client_3HsYp8QdWm5KzR1XbN7Vt/organization-structure"
  },
  "organization_location.created": {
    "entity": {
      "type": "organizationLocation",
      "id": "location_1XbQn7WvHt5LpD3KmC9Rs"
    },
    "data": {
      "organizationLocationId": "location_1XbQn7WvHt5LpD3KmC9Rs",
      "clientId": "client_3HsYp8QdWm5KzR1XbN7Vt",
      "name": "Quayside",
      "createdAt": "2026-06-29T09:45:00.000Z"
    },
    "selfPath": "/v1/instance-integrations/{instanceIntegrationId}/clients/client_3HsYp8QdWm5KzR1XbN7Vt/organization-structure"
  },
  "organization_location.deleted": {
    "entity": {
      "type": "organizationLocation",
      "id": "location_1XbQn7WvHt5LpD3KmC9Rs"
    },
    "data": {
      "organizationLocationId": "location_1XbQn7WvHt5LpD3KmC9Rs",
      "clientId": "client_3HsYp8QdWm5KzR1XbN7Vt",
      "name": "Quayside",
      "createdAt": "2026-06-29T09:45:00.000Z"
    },
    "selfPath": "/v1/instance-integrations/{instanceIntegrationId}/clients/client_3HsYp8QdWm5KzR1XbN7Vt/organization-structure"
  }
} as const;
