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
  },
  "subscription.failing": {
    "entity": {
      "type": "subscription",
      "id": "subscription_5TkWq8ZrXn3LvB7McJ2Hd"
    },
    "data": {
      "subscriptionId": "subscription_5TkWq8ZrXn3LvB7McJ2Hd",
      "instanceIntegrationId": "installation_7Kq2mZx9Lw4TnB6RcV8Yd",
      "label": "payroll-sync",
      "state": "active",
      "stateReason": null,
      "failingSince": "2026-06-28T08:02:51.640Z",
      "disablesAt": "2026-07-03T08:02:51.640Z",
      "disabledAt": null,
      "createdAt": "2026-03-02T09:30:00.000Z"
    },
    "selfPath": "/v1/webhooks/subscriptions/subscription_5TkWq8ZrXn3LvB7McJ2Hd"
  },
  "delivery.exhausted": {
    "entity": {
      "type": "delivery",
      "id": "delivery_9PfLc4XsRw6KtV2ZqN8Bm"
    },
    "data": {
      "deliveryId": "delivery_9PfLc4XsRw6KtV2ZqN8Bm",
      "subscriptionId": "subscription_5TkWq8ZrXn3LvB7McJ2Hd",
      "instanceIntegrationId": "installation_7Kq2mZx9Lw4TnB6RcV8Yd",
      "eventId": "event_8WcHn3GvKp6YtJ1XsB4Zq",
      "eventType": "user.updated",
      "clientId": "client_3HsYp8QdWm5KzR1XbN7Vt",
      "reason": "timeout",
      "httpStatus": null,
      "attempts": 3,
      "createdAt": "2026-06-30T08:17:03.051Z"
    },
    "selfPath": "/v1/webhooks/deliveries/delivery_9PfLc4XsRw6KtV2ZqN8Bm"
  },
  "subscription.disabled": {
    "entity": {
      "type": "subscription",
      "id": "subscription_5TkWq8ZrXn3LvB7McJ2Hd"
    },
    "data": {
      "subscriptionId": "subscription_5TkWq8ZrXn3LvB7McJ2Hd",
      "instanceIntegrationId": "installation_7Kq2mZx9Lw4TnB6RcV8Yd",
      "label": "payroll-sync",
      "state": "disabled",
      "stateReason": "gone",
      "failingSince": null,
      "disablesAt": null,
      "disabledAt": "2026-06-30T11:05:30.277Z",
      "createdAt": "2026-03-02T09:30:00.000Z"
    },
    "selfPath": "/v1/webhooks/subscriptions/subscription_5TkWq8ZrXn3LvB7McJ2Hd"
  },
  "subscription.enabled": {
    "entity": {
      "type": "subscription",
      "id": "subscription_5TkWq8ZrXn3LvB7McJ2Hd"
    },
    "data": {
      "subscriptionId": "subscription_5TkWq8ZrXn3LvB7McJ2Hd",
      "instanceIntegrationId": "installation_7Kq2mZx9Lw4TnB6RcV8Yd",
      "label": "payroll-sync",
      "state": "active",
      "stateReason": null,
      "failingSince": null,
      "disablesAt": null,
      "disabledAt": "2026-06-30T11:05:30.277Z",
      "createdAt": "2026-03-02T09:30:00.000Z"
    },
    "selfPath": "/v1/webhooks/subscriptions/subscription_5TkWq8ZrXn3LvB7McJ2Hd"
  },
  "secret.expiring": {
    "entity": {
      "type": "subscription",
      "id": "subscription_5TkWq8ZrXn3LvB7McJ2Hd"
    },
    "data": {
      "subscriptionId": "subscription_5TkWq8ZrXn3LvB7McJ2Hd",
      "instanceIntegrationId": "installation_7Kq2mZx9Lw4TnB6RcV8Yd",
      "label": "payroll-sync",
      "number": 1,
      "expiresAt": "2026-07-01T03:48:00.000Z",
      "createdAt": "2026-03-02T09:30:00.000Z"
    },
    "selfPath": "/v1/webhooks/subscriptions/subscription_5TkWq8ZrXn3LvB7McJ2Hd"
  },
  "recovery.finished": {
    "entity": {
      "type": "recovery",
      "id": "recovery_2HvMt7QkYx5WnC9LrB4Zs"
    },
    "data": {
      "recoveryId": "recovery_2HvMt7QkYx5WnC9LrB4Zs",
      "subscriptionId": "subscription_5TkWq8ZrXn3LvB7McJ2Hd",
      "instanceIntegrationId": "installation_7Kq2mZx9Lw4TnB6RcV8Yd",
      "state": "finished",
      "matched": 48,
      "acknowledged": 47,
      "failed": 1,
      "bodyRemoved": 0,
      "createdAt": "2026-06-30T15:23:40.512Z"
    },
    "selfPath": "/v1/webhooks/recoveries/recovery_2HvMt7QkYx5WnC9LrB4Zs"
  }
} as const;
