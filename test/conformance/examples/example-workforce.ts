import { proofOf } from "../../../src/workforce/integrations/api-key.ts";
import { present } from "../../support/world.ts";
import { at, EXAMPLE, type Row, type Rows } from "./example-names.ts";

const { instanceId, managerPersonId, personId } = EXAMPLE;
const otherInstanceId = "instance_8QyLd4VmPk1SzF6HtB3Wn";
const integrationId = "integration_4WcZt8NbRk2YxL6VqJ9Pm";
const tenantId = "client_3HsYp8QdWm5KzR1XbN7Vt";
const bakerPersonId = "person_6YtHn3VcXk8QwL2RbM7Zs";
const driverPersonId = "person_9JpSw5GdFz1TxN4KcV8Rb";
const unitId = "unit_6TgNw2RzKm9XvL4QsB7Yc";

const EMPTY_ADDRESS = {
  address1: null,
  address2: null,
  city: null,
  iso_country_code: null,
  postal_code: null,
  zone_code: null,
};

const person = (id: string, profile: string, first: string, last: string, email: string): Row => ({
  id,
  worker_profile_id: profile,
  email,
  email_key: email,
  email_verified: 1,
  first_name: first,
  last_name: last,
  named: 1,
  disabled: 0,
  created_at: at("2026-02-01T08:00:00Z"),
});

/** Who works where, and which key may ask. */
export const workforceRows = (apiKey: string): Rows => [
  [
    "workforce_instances",
    { id: instanceId, name: "Europe", revision: 1, created_at: at("2026-01-10T08:00:00Z") },
    { id: otherInstanceId, name: "North America", revision: 1, created_at: at("2026-01-11T08:00:00Z") },
  ],
  [
    "workforce_integrations",
    { id: integrationId, name: "Payroll", revision: 1, created_at: at("2026-02-01T08:00:00Z") },
  ],
  [
    "workforce_instance_integrations",
    {
      id: "installation_7Kq2mZx9Lw4TnB6RcV8Yd",
      integration_id: integrationId,
      instance_id: instanceId,
      configured: 1,
      created_at: at("2026-02-03T09:12:44Z"),
      updated_at: at("2026-05-18T14:30:02Z"),
    },
    {
      id: "installation_2BvNc7HsTg5XpD9KwJ4Rm",
      integration_id: integrationId,
      instance_id: otherInstanceId,
      configured: 1,
      created_at: at("2026-04-21T16:01:09Z"),
      updated_at: at("2026-04-21T16:01:09Z"),
    },
  ],
  [
    "workforce_api_keys",
    {
      id: "apikey_3XvBn9LkQw5TzR7JcM2Yd",
      integration_id: integrationId,
      label: "example",
      look_up: present(proofOf(apiKey)).lookUp,
      digest: present(proofOf(apiKey)).digest,
      created_at: at("2026-02-03T09:20:00Z"),
      scopes: '["read","webhooks"]',
    },
  ],
  [
    "workforce_people",
    person(personId, "profile_4XbVt9RmZk2LwQ7NcJ6Gs", "Maren", "Dahl", EXAMPLE.email),
    person(managerPersonId, "profile_8KwTz3VbNq6XcL1RmS5Hd", "Aiko", "Marsh", "aiko.marsh@harbour-bakery.example"),
    person(bakerPersonId, "profile_2QnGx7JdFv9ZkT4WbM8Ls", "Ines", "Okafor", "ines.okafor@harbour-bakery.example"),
    person(
      driverPersonId,
      "profile_5RcYp1SwHt3VzK6XnB9Qg",
      "Tomas",
      "Lindqvist",
      "tomas.lindqvist@harbour-bakery.example",
    ),
  ],
  [
    "workforce_tenants",
    {
      id: tenantId,
      instance_id: instanceId,
      name: "Harbour Bakery",
      revision: 1,
      created_at: at("2026-02-04T10:00:00Z"),
      ...EMPTY_ADDRESS,
      address1: "14 Quay Street",
      city: "Rotterdam",
      iso_country_code: "NL",
      postal_code: "3011 AB",
    },
    {
      id: "client_6RjCx1ZkVb9LtG4PsM8Fw",
      instance_id: instanceId,
      name: "Northlight Studio",
      revision: 1,
      created_at: at("2026-03-04T10:00:00Z"),
      ...EMPTY_ADDRESS,
    },
  ],
  [
    "workforce_access_roles",
    { id: 1, tenant_id: tenantId, name: "Owner", kind: "OWNER", permissions: "[]" },
    { id: 2, tenant_id: tenantId, name: "Admin", kind: "ADMIN", permissions: "[]" },
  ],
  [
    "workforce_users",
    {
      id: "user_5ZgPx8LbQw3KtN7JcS1Vd",
      tenant_id: tenantId,
      person_id: managerPersonId,
      status: "ACTIVE",
      manager_id: null,
      access_role_id: 1,
      created_at: at("2026-06-29T10:01:00Z"),
    },
    {
      id: "user_2VfRk7TqLs9XmC4BwD6Hn",
      tenant_id: tenantId,
      person_id: personId,
      status: "ACTIVE",
      manager_id: "user_5ZgPx8LbQw3KtN7JcS1Vd",
      access_role_id: 2,
      created_at: at("2026-06-29T10:00:00Z"),
    },
  ],
  [
    "workforce_last_login_contexts",
    {
      person_id: personId,
      instance_id: instanceId,
      kind: "USER",
      tenant_id: tenantId,
      set_at: at("2026-07-01T08:00:00Z"),
    },
  ],
  [
    "workforce_unit_types",
    {
      id: "unittype_4BmXw7LsQz2KcN9RtG5Vd",
      tenant_id: tenantId,
      name: "Department",
      created_at: at("2026-06-01T08:00:00Z"),
    },
    { id: "unittype_8ZpTk3VnHy6WsJ1XcM4Lq", tenant_id: tenantId, name: "Team", created_at: at("2026-06-01T08:01:00Z") },
  ],
  [
    "workforce_units",
    {
      id: "unit_2QvRx9TmLk5ZsB8NwC3Hd",
      tenant_id: tenantId,
      name: "Production",
      created_at: at("2026-06-01T08:02:00Z"),
      unit_type_id: "unittype_4BmXw7LsQz2KcN9RtG5Vd",
      description: "Everything that is baked",
      parent_unit_id: null,
    },
    {
      id: unitId,
      tenant_id: tenantId,
      name: "Ovens",
      created_at: at("2026-06-01T08:03:00Z"),
      unit_type_id: "unittype_8ZpTk3VnHy6WsJ1XcM4Lq",
      description: null,
      parent_unit_id: "unit_2QvRx9TmLk5ZsB8NwC3Hd",
    },
  ],
  [
    "workforce_locations",
    {
      id: "location_1CxHs8VpQk5ZdJ3WtM9Rf",
      tenant_id: tenantId,
      name: "Quay Street",
      created_at: at("2026-06-01T08:04:00Z"),
    },
  ],
  [
    "workforce_workers",
    {
      id: "worker_9LmXt4KcZq7WvB2NhR5Sd",
      tenant_id: tenantId,
      person_id: bakerPersonId,
      person_named: 1,
      job_titles: JSON.stringify(["Baker", "Shift lead"]),
      phone: "+31 10 555 0142",
      location_id: "location_1CxHs8VpQk5ZdJ3WtM9Rf",
      created_at: at("2026-06-29T10:05:00Z"),
      address1: "3 Mill Lane",
      address2: "Flat 2",
      city: "Rotterdam",
      iso_country_code: "NL",
      postal_code: "3012 CD",
      zone_code: null,
    },
    {
      id: "worker_1QpGy6NdJf3HsV8TkX5Cb",
      tenant_id: tenantId,
      person_id: driverPersonId,
      person_named: 1,
      job_titles: "[]",
      phone: null,
      created_at: at("2026-06-29T10:06:00Z"),
      ...EMPTY_ADDRESS,
      iso_country_code: "NL",
    },
  ],
  [
    "workforce_worker_units",
    { tenant_id: tenantId, worker_id: "worker_9LmXt4KcZq7WvB2NhR5Sd", unit_id: unitId, position: 0, is_primary: 1 },
  ],
];
