// Made by `make generate`. Do not edit.

export interface paths {
    "/v1/instance-integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your instance integrations
         * @description Begin here: every other address of the gateway contains the id of an instance integration. Lists every instance
         *     that your integration is connected to, oldest first, including connections that are not configured yet. This
         *     list has no pages; the array is empty when there is none.
         */
        get: operations["listInstanceIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/instance-integrations/{instanceIntegrationId}/clients": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
            };
            cookie?: never;
        };
        /**
         * List the clients of an instance
         * @description Every client of the connected instance (a tenant: one company on one instance), oldest first. This list has no
         *     pages; the array is empty when there is none.
         */
        get: operations["listClients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        /**
         * Read a client
         * @description One client by its id, with name and address. The links in `client.created` lead here.
         */
        get: operations["getClient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/job-titles": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        /**
         * List the job titles of a client
         * @description Every job title that the client's workers have, each once, for example to fill a choice. Sorted by code point:
         *     capitals before small letters. This list has no pages; the array is empty when there is none.
         */
        get: operations["listJobTitles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/organization-structure": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        /**
         * Read the organization structure of a client
         * @description Layers (unit types), units and locations of the client, all in one answer, each oldest first. A unit refers to
         *     its type and, below the top level, to its parent. Read it again after an event whose type begins with
         *     `organization_`.
         */
        get: operations["getOrganizationStructure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/users": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        /**
         * List the dashboard users of a client
         * @description Every user of the client's dashboard whose status is not DELETED, oldest first. Without `limit` the answer has
         *     the whole list; with it a page, and the `Link` header has the address of the next one.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
                /**
                 * @description The id of a user of that client.
                 * @example user_2VfRk7TqLs9XmC4BwD6Hn
                 */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        /**
         * Read a dashboard user
         * @description One user by id, in any status: a deleted user is shown with status DELETED. The links in `user.created` and
         *     `user.updated` lead here.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/instance-integrations/{instanceIntegrationId}/clients/{clientId}/workers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        /**
         * List the workers of a client
         * @description Every worker of the client whose employment has not ended, oldest first. This version has no pages: the answer
         *     always has the whole list. Version 2, at the same path below `/v2`, adds units and location of each worker, and
         *     pages; take it for new work. The array is empty when there is none.
         */
        get: operations["listWorkers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/instance-integrations/{instanceIntegrationId}/clients/{clientId}/workers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        /**
         * List the workers of a client, with units and in pages
         * @description Every worker of the client whose employment has not ended, oldest first, with units and location, which version
         *     1 does not have. Without `limit` the answer has the whole list; with it a page, and the `Link` header has the
         *     address of the next one. The array is empty when there is none.
         */
        get: operations["listWorkersV2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/instance-integrations/{instanceIntegrationId}/clients/{clientId}/workers/{workerId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
                /**
                 * @description The id of a worker of that client.
                 * @example worker_9LmXt4KcZq7WvB2NhR5Sd
                 */
                workerId: components["parameters"]["WorkerId"];
            };
            cookie?: never;
        };
        /**
         * Read a worker
         * @description One worker by id, with units and location. The links in `worker.onboarded` and `worker.updated` lead here. An
         *     ended worker is still shown, with `endedAt`.
         */
        get: operations["getWorkerV2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "client.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A client was created on an instance that you are connected to.
         * @description Sent to your endpoint, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onClientCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person got a seat in a client's dashboard.
         * @description Sent to your endpoint, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onUserCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user's e-mail address, name, status, manager or role changed.
         * @description Sent to your endpoint, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onUserUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "worker.onboarded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A client onboarded a worker, who receives payroll from it.
         * @description Sent to your endpoint, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onWorkerOnboarded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "worker.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A worker's personal data, units or location changed, or the employment ended.
         * @description Sent to your endpoint, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onWorkerUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization_unit_type.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A client added a layer to its structure, for example departments.
         * @description Sent to your endpoint, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onOrganizationUnitTypeCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization_unit.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A client added a unit to its structure, for example one department.
         * @description Sent to your endpoint, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onOrganizationUnitCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization_location.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A client added a location where workers can be put.
         * @description Sent to your endpoint, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onOrganizationLocationCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization_location.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A client deleted a location; no worker works there any more.
         * @description Sent to your endpoint, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onOrganizationLocationDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * ApplicationInstance
         * @description One deployment of the platform.
         */
        ApplicationInstance: {
            /** @description Instance identifier. */
            id: string;
            /** @description Human-readable name. */
            instanceName: string;
        };
        /**
         * InstanceIntegration
         * @description The connection of an integration with one platform instance.
         */
        InstanceIntegration: {
            /** @description Identifier of the instance integration. */
            id: string;
            applicationInstance: components["schemas"]["ApplicationInstance"];
            /**
             * Format: date-time
             * @description Creation time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change, UTC.
             */
            updatedAt: string;
        };
        /**
         * InvalidPart
         * @description One part of a request that was refused.
         */
        InvalidPart: {
            /** @description Location of the part in the request. */
            in: string;
            /** @description Name of the parameter, or JSON pointer into the body. */
            name: string;
            /** @description What is wrong with it. */
            detail: string;
        };
        /**
         * Problem
         * @description A problem (RFC 9457), with a code for programs and a request id for support.
         */
        Problem: {
            /**
             * Format: uri
             * @description Address of a page with cause and fix.
             */
            type: string;
            /** @description The kind of problem, the same for every occurrence. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description A sentence about this occurrence. */
            detail: string;
            /** @description The kind of problem, as a stable word for programs. New codes may be added. */
            code: string;
            /** @description Equal to `detail`. */
            message: string;
            /** @description Equal to the `x-request-id` header of the response. */
            requestId: string;
            /** @description On 400, each part of the request that was refused. */
            errors?: components["schemas"]["InvalidPart"][];
        };
        /**
         * PostalAddress
         * @description A postal address; each part is always present and may be null.
         */
        PostalAddress: {
            /** @description Street and number. */
            address1: string | null;
            /** @description Second address line. */
            address2: string | null;
            /** @description City. */
            city: string | null;
            /** @description ISO 3166-1 alpha-2 country code. */
            isoCountryCode: string | null;
            /** @description Postal code. */
            postalCode: string | null;
            /** @description State or province code. */
            zoneCode: string | null;
        };
        /**
         * PlatformClient
         * @description A client of the platform, that is a tenant (one company) of one instance.
         */
        PlatformClient: {
            /** @description Identifier of the client. */
            id: string;
            /** @description Display name. */
            name: string;
            location: components["schemas"]["PostalAddress"];
        };
        /**
         * UnitType
         * @description A layer of a client's structure.
         */
        UnitType: {
            /** @description Identifier. */
            id: string;
            /** @description Display name. */
            name: string;
        };
        /**
         * OrganizationUnit
         * @description A unit of a client's structure.
         */
        OrganizationUnit: {
            /** @description Identifier. */
            id: string;
            /** @description Display name. */
            name: string;
            /** @description What the unit does. */
            description: string | null;
            /** @description Refers to an entry of `unitsTypes`. */
            unitTypeId: string;
            /** @description Refers to another unit; null for a top-level unit. */
            parentUnitId: string | null;
        };
        /**
         * OrganizationLocation
         * @description A place where a client's workers work.
         */
        OrganizationLocation: {
            /** @description Identifier. */
            id: string;
            /** @description Display name. */
            name: string;
        };
        /**
         * OrganizationStructure
         * @description The layers, units and locations that a client has defined.
         */
        OrganizationStructure: {
            /** @description The layers, for example Department and Division. The spelling is the wire's. */
            unitsTypes: components["schemas"]["UnitType"][];
            /** @description The units of those layers. */
            units: components["schemas"]["OrganizationUnit"][];
            /** @description The places where workers work; always present. */
            locations: components["schemas"]["OrganizationLocation"][];
        };
        /**
         * UserManager
         * @description The user whom a user reports to.
         */
        UserManager: {
            /** @description Identifier of the manager's user. */
            id: string;
            /** @description First name. */
            firstName: string | null;
            /** @description Last name. */
            lastName: string | null;
            /** @description First name, space, last name; null when both are. */
            fullName: string | null;
            /** @description E-mail address. */
            email: string;
        };
        /**
         * UserRole
         * @description The access role of a user.
         */
        UserRole: {
            /** @description Internal id of the access role; not a public id. Match roles by name. */
            id: string;
            /** @description Owner, Admin or the name of a custom role. */
            name: string;
        };
        /**
         * PlatformUser
         * @description A seat in the dashboard of one client.
         */
        PlatformUser: {
            /** @description Identifier of the user. */
            id: string;
            /** @description Identifier of the client whose dashboard the user may open. */
            clientId: string;
            /** @description E-mail address of the person. */
            email: string;
            /** @description First name. */
            firstName: string | null;
            /** @description Last name. */
            lastName: string | null;
            /** @description First name, space, last name; null when both are. */
            fullName: string | null;
            /**
             * @description State of the user.
             * @enum {string}
             */
            status: "ACTIVE" | "INACTIVE" | "INVITED" | "DELETED";
            /** @description The user's manager, or null. */
            manager: components["schemas"]["UserManager"] | null;
            /** @description The user's role, or null. */
            role: components["schemas"]["UserRole"] | null;
            /**
             * Format: date-time
             * @description When the user was created, UTC; never changes.
             */
            createdAt: string;
        };
        /**
         * Worker
         * @description A person who receives payroll from a client.
         */
        Worker: {
            /** @description Identifier of the worker. */
            id: string;
            /** @description First name. */
            firstName: string;
            /** @description Last name. */
            lastName: string;
            /** @description First name, space, last name. */
            fullName: string;
            /** @description E-mail address of the person. */
            email: string;
            /** @description Registered job titles. */
            jobTitles: string[];
            /** @description Telephone number. */
            phone: string | null;
            location: components["schemas"]["PostalAddress"];
        };
        /**
         * WorkerUnit
         * @description A unit that a worker belongs to.
         */
        WorkerUnit: {
            /** @description Identifier. */
            id: string;
            /** @description Display name. */
            name: string;
        };
        /**
         * WorkerV2
         * @description A person who receives payroll from a client.
         */
        WorkerV2: {
            /** @description Identifier of the worker. */
            id: string;
            /** @description First name. */
            firstName: string;
            /** @description Last name. */
            lastName: string;
            /** @description First name, space, last name. */
            fullName: string;
            /** @description E-mail address of the person. */
            email: string;
            /** @description Registered job titles. */
            jobTitles: string[];
            /** @description Telephone number. */
            phone: string | null;
            location: components["schemas"]["PostalAddress"];
            /** @description The units that the worker belongs to. */
            organizationUnits: components["schemas"]["WorkerUnit"][];
            /** @description The primary one among them, or null. */
            organizationUnit: components["schemas"]["WorkerUnit"] | null;
            /** @description The place where the worker works, or null. */
            organizationLocation: components["schemas"]["OrganizationLocation"] | null;
            /**
             * Format: date-time
             * @description When the employment ended, UTC; null while it lasts. Lists omit ended workers.
             */
            endedAt: string | null;
        };
        /**
         * ClientEntity
         * @description The client that the event is about.
         */
        ClientEntity: {
            /**
             * @description Kind of entity.
             * @constant
             */
            type: "client";
            /** @description Equal to `data.clientId`. */
            id: string;
        };
        /**
         * EventLinks
         * @description Where the current state can be read.
         */
        EventLinks: {
            /** @description Path below the gateway address, with your own instance integration filled in. */
            self: string;
        };
        /**
         * ClientSnapshot
         * @description The client at the time of the event. Workers, users and organization structure are not embedded.
         */
        ClientSnapshot: {
            /** @description Identifier of the client. */
            clientId: string;
            /** @description Display name at the time of the event. */
            name: string;
            address: components["schemas"]["PostalAddress"];
            links: components["schemas"]["EventLinks"];
        };
        /**
         * ClientCreatedEvent
         * @description A new client was created on an instance that your integration is connected to.
         */
        ClientCreatedEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "client.created";
            /**
             * @description Version of the envelope.
             * @constant
             */
            specVersion: 1;
            /**
             * @description Version of `data`. Added fields do not raise it.
             * @constant
             */
            dataVersion: 1;
            /**
             * Format: date-time
             * @description When the change was committed, UTC.
             */
            occurredAt: string;
            /**
             * Format: int64
             * @description Of two events about one entity, the later has the higher number. Keep it with what you store, and drop a snapshot whose
             *     number is not higher. Numbers have gaps. Absent in an event that was made before this member existed.
             */
            sequence?: number;
            /**
             * @description Only on an event that was triggered to try out a receiver; nothing has changed.
             * @constant
             */
            test?: true;
            entity: components["schemas"]["ClientEntity"];
            data: components["schemas"]["ClientSnapshot"];
        };
        /**
         * UserEntity
         * @description The user that the event is about.
         */
        UserEntity: {
            /**
             * @description Kind of entity.
             * @constant
             */
            type: "user";
            /** @description Equal to `data.userId`. */
            id: string;
        };
        /**
         * UserSnapshot
         * @description The user at the time of the event, in full. An event may arrive before an earlier one, or before `client.created`; upsert by `userId`.
         */
        UserSnapshot: {
            /** @description Identifier of the user. */
            userId: string;
            /** @description Identifier of the client whose dashboard the user may open. */
            clientId: string;
            /** @description E-mail address of the person. */
            email: string;
            /** @description First name. */
            firstName: string | null;
            /** @description Last name. */
            lastName: string | null;
            /** @description First name, space, last name; null when both are. */
            fullName: string | null;
            /**
             * @description State of the user.
             * @enum {string}
             */
            status: "ACTIVE" | "INACTIVE" | "INVITED" | "DELETED";
            /** @description The user's manager, or null. */
            manager: components["schemas"]["UserManager"] | null;
            /** @description The user's role, or null. */
            role: components["schemas"]["UserRole"] | null;
            /**
             * Format: date-time
             * @description When the user was created, UTC; never changes.
             */
            createdAt: string;
            links: components["schemas"]["EventLinks"];
        };
        /**
         * UserCreatedEvent
         * @description A dashboard user was created; default manager and initial role are assigned already.
         */
        UserCreatedEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "user.created";
            /**
             * @description Version of the envelope.
             * @constant
             */
            specVersion: 1;
            /**
             * @description Version of `data`. Added fields do not raise it.
             * @constant
             */
            dataVersion: 1;
            /**
             * Format: date-time
             * @description When the change was committed, UTC.
             */
            occurredAt: string;
            /**
             * Format: int64
             * @description Of two events about one entity, the later has the higher number. Keep it with what you store, and drop a snapshot whose
             *     number is not higher. Numbers have gaps. Absent in an event that was made before this member existed.
             */
            sequence?: number;
            /**
             * @description Only on an event that was triggered to try out a receiver; nothing has changed.
             * @constant
             */
            test?: true;
            entity: components["schemas"]["UserEntity"];
            data: components["schemas"]["UserSnapshot"];
        };
        /**
         * UserUpdatedEvent
         * @description E-mail, name, status, manager or role of a dashboard user changed.
         */
        UserUpdatedEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "user.updated";
            /**
             * @description Version of the envelope.
             * @constant
             */
            specVersion: 1;
            /**
             * @description Version of `data`. Added fields do not raise it.
             * @constant
             */
            dataVersion: 1;
            /**
             * Format: date-time
             * @description When the change was committed, UTC.
             */
            occurredAt: string;
            /**
             * Format: int64
             * @description Of two events about one entity, the later has the higher number. Keep it with what you store, and drop a snapshot whose
             *     number is not higher. Numbers have gaps. Absent in an event that was made before this member existed.
             */
            sequence?: number;
            /**
             * @description Only on an event that was triggered to try out a receiver; nothing has changed.
             * @constant
             */
            test?: true;
            entity: components["schemas"]["UserEntity"];
            data: components["schemas"]["UserSnapshot"];
        };
        /**
         * WorkerEntity
         * @description The worker that the event is about.
         */
        WorkerEntity: {
            /**
             * @description Kind of entity.
             * @constant
             */
            type: "worker";
            /** @description Equal to `data.workerId`. */
            id: string;
        };
        /**
         * WorkerSnapshot
         * @description The worker at the time of the event, in full. An event may arrive before an earlier one, or before `client.created`; upsert by `workerId`.
         */
        WorkerSnapshot: {
            /** @description Identifier of the worker. */
            workerId: string;
            /** @description Identifier of the client that employs the worker. */
            clientId: string;
            /** @description First name. */
            firstName: string;
            /** @description Last name. */
            lastName: string;
            /** @description First name, space, last name. */
            fullName: string;
            /** @description E-mail address of the person. */
            email: string;
            /** @description Registered job titles. */
            jobTitles: string[];
            /** @description Telephone number. */
            phone: string | null;
            location: components["schemas"]["PostalAddress"];
            /** @description The units that the worker belongs to. */
            organizationUnits: components["schemas"]["WorkerUnit"][];
            /** @description The primary one among them, or null. */
            organizationUnit: components["schemas"]["WorkerUnit"] | null;
            /** @description The place where the worker works, or null. */
            organizationLocation: components["schemas"]["OrganizationLocation"] | null;
            /**
             * Format: date-time
             * @description When the employment ended, UTC; null while it lasts. Lists omit ended workers.
             */
            endedAt: string | null;
            /**
             * Format: date-time
             * @description When the worker was onboarded, UTC; never changes.
             */
            createdAt: string;
            links: components["schemas"]["EventLinks"];
        };
        /**
         * WorkerOnboardedEvent
         * @description A person became a worker of a client.
         */
        WorkerOnboardedEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "worker.onboarded";
            /**
             * @description Version of the envelope.
             * @constant
             */
            specVersion: 1;
            /**
             * @description Version of `data`. Added fields do not raise it.
             * @constant
             */
            dataVersion: 1;
            /**
             * Format: date-time
             * @description When the change was committed, UTC.
             */
            occurredAt: string;
            /**
             * Format: int64
             * @description Of two events about one entity, the later has the higher number. Keep it with what you store, and drop a snapshot whose
             *     number is not higher. Numbers have gaps. Absent in an event that was made before this member existed.
             */
            sequence?: number;
            /**
             * @description Only on an event that was triggered to try out a receiver; nothing has changed.
             * @constant
             */
            test?: true;
            entity: components["schemas"]["WorkerEntity"];
            data: components["schemas"]["WorkerSnapshot"];
        };
        /**
         * WorkerUpdatedEvent
         * @description A worker changed, moved between units or locations, or ended.
         */
        WorkerUpdatedEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "worker.updated";
            /**
             * @description Version of the envelope.
             * @constant
             */
            specVersion: 1;
            /**
             * @description Version of `data`. Added fields do not raise it.
             * @constant
             */
            dataVersion: 1;
            /**
             * Format: date-time
             * @description When the change was committed, UTC.
             */
            occurredAt: string;
            /**
             * Format: int64
             * @description Of two events about one entity, the later has the higher number. Keep it with what you store, and drop a snapshot whose
             *     number is not higher. Numbers have gaps. Absent in an event that was made before this member existed.
             */
            sequence?: number;
            /**
             * @description Only on an event that was triggered to try out a receiver; nothing has changed.
             * @constant
             */
            test?: true;
            entity: components["schemas"]["WorkerEntity"];
            data: components["schemas"]["WorkerSnapshot"];
        };
        /**
         * OrganizationUnitTypeEntity
         * @description The unit type that the event is about.
         */
        OrganizationUnitTypeEntity: {
            /**
             * @description Kind of entity.
             * @constant
             */
            type: "organizationUnitType";
            /** @description Equal to `data.organizationUnitTypeId`. */
            id: string;
        };
        /**
         * NamedUnit
         * @description A unit, by id and name.
         */
        NamedUnit: {
            /** @description Identifier. */
            id: string;
            /** @description Display name. */
            name: string;
        };
        /**
         * EmbeddedUnit
         * @description A unit that was created together with its type.
         */
        EmbeddedUnit: {
            /** @description Identifier of the unit. */
            organizationUnitId: string;
            /** @description Display name. */
            name: string;
            /** @description The client's own code for the unit. */
            unitCode: string | null;
            /** @description What the unit does. */
            description: string | null;
            /** @description The unit above it; null for a top-level unit. */
            parentUnit: components["schemas"]["NamedUnit"] | null;
        };
        /**
         * OrganizationUnitTypeSnapshot
         * @description The unit type at the time of the event, with the units created together with it. Each of these gets its own `organization_unit.created` as well.
         */
        OrganizationUnitTypeSnapshot: {
            /** @description Identifier of the unit type. */
            organizationUnitTypeId: string;
            /** @description Identifier of the client whose structure it belongs to. */
            clientId: string;
            /** @description Display name. */
            name: string;
            /** @description The units created together with the type; possibly none. */
            units: components["schemas"]["EmbeddedUnit"][];
            /**
             * Format: date-time
             * @description When the unit type was created, UTC; never changes.
             */
            createdAt: string;
            links: components["schemas"]["EventLinks"];
        };
        /**
         * OrganizationUnitTypeCreatedEvent
         * @description A unit type was created, with the units created together with it.
         */
        OrganizationUnitTypeCreatedEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "organization_unit_type.created";
            /**
             * @description Version of the envelope.
             * @constant
             */
            specVersion: 1;
            /**
             * @description Version of `data`. Added fields do not raise it.
             * @constant
             */
            dataVersion: 1;
            /**
             * Format: date-time
             * @description When the change was committed, UTC.
             */
            occurredAt: string;
            /**
             * Format: int64
             * @description Of two events about one entity, the later has the higher number. Keep it with what you store, and drop a snapshot whose
             *     number is not higher. Numbers have gaps. Absent in an event that was made before this member existed.
             */
            sequence?: number;
            /**
             * @description Only on an event that was triggered to try out a receiver; nothing has changed.
             * @constant
             */
            test?: true;
            entity: components["schemas"]["OrganizationUnitTypeEntity"];
            data: components["schemas"]["OrganizationUnitTypeSnapshot"];
        };
        /**
         * OrganizationUnitEntity
         * @description The unit that the event is about.
         */
        OrganizationUnitEntity: {
            /**
             * @description Kind of entity.
             * @constant
             */
            type: "organizationUnit";
            /** @description Equal to `data.organizationUnitId`. */
            id: string;
        };
        /**
         * NamedUnitType
         * @description A unit type, by id and name.
         */
        NamedUnitType: {
            /** @description Identifier. */
            id: string;
            /** @description Display name. */
            name: string;
        };
        /**
         * OrganizationUnitSnapshot
         * @description The unit at the time of the event. May arrive before the events about its type or the unit above it.
         */
        OrganizationUnitSnapshot: {
            /** @description Identifier of the unit. */
            organizationUnitId: string;
            /** @description Identifier of the client whose structure it belongs to. */
            clientId: string;
            /** @description Display name. */
            name: string;
            /** @description The client's own code for the unit. */
            unitCode: string | null;
            /** @description What the unit does. */
            description: string | null;
            unitType: components["schemas"]["NamedUnitType"];
            /** @description The unit above it; null for a top-level unit. */
            parentUnit: components["schemas"]["NamedUnit"] | null;
            /**
             * Format: date-time
             * @description When the unit was created, UTC; never changes.
             */
            createdAt: string;
            links: components["schemas"]["EventLinks"];
        };
        /**
         * OrganizationUnitCreatedEvent
         * @description A unit was created; also sent for each unit that was created together with its type.
         */
        OrganizationUnitCreatedEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "organization_unit.created";
            /**
             * @description Version of the envelope.
             * @constant
             */
            specVersion: 1;
            /**
             * @description Version of `data`. Added fields do not raise it.
             * @constant
             */
            dataVersion: 1;
            /**
             * Format: date-time
             * @description When the change was committed, UTC.
             */
            occurredAt: string;
            /**
             * Format: int64
             * @description Of two events about one entity, the later has the higher number. Keep it with what you store, and drop a snapshot whose
             *     number is not higher. Numbers have gaps. Absent in an event that was made before this member existed.
             */
            sequence?: number;
            /**
             * @description Only on an event that was triggered to try out a receiver; nothing has changed.
             * @constant
             */
            test?: true;
            entity: components["schemas"]["OrganizationUnitEntity"];
            data: components["schemas"]["OrganizationUnitSnapshot"];
        };
        /**
         * OrganizationLocationEntity
         * @description The location that the event is about.
         */
        OrganizationLocationEntity: {
            /**
             * @description Kind of entity.
             * @constant
             */
            type: "organizationLocation";
            /** @description Equal to `data.organizationLocationId`. */
            id: string;
        };
        /**
         * OrganizationLocationSnapshot
         * @description The location at the time of the event; after its deletion, its last state.
         */
        OrganizationLocationSnapshot: {
            /** @description Identifier of the location. */
            organizationLocationId: string;
            /** @description Identifier of the client whose workers work there. */
            clientId: string;
            /** @description Display name. */
            name: string;
            /**
             * Format: date-time
             * @description When the location was created, UTC; never changes.
             */
            createdAt: string;
            links: components["schemas"]["EventLinks"];
        };
        /**
         * OrganizationLocationCreatedEvent
         * @description A location was created.
         */
        OrganizationLocationCreatedEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "organization_location.created";
            /**
             * @description Version of the envelope.
             * @constant
             */
            specVersion: 1;
            /**
             * @description Version of `data`. Added fields do not raise it.
             * @constant
             */
            dataVersion: 1;
            /**
             * Format: date-time
             * @description When the change was committed, UTC.
             */
            occurredAt: string;
            /**
             * Format: int64
             * @description Of two events about one entity, the later has the higher number. Keep it with what you store, and drop a snapshot whose
             *     number is not higher. Numbers have gaps. Absent in an event that was made before this member existed.
             */
            sequence?: number;
            /**
             * @description Only on an event that was triggered to try out a receiver; nothing has changed.
             * @constant
             */
            test?: true;
            entity: components["schemas"]["OrganizationLocationEntity"];
            data: components["schemas"]["OrganizationLocationSnapshot"];
        };
        /**
         * OrganizationLocationDeletedEvent
         * @description A location was deleted; the organization structure no longer lists it.
         */
        OrganizationLocationDeletedEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "organization_location.deleted";
            /**
             * @description Version of the envelope.
             * @constant
             */
            specVersion: 1;
            /**
             * @description Version of `data`. Added fields do not raise it.
             * @constant
             */
            dataVersion: 1;
            /**
             * Format: date-time
             * @description When the change was committed, UTC.
             */
            occurredAt: string;
            /**
             * Format: int64
             * @description Of two events about one entity, the later has the higher number. Keep it with what you store, and drop a snapshot whose
             *     number is not higher. Numbers have gaps. Absent in an event that was made before this member existed.
             */
            sequence?: number;
            /**
             * @description Only on an event that was triggered to try out a receiver; nothing has changed.
             * @constant
             */
            test?: true;
            entity: components["schemas"]["OrganizationLocationEntity"];
            data: components["schemas"]["OrganizationLocationSnapshot"];
        };
    };
    responses: {
        /**
         * @description A request that matches no operation, or that is refused before one is chosen: ambiguous or malformed request (400), unknown path (404),
         *     method not offered (405), request that does not arrive in time (408), body too large (413), content coding not offered (415), headers
         *     too large (431), fault of ours (500).
         */
        Unrouted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The answer to OPTIONS at every address of this contract: only the list of methods. No key is required, ids are not
         *     checked, and no other origin is allowed.
         */
        AllowedMethods: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The copy that `If-None-Match` names is current. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["PrivateCacheControl"];
                ETag: components["headers"]["EntityTag"];
                Vary: components["headers"]["Vary"];
                /**
                 * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                 *     seconds without requests. Absent when the key has no limit.
                 * @example "key";q=100;w=2
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                 *     seconds without requests, the full number again. Absent when the key has no limit.
                 * @example "key";r=97;t=1
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is malformed, or a path id is not a public id of its kind. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                /**
                 * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                 *     seconds without requests. Absent when the key has no limit.
                 * @example "key";q=100;w=2
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                 *     seconds without requests, the full number again. Absent when the key has no limit.
                 * @example "key";r=97;t=1
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key is missing, malformed, unknown, expired or revoked: the answer is the same for all of them. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "WWW-Authenticate": components["headers"]["ApiKeyChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key is valid, but lacks the scope that this operation asks for. */
        ScopeMissing: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                /**
                 * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                 *     seconds without requests. Absent when the key has no limit.
                 * @example "key";q=100;w=2
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                 *     seconds without requests, the full number again. Absent when the key has no limit.
                 * @example "key";r=97;t=1
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key has made more requests than its limit allows. Wait for the time given. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "Retry-After": components["headers"]["RetryAfter"];
                /**
                 * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                 *     seconds without requests. Absent when the key has no limit.
                 * @example "key";q=100;w=2
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                 *     seconds without requests, the full number again. Absent when the key has no limit.
                 * @example "key";r=97;t=1
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Our fault; the request id finds the cause in our logs. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service cannot answer at the moment. Try again after the time given. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The instance integration does not exist for this key, or is not configured. */
        InstanceIntegrationNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                /**
                 * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                 *     seconds without requests. Absent when the key has no limit.
                 * @example "key";q=100;w=2
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                 *     seconds without requests, the full number again. Absent when the key has no limit.
                 * @example "key";r=97;t=1
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The instance integration or the client does not exist for this key, or the instance integration is not configured. */
        ClientNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                /**
                 * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                 *     seconds without requests. Absent when the key has no limit.
                 * @example "key";q=100;w=2
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                 *     seconds without requests, the full number again. Absent when the key has no limit.
                 * @example "key";r=97;t=1
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The instance integration, the client or the user does not exist for this key, or the instance integration is not configured. */
        UserNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                /**
                 * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                 *     seconds without requests. Absent when the key has no limit.
                 * @example "key";q=100;w=2
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                 *     seconds without requests, the full number again. Absent when the key has no limit.
                 * @example "key";r=97;t=1
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The instance integration, the client or the worker does not exist for this key, or the instance integration is not configured. */
        WorkerNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                /**
                 * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                 *     seconds without requests. Absent when the key has no limit.
                 * @example "key";q=100;w=2
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                 *     seconds without requests, the full number again. Absent when the key has no limit.
                 * @example "key";r=97;t=1
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
         * @example "1c-q83vEjRWeJCrze8BI0VniQ"
         */
        IfNoneMatch: string;
        /**
         * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
         * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
         */
        InstanceIntegrationId: string;
        /**
         * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
         * @example client_3HsYp8QdWm5KzR1XbN7Vt
         */
        ClientId: string;
        /**
         * @description Page size, from 1 to 1,000. Without it the answer has the whole list.
         * @example 1
         */
        Limit: number;
        /**
         * @description Start of the next page, taken from the `Link` header of the previous page; valid for the same list and key only.
         * @example dlJdsvrSM0GZm_UNttkqQjE3ODI3MjcyMDAwMDAgdXNlcl8yVmZSazdUcUxzOVhtQzRCd0Q2SG4
         */
        UsersCursor: string;
        /**
         * @description The id of a user of that client.
         * @example user_2VfRk7TqLs9XmC4BwD6Hn
         */
        UserId: string;
        /**
         * @description Start of the next page, taken from the `Link` header of the previous page; valid for the same list and key only.
         * @example 9KfgFZdwz993ewpQjvAqlTE3ODI3Mjc1MDAwMDAgd29ya2VyXzlMbVh0NEtjWnE3V3ZCMk5oUjVTZA
         */
        WorkersCursor: string;
        /**
         * @description The id of a worker of that client.
         * @example worker_9LmXt4KcZq7WvB2NhR5Sd
         */
        WorkerId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request in our logs; quote it when you ask for help.
         * @example req_4tGJ9sWmQ2xZbL7NcR5Kd
         */
        XRequestId: string;
        /**
         * @description Answers depend on the key and are revalidated before reuse.
         * @example private, no-cache
         */
        PrivateCacheControl: "private, no-cache";
        /**
         * @description Changes whenever the answer may have changed; send it in `If-None-Match` (RFC 9110 §8.8.3). Valid for the same address and key.
         * @example "1c-q83vEjRWeJCrze8BI0VniQ"
         */
        EntityTag: string;
        /**
         * @description Request headers that the answer depends on.
         * @example x-api-key, Accept-Encoding
         */
        Vary: "x-api-key, Accept-Encoding";
        /**
         * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
         *     seconds without requests. Absent when the key has no limit.
         * @example "key";q=100;w=2
         */
        RateLimitPolicy: string;
        /**
         * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
         *     seconds without requests, the full number again. Absent when the key has no limit.
         * @example "key";r=97;t=1
         */
        RateLimit: string;
        /**
         * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
         * @example br
         */
        ContentEncoding: "br" | "gzip";
        /**
         * @description The answer must not be cached (RFC 6749 §5.1).
         * @example no-store
         */
        NoStore: "no-store";
        /**
         * @description The same challenge for every kind of bad key.
         * @example ApiKey realm="gateway"
         */
        ApiKeyChallenge: "ApiKey realm=\"gateway\"";
        /**
         * @description Seconds to wait before a retry (RFC 9110 §10.2.3).
         * @example 2
         */
        RetryAfter: string;
        /**
         * @description The next page, `<…>; rel="next"` (RFC 8288); absent on the last one.
         * @example <http://localhost:8080/v1/instance-integrations/installation_7Kq2mZx9Lw4TnB6RcV8Yd/clients/client_3HsYp8QdWm5KzR1XbN7Vt/users?limit=1&cursor=dlJdsvrSM0GZm_UNttkqQjE3ODI3MjcyMDAwMDAgdXNlcl8yVmZSazdUcUxzOVhtQzRCd0Q2SG4>; rel="next"
         */
        UsersLink: string;
        /**
         * @description The next page, `<…>; rel="next"` (RFC 8288); absent on the last one.
         * @example <http://localhost:8080/v2/instance-integrations/installation_7Kq2mZx9Lw4TnB6RcV8Yd/clients/client_3HsYp8QdWm5KzR1XbN7Vt/workers?limit=1&cursor=9KfgFZdwz993ewpQjvAqlTE3ODI3Mjc1MDAwMDAgd29ya2VyXzlMbVh0NEtjWnE3V3ZCMk5oUjVTZA>; rel="next"
         */
        WorkersLink: string;
        /**
         * @description The methods that the address answers (RFC 9110 §10.2.1).
         * @example GET, HEAD, OPTIONS
         */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listInstanceIntegrations: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
                 * @example "1c-q83vEjRWeJCrze8BI0VniQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The instance integrations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PrivateCacheControl"];
                    ETag: components["headers"]["EntityTag"];
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                     *     seconds without requests. Absent when the key has no limit.
                     * @example "key";q=100;w=2
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                     *     seconds without requests, the full number again. Absent when the key has no limit.
                     * @example "key";r=97;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstanceIntegration"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissing"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listClients: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
                 * @example "1c-q83vEjRWeJCrze8BI0VniQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clients. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PrivateCacheControl"];
                    ETag: components["headers"]["EntityTag"];
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                     *     seconds without requests. Absent when the key has no limit.
                     * @example "key";q=100;w=2
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                     *     seconds without requests, the full number again. Absent when the key has no limit.
                     * @example "key";r=97;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformClient"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["InstanceIntegrationNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getClient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
                 * @example "1c-q83vEjRWeJCrze8BI0VniQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PrivateCacheControl"];
                    ETag: components["headers"]["EntityTag"];
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                     *     seconds without requests. Absent when the key has no limit.
                     * @example "key";q=100;w=2
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                     *     seconds without requests, the full number again. Absent when the key has no limit.
                     * @example "key";r=97;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformClient"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["ClientNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listJobTitles: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
                 * @example "1c-q83vEjRWeJCrze8BI0VniQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job titles. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PrivateCacheControl"];
                    ETag: components["headers"]["EntityTag"];
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                     *     seconds without requests. Absent when the key has no limit.
                     * @example "key";q=100;w=2
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                     *     seconds without requests, the full number again. Absent when the key has no limit.
                     * @example "key";r=97;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["ClientNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganizationStructure: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
                 * @example "1c-q83vEjRWeJCrze8BI0VniQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization structure. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PrivateCacheControl"];
                    ETag: components["headers"]["EntityTag"];
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                     *     seconds without requests. Absent when the key has no limit.
                     * @example "key";q=100;w=2
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                     *     seconds without requests, the full number again. Absent when the key has no limit.
                     * @example "key";r=97;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationStructure"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["ClientNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description Page size, from 1 to 1,000. Without it the answer has the whole list.
                 * @example 1
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Start of the next page, taken from the `Link` header of the previous page; valid for the same list and key only.
                 * @example dlJdsvrSM0GZm_UNttkqQjE3ODI3MjcyMDAwMDAgdXNlcl8yVmZSazdUcUxzOVhtQzRCd0Q2SG4
                 */
                cursor?: components["parameters"]["UsersCursor"];
            };
            header?: {
                /**
                 * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
                 * @example "1c-q83vEjRWeJCrze8BI0VniQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All users, or one page of them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PrivateCacheControl"];
                    ETag: components["headers"]["EntityTag"];
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                     *     seconds without requests. Absent when the key has no limit.
                     * @example "key";q=100;w=2
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                     *     seconds without requests, the full number again. Absent when the key has no limit.
                     * @example "key";r=97;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    /**
                     * @description The next page, `<…>; rel="next"` (RFC 8288); absent on the last one.
                     * @example <http://localhost:8080/v1/instance-integrations/installation_7Kq2mZx9Lw4TnB6RcV8Yd/clients/client_3HsYp8QdWm5KzR1XbN7Vt/users?limit=1&cursor=dlJdsvrSM0GZm_UNttkqQjE3ODI3MjcyMDAwMDAgdXNlcl8yVmZSazdUcUxzOVhtQzRCd0Q2SG4>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformUser"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["ClientNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
                 * @example "1c-q83vEjRWeJCrze8BI0VniQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
                /**
                 * @description The id of a user of that client.
                 * @example user_2VfRk7TqLs9XmC4BwD6Hn
                 */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PrivateCacheControl"];
                    ETag: components["headers"]["EntityTag"];
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                     *     seconds without requests. Absent when the key has no limit.
                     * @example "key";q=100;w=2
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                     *     seconds without requests, the full number again. Absent when the key has no limit.
                     * @example "key";r=97;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformUser"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["UserNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkers: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
                 * @example "1c-q83vEjRWeJCrze8BI0VniQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All workers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PrivateCacheControl"];
                    ETag: components["headers"]["EntityTag"];
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                     *     seconds without requests. Absent when the key has no limit.
                     * @example "key";q=100;w=2
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                     *     seconds without requests, the full number again. Absent when the key has no limit.
                     * @example "key";r=97;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Worker"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["ClientNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkersV2: {
        parameters: {
            query?: {
                /**
                 * @description Page size, from 1 to 1,000. Without it the answer has the whole list.
                 * @example 1
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Start of the next page, taken from the `Link` header of the previous page; valid for the same list and key only.
                 * @example 9KfgFZdwz993ewpQjvAqlTE3ODI3Mjc1MDAwMDAgd29ya2VyXzlMbVh0NEtjWnE3V3ZCMk5oUjVTZA
                 */
                cursor?: components["parameters"]["WorkersCursor"];
            };
            header?: {
                /**
                 * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
                 * @example "1c-q83vEjRWeJCrze8BI0VniQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All workers, or one page of them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PrivateCacheControl"];
                    ETag: components["headers"]["EntityTag"];
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                     *     seconds without requests. Absent when the key has no limit.
                     * @example "key";q=100;w=2
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                     *     seconds without requests, the full number again. Absent when the key has no limit.
                     * @example "key";r=97;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    /**
                     * @description The next page, `<…>; rel="next"` (RFC 8288); absent on the last one.
                     * @example <http://localhost:8080/v2/instance-integrations/installation_7Kq2mZx9Lw4TnB6RcV8Yd/clients/client_3HsYp8QdWm5KzR1XbN7Vt/workers?limit=1&cursor=9KfgFZdwz993ewpQjvAqlTE3ODI3Mjc1MDAwMDAgd29ya2VyXzlMbVh0NEtjWnE3V3ZCMk5oUjVTZA>; rel="next"
                     */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkerV2"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["ClientNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkerV2: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
                 * @example "1c-q83vEjRWeJCrze8BI0VniQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of an instance integration, as listed by `GET /v1/instance-integrations`.
                 * @example installation_7Kq2mZx9Lw4TnB6RcV8Yd
                 */
                instanceIntegrationId: components["parameters"]["InstanceIntegrationId"];
                /**
                 * @description The id of a client (a tenant) of that instance, as listed by `GET /v1/instance-integrations/{instanceIntegrationId}/clients`.
                 * @example client_3HsYp8QdWm5KzR1XbN7Vt
                 */
                clientId: components["parameters"]["ClientId"];
                /**
                 * @description The id of a worker of that client.
                 * @example worker_9LmXt4KcZq7WvB2NhR5Sd
                 */
                workerId: components["parameters"]["WorkerId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The worker with units and location. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PrivateCacheControl"];
                    ETag: components["headers"]["EntityTag"];
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The limit of the key (draft-ietf-httpapi-ratelimit-headers-10): `q` requests may be sent at once, and again after `w`
                     *     seconds without requests. Absent when the key has no limit.
                     * @example "key";q=100;w=2
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description The key's remaining requests (draft-ietf-httpapi-ratelimit-headers-10): `r` requests may be sent at once; after `t`
                     *     seconds without requests, the full number again. Absent when the key has no limit.
                     * @example "key";r=97;t=1
                     */
                    RateLimit?: string;
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkerV2"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissing"];
            404: components["responses"]["WorkerNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    onClientCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientCreatedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, a redirect included, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCreatedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, a redirect included, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUserUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdatedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, a redirect included, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkerOnboarded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkerOnboardedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, a redirect included, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkerUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkerUpdatedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, a redirect included, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrganizationUnitTypeCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationUnitTypeCreatedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, a redirect included, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrganizationUnitCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationUnitCreatedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, a redirect included, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrganizationLocationCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationLocationCreatedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, a redirect included, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrganizationLocationDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationLocationDeletedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, a redirect included, is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
