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
    "/v1/webhooks/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your subscriptions
         * @description The subscriptions of your integration, oldest first, a page at a time.
         */
        get: operations["listSubscriptions"];
        put?: never;
        /**
         * Create a subscription
         * @description The signing secret is in this answer only. A subscription with an endpoint is `pending` until the endpoint
         *     acknowledges the ping that is sent at once; without an endpoint it is active at once and its events are read from
         *     the feed.
         */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        /**
         * Read a subscription
         * @description One subscription of your integration.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        /**
         * Delete a subscription
         * @description Ends it for good: pending deliveries are cancelled, secrets are erased.
         */
        delete: operations["deleteSubscription"];
        options?: never;
        head?: never;
        /**
         * Change a subscription
         * @description Changes the given members. A new endpoint makes an active subscription `pending` until it acknowledges the ping that
         *     is sent at once.
         */
        patch: operations["updateSubscription"];
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a subscription
         * @description Its events are skipped from now on; a recovery can send them later. Pausing twice changes nothing.
         */
        post: operations["pauseSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a subscription
         * @description Ends a pause and says what was skipped meanwhile.
         */
        post: operations["resumeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a subscription again
         * @description Enables a subscription that was disabled, for example after days of failures, and says what it missed since its
         *     endpoint last acknowledged an event.
         */
        post: operations["enableSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ping the endpoint
         * @description Sends a signed event of type `webhook.ping`, in any state, and waits up to ten seconds for the answer. An
         *     acknowledgement makes a pending subscription active, unless the endpoint has become another integration's meanwhile;
         *     an operator can register it then.
         */
        post: operations["pingSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}/test-events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a made-up event
         * @description Sends an event of the type to this subscription only, with made-up content and `"test": true` in the envelope.
         */
        post: operations["sendTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}/test-messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign test messages
         * @description Makes messages as this subscription's endpoint would get them, signed with every secret and key pair that signs now,
         *     and gives them as data: nothing is sent or stored. They are for trying out a receiver with what it must live with,
         *     or must refuse: members and types that it does not know, another order, old signatures. Each has made-up content, an
         *     id of its own, and `"test": true` in the envelope.
         */
        post: operations["signTestMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        /**
         * List the secrets that sign
         * @description Secrets and key pairs of the subscription that sign now, newest first, masked.
         */
        get: operations["listSigningSecrets"];
        put?: never;
        /**
         * Replace the secret
         * @description A new secret signs from now on; the replaced one signs beside it for the overlap, so that deliveries have two
         *     signatures.
         */
        post: operations["rotateSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}/secrets/{secretNumber}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
                /**
                 * @description The number of a signing secret, as listed with the secrets of its subscription.
                 * @example 1
                 */
                secretNumber: components["parameters"]["SecretNumber"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a secret at once
         * @description Nothing is signed with it any more.
         */
        delete: operations["revokeSigningSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}/public-keys": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        /**
         * List the public keys
         * @description The public keys by which signatures `v1a` of the subscription are verified, for everybody who knows its id; no key
         *     is needed. A subscription without a key pair is not found.
         */
        get: operations["listPublicKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        /**
         * Read events
         * @description The events of the subscription behind a cursor, in a stable order, with the bodies and signature headers that an
         *     endpoint would get. Without `after` from the oldest that is kept; `after=now` from now on. With `wait` the answer
         *     comes when there is an event, or when the time has passed; it is 404 as soon as the subscription is deleted.
         */
        get: operations["readEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{subscriptionId}/events/{eventId}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
                /**
                 * @description The id of an event, which is the header `webhook-id` of its deliveries.
                 * @example event_8WcHn3GvKp6YtJ1XsB4Zq
                 */
                eventId: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        /**
         * Explain an event
         * @description Why the subscription got the event, or did not: the rule that it did not pass, or its delivery with every attempt.
         */
        get: operations["explainEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Recent events that your subscriptions could have matched, whether one did or not, newest first, a page at a time.
         *     The list covers every instance on which you have a subscription; each event names your instance integration with the
         *     instance on which it happened.
         *     They have no content; explain one to see why a subscription did not get it.
         *     `type` is one type, a group like `user.*`, or `*`; a text that matches no type is 400.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Deliveries to the subscriptions of your integration with their attempts, newest first, a page at a time.
         *     `type` is one type, `webhook.ping` included, a group like `user.*`, or `*`; a text that matches no type is 400.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a delivery to one of your subscriptions, as listed by `GET /v1/webhooks/deliveries`.
                 * @example delivery_8RkTw3YbLm6XqP1ZsN5Vc
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description One delivery with all of its attempts.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a delivery to one of your subscriptions, as listed by `GET /v1/webhooks/deliveries`.
                 * @example delivery_8RkTw3YbLm6XqP1ZsN5Vc
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description One more attempt, in a round of its own, with the same `webhook-id` and body, a new timestamp and new signatures.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/recoveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recoveries
         * @description The recoveries of your integration, newest first, a page at a time.
         */
        get: operations["listRecoveries"];
        put?: never;
        /**
         * Start a recovery
         * @description Sends again what was not delivered to a subscription in a time range, beside what is live and more slowly. One
         *     recovery of a subscription runs at a time.
         */
        post: operations["startRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscription-recoveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a recovery of each subscription
         * @description Starts a recovery of each of your subscriptions that can be sent to and has no unfinished recovery, with one filter,
         *     for example after an outage of the machine that all of them send to. The others are named with the reason. One call
         *     takes 100 subscriptions; when there are more, the answer has a `next`, which the next call sends as `cursor`.
         */
        post: operations["startRecoveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/recoveries/{recoveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a recovery, as listed by `GET /v1/webhooks/recoveries`.
                 * @example recovery_6ZtHn4KbWq9XmS2LcV7Rp
                 */
                recoveryId: components["parameters"]["RecoveryId"];
            };
            cookie?: never;
        };
        /**
         * Read a recovery
         * @description One recovery with its progress.
         */
        get: operations["getRecovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/recoveries/{recoveryId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a recovery, as listed by `GET /v1/webhooks/recoveries`.
                 * @example recovery_6ZtHn4KbWq9XmS2LcV7Rp
                 */
                recoveryId: components["parameters"]["RecoveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a recovery
         * @description It stays where it is until it is resumed or cancelled; what is under way ends. One that has ended stays as it is.
         */
        post: operations["pauseRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/recoveries/{recoveryId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a recovery, as listed by `GET /v1/webhooks/recoveries`.
                 * @example recovery_6ZtHn4KbWq9XmS2LcV7Rp
                 */
                recoveryId: components["parameters"]["RecoveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a recovery
         * @description It goes on where it is.
         */
        post: operations["resumeRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/recoveries/{recoveryId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a recovery, as listed by `GET /v1/webhooks/recoveries`.
                 * @example recovery_6ZtHn4KbWq9XmS2LcV7Rp
                 */
                recoveryId: components["parameters"]["RecoveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a recovery
         * @description Ends it for good; what is under way ends by itself. One that has ended stays as it is.
         */
        post: operations["cancelRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types
         * @description Every type with the JSON Schema of its body and an example.
         */
        get: operations["listEventTypes"];
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
    "subscription.failing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Each delivery of one of your subscriptions has been exhausted for days.
         * @description Sent to subscriptions that name this type or its group, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onSubscriptionFailing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "delivery.exhausted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An event could not be delivered to one of your subscriptions; no attempt is left.
         * @description Sent to subscriptions that name this type or its group, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onDeliveryExhausted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One of your subscriptions was disabled; nothing is sent to its endpoint any more.
         * @description Sent to subscriptions that name this type or its group, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onSubscriptionDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One of your subscriptions that was disabled is enabled again.
         * @description Sent to subscriptions that name this type or its group, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onSubscriptionEnabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "secret.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A signing secret that you replaced stops signing within twelve hours.
         * @description Sent to subscriptions that name this type or its group, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onSecretExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "recovery.finished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A recovery of one of your subscriptions has ended.
         * @description Sent to subscriptions that name this type or its group, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onRecoveryFinished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Your endpoint is tried; nothing has changed.
         * @description Sent to a new or changed endpoint, and on request, signed by the Standard Webhooks scheme; the AsyncAPI document has headers and delivery rules.
         */
        post: operations["onWebhookPing"];
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
            /** @description Name of the parameter, or JSON pointer into the body (RFC 6901); `/` is the body as a whole. */
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
            /** @description On 410 of a feed, the cursor at which the kept part begins. */
            keptFrom?: string;
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
            /** @description Owner, Admin or Member, unless the client has renamed it, or the name of a custom role. */
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
         * ShownHeader
         * @description An extra header with its value masked.
         */
        ShownHeader: {
            /** @description Name of the header. */
            name: string;
            /** @description What is shown instead of the value. */
            maskedValue: string;
        };
        /**
         * Subscription
         * @description Which events your integration wants, and where they are sent.
         */
        Subscription: {
            /** @description Identifier of the subscription. */
            id: string;
            /** @description Its name in the operator's lists and metrics. */
            label: string;
            /** @description A text of yours; empty without one. */
            description: string;
            /** @description The instance integration whose events it gets. */
            instanceIntegrationId: string;
            /** @description Where events are posted. Absent for a pull-only subscription, whose events are read from its feed. */
            endpointUrl?: string;
            /** @description Exact types, a group like `user.*`, or `*`. */
            eventTypes: string[];
            /** @description Only events of these clients; empty for all clients of the instance. */
            clientIds: string[];
            /** @description `pending` until the endpoint acknowledges a ping; events are sent while it is `active`. New states may be added. */
            state: string;
            /**
             * @description Why it is disabled, as a word for programs. Absent when there is nothing to say, as after a pause. `gone`: the endpoint
             *     answered 410. `failing`: it acknowledged nothing for five days. `instance_integration_unconfigured`: the instance
             *     integration is not configured; the subscription is as before once it is. `instance_integration_revoked`: it is revoked,
             *     which is final. New words may be added.
             */
            stateReason?: string;
            /**
             * Format: date-time
             * @description Since when it is in this state.
             */
            stateSince: string;
            /** @description Headers that deliveries have besides those of the standard. */
            extraHeaders: components["schemas"]["ShownHeader"][];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        /**
         * SubscriptionPage
         * @description Subscriptions, oldest first.
         */
        SubscriptionPage: {
            /** @description The subscriptions of this page. */
            data: components["schemas"]["Subscription"][];
            /** @description The `cursor` of the next page; absent on the last one. */
            next?: string;
        };
        /**
         * GivenHeader
         * @description A header that deliveries are to have. `host`, `content-type`, `user-agent`, `webhook-*` and other reserved names are refused.
         */
        GivenHeader: {
            /** @description Name of the header. */
            name: string;
            /** @description Its value, printable ASCII. In an update, a header without a value keeps the one that it has. */
            value?: string;
        };
        /**
         * SubscriptionRequest
         * @description A subscription to be created.
         */
        SubscriptionRequest: {
            /** @description The instance integration whose events it gets. */
            instanceIntegrationId: string;
            /**
             * @description Where events are posted, an `https` address on the public Internet. Without one the subscription is pull-only. The
             *     endpoint of another integration is 400; an operator can register it.
             */
            endpointUrl?: string;
            /** @description Exact types, a group like `user.*`, or `*`. */
            eventTypes: string[];
            /** @description Only events of these clients, which the instance has; all clients of the instance without it. */
            clientIds?: string[];
            /** @description A text of yours on one line, without personal data. */
            description?: string;
            /** @description Headers that deliveries have besides those of the standard. */
            extraHeaders?: components["schemas"]["GivenHeader"][];
            /** @description A secret of your own, `whsec_` and base64 of 24 to 64 bytes. Without it, one is made. */
            signingSecret?: string;
            /** @description True for a key pair besides the secret, which signs as `v1a`. */
            asymmetric?: boolean;
        };
        /**
         * CreatedSubscription
         * @description A new subscription with its signing secret, which only this answer contains.
         */
        CreatedSubscription: {
            subscription: components["schemas"]["Subscription"];
            /** @description `whsec_` and base64 of 32 bytes. Absent when the request brought its own. */
            signingSecret?: string;
        };
        /**
         * SubscriptionChanges
         * @description The members that change; the others stay as they are.
         */
        SubscriptionChanges: {
            /**
             * @description A new address is pinged before anything is sent to it; the endpoint of another integration is 400. Null makes the
             *     subscription pull-only.
             */
            endpointUrl?: string | null;
            /** @description Exact types, a group like `user.*`, or `*`. */
            eventTypes?: string[];
            /** @description Only events of these clients, which the instance has; empty for all clients of the instance. */
            clientIds?: string[];
            /** @description A text of yours on one line, without personal data. */
            description?: string;
            /** @description All extra headers. One without a value keeps the value that it has. Needed, with all values or as an empty list, when `endpointUrl` moves to another origin and there are some. */
            extraHeaders?: components["schemas"]["GivenHeader"][];
        };
        /**
         * SkippedMeanwhile
         * @description Deliveries that were skipped or exhausted while the subscription was paused or, if it was disabled, since its endpoint last acknowledged an event. A recovery sends them.
         */
        SkippedMeanwhile: {
            /**
             * Format: date-time
             * @description The `from` of a recovery that sends all of them, at most 30 days ago.
             */
            since: string;
            /** @description How many of them were made since then; 1,000 means 1,000 or more. */
            count: number;
        };
        /**
         * ResumedSubscription
         * @description The subscription, and what was skipped meanwhile.
         */
        ResumedSubscription: {
            subscription: components["schemas"]["Subscription"];
            skipped?: components["schemas"]["SkippedMeanwhile"];
        };
        /**
         * Attempt
         * @description One POST.
         */
        Attempt: {
            /** @description 1 for the first delivery, one more for each time that it was sent again. */
            round: number;
            /** @description Its number within the round. */
            attemptNumber: number;
            /**
             * Format: date-time
             * @description When it was taken.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When its outcome was known; absent while it is under way.
             */
            finishedAt?: string;
            /**
             * @description How it ended. `acknowledged`: 2xx. `redirect`: 3xx, which is not followed. `gone`: 410. `refused`: any other status.
             *     `timeout`: no answer in time. `dns`: the name was not found. `tls`: no encrypted connection, for example because of
             *     the certificate. `connection`: no connection, or it broke. `address`: the name leads to an address or port to which
             *     nothing is sent. `protocol`: the answer is not HTTP, or too large. `in_flight`: it is under way. `lost`: its outcome
             *     never arrived, and it counts. New words may be added.
             */
            outcome: string;
            /** @description Status of the answer; absent without one. */
            httpStatus?: number;
            /** @description Milliseconds until the outcome was known. */
            durationMs?: number;
            /** @description Where it was sent, without the query. */
            endpoint?: string;
            /** @description The beginning of the answer's body as text, at most 500 characters. */
            answer?: string;
        };
        /**
         * Delivery
         * @description One event that is owed to one subscription, with its attempts.
         */
        Delivery: {
            /** @description Identifier of the delivery. */
            id: string;
            /** @description The event; equal to the header `webhook-id`. */
            eventId: string;
            /** @description The event type. */
            eventType: string;
            /** @description The subscription. */
            subscriptionId: string;
            /** @description `pending` while attempts are due. New states may be added. */
            state: string;
            /**
             * @description Why it was skipped, cancelled or exhausted, or waits, as a word for programs. Absent when there is nothing to say.
             *     `subscription_pending`: the endpoint had not acknowledged a ping yet. `subscription_paused`: the subscription was
             *     paused. `subscription_disabled`: it was disabled. `pull_only`: it has no endpoint, and the event is in its feed.
             *     `subscription_deleted`: it was deleted. `instance_integration_unconfigured`: the instance integration was not
             *     configured. `instance_integration_revoked`: it was revoked. `body_removed`: the body is no longer kept. `operator`: an
             *     operator cancelled it. `store_restored`: the store was restored from a backup, so the event may have been delivered
             *     before; while it is pending, it waits for an operator. Of an exhausted one, how its last attempt ended, in the words of
             *     `outcome`: `redirect`, `gone`, `refused`, `timeout`, `dns`, `tls`, `connection`, `address`, `protocol` or `lost`. New
             *     words may be added.
             */
            reason?: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the next attempt is due; absent when none is.
             */
            dueAt?: string;
            /** @description All attempts of all rounds, in their order. */
            attempts: components["schemas"]["Attempt"][];
            /** @description True when its body is no longer kept, so that it cannot be shown or sent again. */
            bodyRemoved: boolean;
        };
        /**
         * Ping
         * @description A ping, and what the endpoint answered.
         */
        Ping: {
            subscription: components["schemas"]["Subscription"];
            /** @description True when the endpoint answered 2xx in time. */
            acknowledged: boolean;
            delivery: components["schemas"]["Delivery"];
        };
        /**
         * TestEventRequest
         * @description The event that is made up.
         */
        TestEventRequest: {
            /** @description An event type, as listed by `GET /v1/webhooks/event-types`. */
            type: string;
        };
        /**
         * TestEvent
         * @description The made-up event.
         */
        TestEvent: {
            /** @description Its id, which is the header `webhook-id`. */
            eventId: string;
            /** @description Its delivery to the subscription. */
            deliveryId: string;
            /**
             * @description Why it is not sent; absent when it is. It is in the feed either way. `subscription_pending`: the endpoint has not
             *     acknowledged a ping yet. `subscription_paused`: the subscription is paused. `subscription_disabled`: it is disabled.
             *     `pull_only`: it has no endpoint. `instance_integration_unconfigured`: the instance integration is not configured.
             *     `instance_integration_revoked`: it was revoked. New words may be added.
             */
            skippedReason?: string;
        };
        /**
         * WantedTestMessage
         * @description A message that is made of the first example of its type.
         */
        WantedTestMessage: {
            /**
             * @description An event type, as listed by `GET /v1/webhooks/event-types`, or an unknown one: its message has the content of
             *     `client.created`. `webhook.ping` is refused, and so is a type with nothing before, between or after its dots.
             */
            type: string;
            /**
             * @description Ids of these kinds are new, and the same in all messages of the request; the others are those of the example. So
             *     messages can be about one entity that the receiver has not heard of.
             */
            newIds?: ("client" | "location" | "unit" | "unittype" | "user" | "worker")[];
            /** @description How long ago it happened, as `occurredAt` and `sequence` say; 0 unless given. */
            occurredSecondsAgo?: number;
            /** @description True for a member in the envelope that the contract does not have. */
            unknownMember?: boolean;
            /**
             * @description How the body is written. `spread` has line breaks, and a letter as an escape; `compact` unless given.
             * @enum {string}
             */
            layout?: "compact" | "spread";
            /** @description The instants that it is signed for, in seconds from now; now unless given. */
            signedSecondsFromNow?: number[];
        };
        /**
         * TestMessagesRequest
         * @description The messages that are made up.
         */
        TestMessagesRequest: {
            /** @description The messages. */
            messages: components["schemas"]["WantedTestMessage"][];
        };
        /**
         * SignedHeaders
         * @description The headers of the standard, signed when they were given with every secret that signed then.
         */
        SignedHeaders: {
            /** @description The event id. */
            "webhook-id": string;
            /** @description The time that the signature is for, Unix seconds; of an event of the feed, when it was read. */
            "webhook-timestamp": string;
            /** @description Signatures, separated by spaces. */
            "webhook-signature": string;
            /** @description The media type of the body. */
            "content-type": string;
        };
        /**
         * TestMessage
         * @description A message as an endpoint would get it.
         */
        TestMessage: {
            /** @description Its id, which is the header `webhook-id`. */
            id: string;
            /** @description Its type. */
            type: string;
            /** @description The exact text that is signed. */
            body: string;
            /** @description The headers for each instant, in the order of the request. */
            signed: components["schemas"]["SignedHeaders"][];
        };
        /**
         * TestMessages
         * @description Signed test messages.
         */
        TestMessages: {
            /** @description In the order of the request. */
            data: components["schemas"]["TestMessage"][];
        };
        /**
         * SigningSecret
         * @description A signing secret or key pair that signs now, without what is secret of it.
         */
        SigningSecret: {
            /** @description Unique within the subscription, rising. */
            number: number;
            /** @description `symmetric` signs as `v1` with a secret that you have too, `asymmetric` as `v1a` with a key pair (Ed25519). */
            kind: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it stops signing; absent for the current one of its kind.
             */
            expiresAt?: string;
            /** @description `whpk_` and base64 of 32 bytes; of a key pair only. */
            publicKey?: string;
        };
        /**
         * SigningSecretList
         * @description The secrets that sign now, newest first.
         */
        SigningSecretList: {
            /** @description At most three of each kind. */
            data: components["schemas"]["SigningSecret"][];
        };
        /**
         * SecretRotation
         * @description How a secret is replaced; every member may be absent.
         */
        SecretRotation: {
            /**
             * @description `symmetric` unless given.
             * @enum {string}
             */
            kind?: "symmetric" | "asymmetric";
            /** @description How long the replaced one signs beside the new one; 86,400 (24 hours) unless given. */
            overlapSeconds?: number;
            /** @description A secret of your own, `whsec_` and base64 of 24 to 64 bytes. Without it, one is made. */
            secret?: string;
        };
        /**
         * RotatedSecret
         * @description The new secret, which only this answer contains.
         */
        RotatedSecret: {
            /** @description Its number. */
            number: number;
            /** @description `whsec_` and base64 of 32 bytes. Absent for a key pair, and when the request brought its own. */
            secret?: string;
        };
        /**
         * VerificationKey
         * @description A public key by which signatures `v1a` are verified.
         */
        VerificationKey: {
            /** @description Unique within the subscription, rising. */
            number: number;
            /** @description `whpk_` and base64 of 32 bytes (Ed25519). */
            publicKey: string;
            /**
             * Format: date-time
             * @description When it stops signing; absent for the current one.
             */
            expiresAt?: string;
        };
        /**
         * PublicKeyList
         * @description The public keys of a subscription that sign now, newest first.
         */
        PublicKeyList: {
            /** @description At most three. */
            data: components["schemas"]["VerificationKey"][];
        };
        /**
         * FeedEvent
         * @description An event as an endpoint would get it now.
         */
        FeedEvent: {
            /** @description Event id; equal to the header `webhook-id`. */
            id: string;
            /** @description The event type. */
            type: string;
            /**
             * Format: date-time
             * @description When the change was committed.
             */
            occurredAt: string;
            /** @description The `after` that continues behind this event. */
            cursor: string;
            headers: components["schemas"]["SignedHeaders"];
            /** @description The exact text that is signed. Verify it with the headers before you parse it. */
            body: string;
        };
        /**
         * FeedPage
         * @description Events of one subscription in a stable order.
         */
        FeedPage: {
            /** @description The events behind the cursor, the first one first. */
            data: components["schemas"]["FeedEvent"][];
            /** @description The `after` to ask with next, also when there are no events. */
            next: string;
            /** @description True when there are more events already. */
            hasMore: boolean;
        };
        /**
         * MatchingRule
         * @description One rule that decides whether a subscription gets an event.
         */
        MatchingRule: {
            /** @description Name of the rule. New ones may be added. */
            rule: string;
            /** @description True when the event passes it. */
            fits: boolean;
            /** @description What was compared. */
            explanation: string;
        };
        /**
         * EventExplanation
         * @description Why a subscription got an event, or did not.
         */
        EventExplanation: {
            /** @description The event. */
            eventId: string;
            /** @description Its type. */
            eventType: string;
            /**
             * Format: date-time
             * @description When the change was committed. Absent for a test event, and when only the delivery is kept.
             */
            occurredAt?: string;
            /** @description The subscription. */
            subscriptionId: string;
            /** @description What became of the event and why, in one sentence. */
            explanation: string;
            /** @description The rules of matching in their order, by the present settings of the subscription. Empty when there is a delivery. */
            rules: components["schemas"]["MatchingRule"][];
            delivery?: components["schemas"]["Delivery"];
        };
        /**
         * ListedEvent
         * @description One event, without its content.
         */
        ListedEvent: {
            /** @description Identifier of the event; equal to the header `webhook-id`. */
            id: string;
            /** @description The event type. */
            type: string;
            /**
             * Format: date-time
             * @description When the change was committed.
             */
            occurredAt: string;
            /**
             * Format: int64
             * @description As in the event; of two events about one entity the later has the higher one.
             */
            sequence: number;
            /** @description Your instance integration with the instance on which it happened; read the client below it. */
            instanceIntegrationId: string;
            /**
             * ListedEventEntity
             * @description What the event is about.
             */
            entity: {
                /** @description Kind of the entity. */
                type: string;
                /** @description Identifier of the entity. */
                id: string;
            };
            /** @description The client in which it happened; absent for an event of no client. */
            clientId?: string;
        };
        /**
         * EventPage
         * @description Events, newest first.
         */
        EventPage: {
            /** @description The events of this page. It may be shorter than the limit, and even empty, though there is a `next`. */
            data: components["schemas"]["ListedEvent"][];
            /** @description The `cursor` of the next page; absent on the last one. */
            next?: string;
        };
        /**
         * DeliveryPage
         * @description Deliveries, newest first.
         */
        DeliveryPage: {
            /** @description The deliveries of this page. With filters it may be shorter than the limit, and even empty, though there is a `next`. */
            data: components["schemas"]["Delivery"][];
            /** @description The `cursor` of the next page; absent on the last one. */
            next?: string;
        };
        /**
         * Resend
         * @description A delivery that is sent once more.
         */
        Resend: {
            /** @description The delivery. */
            deliveryId: string;
            /** @description The round of the new attempt. */
            round: number;
        };
        /**
         * RecoveryProgress
         * @description How far a recovery has come.
         */
        RecoveryProgress: {
            /** @description Deliveries that belong to it, as far as they are counted. */
            matched: number;
            /** @description False while deliveries are still counted. */
            counted: boolean;
            /** @description Deliveries that were sent again, or are about to be. */
            sent: number;
            /** @description Of those sent, how many were acknowledged. */
            acknowledged: number;
            /** @description Of those sent, how many failed. */
            failed: number;
            /**
             * @description Not sent, because their bodies, or the deliveries themselves, were no longer kept when the recovery came to them.
             *     A delivery that is no longer kept counts here also if it was sent again by other means.
             */
            bodyRemoved: number;
        };
        /**
         * Recovery
         * @description A stored job that sends deliveries of one subscription again.
         */
        Recovery: {
            /** @description Identifier of the recovery. */
            id: string;
            /** @description The subscription. */
            subscriptionId: string;
            /** @description New states may be added. */
            state: string;
            /**
             * @description Why it is paused or cancelled, as a word for programs. Absent when there is nothing to say. `integration`: one of your
             *     API keys asked for it. `operator`: an operator did. `endpoint_failing`: twenty deliveries in a row failed.
             *     `subscription_pending`: the endpoint has not acknowledged a ping yet. `subscription_paused`: the subscription is
             *     paused. `subscription_disabled`: it is disabled. `pull_only`: it has no endpoint. `subscription_deleted`: it was
             *     deleted. `instance_integration_unconfigured`: the instance integration is not configured.
             *     `instance_integration_revoked`: it was revoked. `store_restored`: the store was restored from a backup. New words may
             *     be added.
             */
            reason?: string;
            /**
             * Format: date-time
             * @description Deliveries that were made from then on.
             */
            from: string;
            /**
             * Format: date-time
             * @description Deliveries that were made before then.
             */
            to: string;
            /** @description Which deliveries are sent again. */
            states: string[];
            /** @description Only these types; empty for all. */
            eventTypes: string[];
            /** @description Only events of these clients; empty for all. */
            clientIds: string[];
            /**
             * Format: date-time
             * @description When it was started.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was finished or cancelled; absent before.
             */
            endedAt?: string;
            progress: components["schemas"]["RecoveryProgress"];
        };
        /**
         * RecoveryPage
         * @description Recoveries, newest first.
         */
        RecoveryPage: {
            /** @description The recoveries of this page. */
            data: components["schemas"]["Recovery"][];
            /** @description The `cursor` of the next page; absent on the last one. */
            next?: string;
        };
        /**
         * RecoveryRequest
         * @description Which deliveries of a subscription are sent again.
         */
        RecoveryRequest: {
            /** @description The subscription. */
            subscriptionId: string;
            /**
             * Format: date-time
             * @description Deliveries that were made from then on.
             */
            from: string;
            /**
             * Format: date-time
             * @description Deliveries that were made before then, at most 31 days after `from`; now unless given, and for any later time.
             */
            to?: string;
            /** @description Both unless given. */
            states?: ("exhausted" | "skipped")[];
            /** @description Only these types; all unless given. */
            eventTypes?: string[];
            /** @description Only events of these clients; all unless given. */
            clientIds?: string[];
        };
        /**
         * RecoveriesRequest
         * @description Which deliveries of each subscription are sent again.
         */
        RecoveriesRequest: {
            /**
             * Format: date-time
             * @description Deliveries that were made from then on.
             */
            from: string;
            /**
             * Format: date-time
             * @description Deliveries that were made before then, at most 31 days after `from`; now unless given, and for any later time.
             */
            to?: string;
            /** @description Both unless given. */
            states?: ("exhausted" | "skipped")[];
            /** @description Only these types; all unless given. */
            eventTypes?: string[];
            /** @description Only events of these clients; all unless given. */
            clientIds?: string[];
            /** @description The `next` of the previous answer, with the other members as they were. */
            cursor?: string;
        };
        /**
         * RecoveryNotStarted
         * @description A subscription of which no recovery was started.
         */
        RecoveryNotStarted: {
            /** @description The subscription. */
            subscriptionId: string;
            /**
             * @description Why, as a word for programs. `recovery_not_over`: it has an unfinished recovery. `subscription_pending`: the
             *     endpoint has not acknowledged a ping yet. `subscription_paused`: the subscription is paused.
             *     `subscription_disabled`: it is disabled. `pull_only`: it has no endpoint. `instance_integration_unconfigured`: the
             *     instance integration is not configured. `instance_integration_revoked`: it was revoked. New words may be added.
             */
            reason: string;
            /** @description The same as a sentence that says what to do. */
            detail: string;
        };
        /**
         * StartedRecoveries
         * @description What became of each subscription.
         */
        StartedRecoveries: {
            /** @description The recoveries, in the order of their subscriptions, oldest first. */
            started: components["schemas"]["Recovery"][];
            /** @description Subscriptions of which no recovery was started. */
            notStarted: components["schemas"]["RecoveryNotStarted"][];
            /** @description The cursor of the next subscriptions; absent when none is left. */
            next?: string;
        };
        /**
         * EventType
         * @description One type of events.
         */
        EventType: {
            /** @description The type, for example `user.updated`. */
            type: string;
            /** @description When it is sent, in one sentence. */
            description: string;
            /** @description JSON Schema (2020-12) of the body. */
            schema: {
                [key: string]: unknown;
            };
            /** @description A body, as it is sent. */
            example: {
                [key: string]: unknown;
            };
        };
        /**
         * EventTypeList
         * @description Every event type.
         */
        EventTypeList: {
            /** @description In the order of the events' documentation. */
            data: components["schemas"]["EventType"][];
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
        /**
         * SubscriptionEntity
         * @description The subscription that the event is about.
         */
        SubscriptionEntity: {
            /**
             * @description Kind of entity.
             * @constant
             */
            type: "subscription";
            /** @description Equal to `data.subscriptionId`. */
            id: string;
        };
        /**
         * OperationalLinks
         * @description Where the current state can be read.
         */
        OperationalLinks: {
            /** @description Path below the gateway address. Reading it needs an API key with the scope `webhooks`. */
            self: string;
        };
        /**
         * SubscriptionSnapshot
         * @description The subscription at the time of the event.
         */
        SubscriptionSnapshot: {
            /** @description Identifier of the subscription. */
            subscriptionId: string;
            /** @description Identifier of the instance integration that the subscription belongs to. */
            instanceIntegrationId: string;
            /** @description Label of the subscription. */
            label: string;
            /**
             * @description State of the subscription.
             * @enum {string}
             */
            state: "pending" | "active" | "paused" | "disabled";
            /**
             * @description Why it is disabled; null when there is nothing to say. `gone`: the endpoint answered 410. `failing`: it acknowledged
             *     nothing for five days. New words may be added.
             */
            stateReason: string | null;
            /**
             * Format: date-time
             * @description Since when every delivery that ended was exhausted, UTC; null when the last one was acknowledged.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When it is disabled at the earliest, UTC, if nothing is acknowledged until then; null unless it is failing.
             */
            disablesAt: string | null;
            /**
             * Format: date-time
             * @description When it was disabled, UTC; null unless the event says that it was disabled or is enabled again.
             */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description When the subscription was created, UTC; never changes.
             */
            createdAt: string;
            links: components["schemas"]["OperationalLinks"];
        };
        /**
         * SubscriptionFailingEvent
         * @description Each delivery of a subscription has been failing for days.
         */
        SubscriptionFailingEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "subscription.failing";
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
            entity: components["schemas"]["SubscriptionEntity"];
            data: components["schemas"]["SubscriptionSnapshot"];
        };
        /**
         * DeliveryEntity
         * @description The delivery that the event is about.
         */
        DeliveryEntity: {
            /**
             * @description Kind of entity.
             * @constant
             */
            type: "delivery";
            /** @description Equal to `data.deliveryId`. */
            id: string;
        };
        /**
         * DeliverySnapshot
         * @description The delivery at the time of the event, without the event that it was to deliver.
         */
        DeliverySnapshot: {
            /** @description Identifier of the delivery. */
            deliveryId: string;
            /** @description Identifier of the subscription. */
            subscriptionId: string;
            /** @description Identifier of the instance integration that the subscription belongs to. */
            instanceIntegrationId: string;
            /** @description Id of the event that was not acknowledged. */
            eventId: string;
            /** @description Type of the event that was not acknowledged. */
            eventType: string;
            /** @description Identifier of the client that the event is about; null when it is about none. */
            clientId: string | null;
            /**
             * @description How the last attempt ended. `redirect`: 3xx, which is not followed. `gone`: 410. `refused`: any other status but 2xx.
             *     `timeout`: no answer in time. `dns`: the name was not found. `tls`: no encrypted connection, for example because of
             *     the certificate. `connection`: no connection, or it broke. `address`: the name leads to an address or port to which
             *     nothing is sent. `protocol`: the answer is not HTTP, or too large. `lost`: its outcome never arrived. New words may be
             *     added.
             */
            reason: string;
            /** @description Status of the last answer; null when there was none. */
            httpStatus: number | null;
            /** @description Attempts that were made in this round. */
            attempts: number;
            /**
             * Format: date-time
             * @description When the delivery was created, UTC; never changes.
             */
            createdAt: string;
            links: components["schemas"]["OperationalLinks"];
        };
        /**
         * DeliveryExhaustedEvent
         * @description A delivery has no attempt left.
         */
        DeliveryExhaustedEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "delivery.exhausted";
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
            entity: components["schemas"]["DeliveryEntity"];
            data: components["schemas"]["DeliverySnapshot"];
        };
        /**
         * SubscriptionDisabledEvent
         * @description A subscription was disabled: nothing is sent to its endpoint any more.
         */
        SubscriptionDisabledEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "subscription.disabled";
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
            entity: components["schemas"]["SubscriptionEntity"];
            data: components["schemas"]["SubscriptionSnapshot"];
        };
        /**
         * SubscriptionEnabledEvent
         * @description A subscription that was disabled is enabled again.
         */
        SubscriptionEnabledEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "subscription.enabled";
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
            entity: components["schemas"]["SubscriptionEntity"];
            data: components["schemas"]["SubscriptionSnapshot"];
        };
        /**
         * SecretSnapshot
         * @description A signing secret at the time of the event, without the secret itself.
         */
        SecretSnapshot: {
            /** @description Identifier of the subscription. */
            subscriptionId: string;
            /** @description Identifier of the instance integration that the subscription belongs to. */
            instanceIntegrationId: string;
            /** @description Label of the subscription. */
            label: string;
            /** @description Number of the secret within the subscription. */
            number: number;
            /**
             * Format: date-time
             * @description When it stops signing, UTC.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the secret was created, UTC; never changes.
             */
            createdAt: string;
            links: components["schemas"]["OperationalLinks"];
        };
        /**
         * SecretExpiringEvent
         * @description A secret that was replaced stops signing within twelve hours.
         */
        SecretExpiringEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "secret.expiring";
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
            entity: components["schemas"]["SubscriptionEntity"];
            data: components["schemas"]["SecretSnapshot"];
        };
        /**
         * RecoveryEntity
         * @description The recovery that the event is about.
         */
        RecoveryEntity: {
            /**
             * @description Kind of entity.
             * @constant
             */
            type: "recovery";
            /** @description Equal to `data.recoveryId`. */
            id: string;
        };
        /**
         * RecoverySnapshot
         * @description The recovery at the time of the event.
         */
        RecoverySnapshot: {
            /** @description Identifier of the recovery. */
            recoveryId: string;
            /** @description Identifier of the subscription. */
            subscriptionId: string;
            /** @description Identifier of the instance integration that the subscription belongs to. */
            instanceIntegrationId: string;
            /**
             * @description How it ended.
             * @enum {string}
             */
            state: "finished" | "cancelled";
            /** @description Deliveries that it found. */
            matched: number;
            /** @description Those of them that the endpoint acknowledged when they were sent again. */
            acknowledged: number;
            /** @description Those of them that it did not acknowledge. */
            failed: number;
            /** @description Those of them that it did not send, because their bodies, or the deliveries themselves, were no longer kept. A delivery that is no longer kept counts here also if it was sent again by other means. */
            bodyRemoved: number;
            /**
             * Format: date-time
             * @description When the recovery was created, UTC; never changes.
             */
            createdAt: string;
            links: components["schemas"]["OperationalLinks"];
        };
        /**
         * RecoveryFinishedEvent
         * @description A recovery has ended.
         */
        RecoveryFinishedEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "recovery.finished";
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
            entity: components["schemas"]["RecoveryEntity"];
            data: components["schemas"]["RecoverySnapshot"];
        };
        /**
         * WebhookSnapshot
         * @description The subscription whose endpoint is tried.
         */
        WebhookSnapshot: {
            /** @description Identifier of the subscription. */
            subscriptionId: string;
            /** @description Label of the subscription. */
            label: string;
            links: components["schemas"]["OperationalLinks"];
        };
        /**
         * WebhookPingEvent
         * @description Your endpoint is tried; nothing has changed.
         */
        WebhookPingEvent: {
            /** @description Event id; equal to the `webhook-id` header and the same on every attempt. */
            id: string;
            /**
             * @description The event type.
             * @constant
             */
            type: "webhook.ping";
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
             * @description When the ping was made, UTC.
             */
            occurredAt: string;
            /**
             * Format: int64
             * @description Always 0: a ping changes nothing, so it is older than every event about the subscription.
             */
            sequence?: number;
            /**
             * @description Only on an event that was triggered to try out a receiver; nothing has changed.
             * @constant
             */
            test?: true;
            entity: components["schemas"]["SubscriptionEntity"];
            data: components["schemas"]["WebhookSnapshot"];
        };
    };
    responses: {
        /**
         * @description A request that matches no operation, or that is refused before one is chosen: ambiguous or malformed request (400), unknown path (404),
         *     method not offered (405), request that does not arrive in time (408), body too large (413), media type or content coding not offered (415), headers
         *     too large (431), fault of ours (500). If an unknown path ends with a slash and exists without it, `detail` names that path;
         *     of a malformed request it says what is wrong.
         */
        Unrouted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
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
                "Cache-Control": components["headers"]["RefusedNoStore"];
                /**
                 * @description If a content coding is why; bodies are taken without one (RFC 9110 §15.5.16).
                 * @example identity
                 */
                "Accept-Encoding"?: "identity";
                /**
                 * @description On 405, the methods that the address answers (RFC 9110 §10.2.1).
                 * @example GET, HEAD, OPTIONS
                 */
                Allow?: string;
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
        /** @description The API key is missing, sent more than once, malformed, unknown, expired or revoked: the answer is the same for all of them. */
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
        /** @description The answer would have none of the entity tags in `If-Match`. */
        PreconditionFailed: {
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
        /** @description The key is over its limit of requests, or the integration over its limit of pings, test events, test messages or waiting reads. Wait for the time given. */
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
        /** @description The key is valid, but lacks the scope `webhooks`. */
        ScopeMissingForWebhooks: {
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
        /** @description The integration has as many subscriptions as it may. */
        TooManySubscriptions: {
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
        /** @description The body is larger than 64 KiB; refused without a look at its content or at the key. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not JSON, or has a content coding; none is decoded. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                /**
                 * @description If a content coding is why; bodies are taken without one (RFC 9110 §15.5.16).
                 * @example identity
                 */
                "Accept-Encoding"?: "identity";
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
        /** @description The copy that `If-None-Match` names is current. */
        SubscriptionNotModified: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                ETag: components["headers"]["SubscriptionTag"];
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
        /** @description The subscription does not exist for this key. */
        SubscriptionNotFound: {
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
        /** @description The subscription has none of the entity tags in `If-Match`; nothing was done. */
        SubscriptionChangedSince: {
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
        /** @description The subscription does not exist for this key, or its instance integration is revoked. */
        SubscriptionOrIntegrationNotFound: {
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
        /** @description The subscription is disabled. */
        SubscriptionDisabled: {
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
        /** @description The subscription does not exist for this key, or its instance integration is revoked or not configured. */
        ReachableSubscriptionNotFound: {
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
        /** @description The subscription has no endpoint. */
        SubscriptionPullOnly: {
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
        /** @description The subscription does not ask for the event type. */
        NotSubscribed: {
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
        /** @description Three secrets of the kind sign already. */
        TooManySecrets: {
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
        /** @description The subscription does not exist for this key, or has no live secret with this number. */
        SecretNotFound: {
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
        /** @description The secret is the current one. */
        CurrentSecret: {
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
        /** @description Events behind the cursor are no longer kept. `keptFrom` is the cursor at which the kept part begins. */
        CursorExpired: {
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
        /** @description The subscription does not exist for this key, or the event is unknown to it or no longer kept. */
        EventNotFound: {
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
        /** @description The delivery does not exist for this key, or is no longer kept. */
        DeliveryNotFound: {
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
        /** @description The delivery does not exist for this key or is no longer kept, its subscription was deleted, or its instance integration is revoked or not configured. */
        ReachableDeliveryNotFound: {
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
        /** @description The delivery cannot be sent again now. */
        CannotResend: {
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
        /** @description Nothing can be sent to the subscription now, or it has an unfinished recovery. */
        CannotRecover: {
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
        /** @description The recovery does not exist for this key, or is no longer kept. */
        RecoveryNotFound: {
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
        /** @description The recovery does not exist for this key, or the instance integration of its subscription is revoked or not configured. */
        ReachableRecoveryNotFound: {
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
        /** @description The recovery was cancelled, or nothing can be sent to its subscription now. */
        CannotResumeRecovery: {
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
         * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
         * @example *
         */
        IfMatch: string;
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
        /** @description Page size, from 1 to 500; 50 without it. */
        WebhooksLimit: number;
        /** @description The `next` of the previous page; valid for the same list and key only. */
        WebhooksCursor: string;
        /**
         * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
         * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
         */
        SubscriptionId: string;
        /**
         * @description The `ETag` of the subscription as you know it, or several; `*` means any. If the subscription has another tag by now, nothing is done, and the answer is 412 (RFC 9110 §13.1.1).
         * @example *
         */
        IfMatchSubscription: string;
        /**
         * @description The number of a signing secret, as listed with the secrets of its subscription.
         * @example 1
         */
        SecretNumber: number;
        /**
         * @description The id of an event, which is the header `webhook-id` of its deliveries.
         * @example event_8WcHn3GvKp6YtJ1XsB4Zq
         */
        EventId: string;
        /**
         * @description The id of a delivery to one of your subscriptions, as listed by `GET /v1/webhooks/deliveries`.
         * @example delivery_8RkTw3YbLm6XqP1ZsN5Vc
         */
        DeliveryId: string;
        /**
         * @description The id of a recovery, as listed by `GET /v1/webhooks/recoveries`.
         * @example recovery_6ZtHn4KbWq9XmS2LcV7Rp
         */
        RecoveryId: string;
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
         * @description Changes whenever the subscription does, and with each new signing secret; send it in `If-Match` to write only if you know the latest (RFC 9110 §8.8.3). Valid for every key of your integration.
         * @example "q83vEjRWeJCrze8BI0VniQ"
         */
        SubscriptionTag: string;
        /**
         * @description The address of what was created, to read it at (RFC 9110 §15.3.2).
         * @example http://localhost:8080/v1/webhooks/subscriptions/subscription_7Kq2mZx9Lw4TnB6RcV8Yd
         */
        CreatedLocation: string;
        /**
         * @description If a content coding is why; bodies are taken without one (RFC 9110 §15.5.16).
         * @example identity
         */
        AcceptEncoding: "identity";
        /**
         * @description A refusal is not cached.
         * @example no-store
         */
        RefusedNoStore: "no-store";
        /**
         * @description On 405, the methods that the address answers (RFC 9110 §10.2.1).
         * @example GET, HEAD, OPTIONS
         */
        AllowIfRefused: string;
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
                /**
                 * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
            412: components["responses"]["PreconditionFailed"];
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
                /**
                 * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
            412: components["responses"]["PreconditionFailed"];
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
                /**
                 * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
            412: components["responses"]["PreconditionFailed"];
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
                /**
                 * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
            412: components["responses"]["PreconditionFailed"];
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
                /**
                 * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
            412: components["responses"]["PreconditionFailed"];
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
                /**
                 * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
            412: components["responses"]["PreconditionFailed"];
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
                /**
                 * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
            412: components["responses"]["PreconditionFailed"];
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
                /**
                 * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
            412: components["responses"]["PreconditionFailed"];
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
                /**
                 * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
            412: components["responses"]["PreconditionFailed"];
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
                /**
                 * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description Page size, from 1 to 500; 50 without it. */
                limit?: components["parameters"]["WebhooksLimit"];
                /** @description The `next` of the previous page; valid for the same list and key only. */
                cursor?: components["parameters"]["WebhooksCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subscriptions. */
            200: {
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
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionRequest"];
            };
        };
        responses: {
            /** @description The new subscription with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    ETag: components["headers"]["SubscriptionTag"];
                    Location: components["headers"]["CreatedLocation"];
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
                    "application/json": components["schemas"]["CreatedSubscription"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["InstanceIntegrationNotFound"];
            409: components["responses"]["TooManySubscriptions"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy, or several. If nothing has changed since, the answer is 304 without a body (RFC 9110 §13.1.2).
                 * @example "1c-q83vEjRWeJCrze8BI0VniQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description The `ETag` of your copy, or several; `*` means any. If the answer would have another tag, it is 412 (RFC 9110 §13.1.1). To ask whether something has changed, send `If-None-Match`.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    ETag: components["headers"]["SubscriptionTag"];
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
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            304: components["responses"]["SubscriptionNotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["SubscriptionNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the subscription as you know it, or several; `*` means any. If the subscription has another tag by now, nothing is done, and the answer is 412 (RFC 9110 §13.1.1).
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatchSubscription"];
            };
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
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
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["SubscriptionNotFound"];
            412: components["responses"]["SubscriptionChangedSince"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the subscription as you know it, or several; `*` means any. If the subscription has another tag by now, nothing is done, and the answer is 412 (RFC 9110 §13.1.1).
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatchSubscription"];
            };
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionChanges"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    ETag: components["headers"]["SubscriptionTag"];
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
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["SubscriptionNotFound"];
            412: components["responses"]["SubscriptionChangedSince"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the subscription as you know it, or several; `*` means any. If the subscription has another tag by now, nothing is done, and the answer is 412 (RFC 9110 §13.1.1).
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatchSubscription"];
            };
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The paused subscription. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    ETag: components["headers"]["SubscriptionTag"];
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
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["SubscriptionOrIntegrationNotFound"];
            409: components["responses"]["SubscriptionDisabled"];
            412: components["responses"]["SubscriptionChangedSince"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the subscription as you know it, or several; `*` means any. If the subscription has another tag by now, nothing is done, and the answer is 412 (RFC 9110 §13.1.1).
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatchSubscription"];
            };
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription, and what was skipped. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    ETag: components["headers"]["SubscriptionTag"];
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
                    "application/json": components["schemas"]["ResumedSubscription"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["SubscriptionOrIntegrationNotFound"];
            409: components["responses"]["SubscriptionDisabled"];
            412: components["responses"]["SubscriptionChangedSince"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    enableSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the subscription as you know it, or several; `*` means any. If the subscription has another tag by now, nothing is done, and the answer is 412 (RFC 9110 §13.1.1).
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatchSubscription"];
            };
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription, and what it missed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    ETag: components["headers"]["SubscriptionTag"];
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
                    "application/json": components["schemas"]["ResumedSubscription"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["SubscriptionOrIntegrationNotFound"];
            412: components["responses"]["SubscriptionChangedSince"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pingSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the subscription as you know it, or several; `*` means any. If the subscription has another tag by now, nothing is done, and the answer is 412 (RFC 9110 §13.1.1).
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatchSubscription"];
            };
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the endpoint answered. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    ETag: components["headers"]["SubscriptionTag"];
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
                    "application/json": components["schemas"]["Ping"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["ReachableSubscriptionNotFound"];
            409: components["responses"]["SubscriptionPullOnly"];
            412: components["responses"]["SubscriptionChangedSince"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEventRequest"];
            };
        };
        responses: {
            /** @description The event is on its way. */
            202: {
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
                    "application/json": components["schemas"]["TestEvent"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["SubscriptionNotFound"];
            409: components["responses"]["NotSubscribed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signTestMessages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestMessagesRequest"];
            };
        };
        responses: {
            /** @description The messages, in the order of the request. */
            200: {
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
                    "application/json": components["schemas"]["TestMessages"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["ReachableSubscriptionNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSigningSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secrets. */
            200: {
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
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecretList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["SubscriptionNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateSigningSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the subscription as you know it, or several; `*` means any. If the subscription has another tag by now, nothing is done, and the answer is 412 (RFC 9110 §13.1.1).
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatchSubscription"];
            };
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The new secret. */
            201: {
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
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["SubscriptionNotFound"];
            409: components["responses"]["TooManySecrets"];
            412: components["responses"]["SubscriptionChangedSince"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeSigningSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the subscription as you know it, or several; `*` means any. If the subscription has another tag by now, nothing is done, and the answer is 412 (RFC 9110 §13.1.1).
                 * @example *
                 */
                "If-Match"?: components["parameters"]["IfMatchSubscription"];
            };
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
                /**
                 * @description The number of a signing secret, as listed with the secrets of its subscription.
                 * @example 1
                 */
                secretNumber: components["parameters"]["SecretNumber"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked. */
            204: {
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
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["SecretNotFound"];
            409: components["responses"]["CurrentSecret"];
            412: components["responses"]["SubscriptionChangedSince"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPublicKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicKeyList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["SubscriptionNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readEvents: {
        parameters: {
            query?: {
                /** @description The `next` of an answer, or the `cursor` of an event; `now` for what comes from now on. */
                after?: string;
                /** @description Most events of one answer, from 1 to 100; 50 without it. */
                limit?: number;
                /** @description How many seconds to wait for the first event when there is none, from 0 to 30. */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events behind the cursor. */
            200: {
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
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["ReachableSubscriptionNotFound"];
            410: components["responses"]["CursorExpired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    explainEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a subscription of your integration, as listed by `GET /v1/webhooks/subscriptions`.
                 * @example subscription_4KsWx7BtQm2ZpN9VcR6Hd
                 */
                subscriptionId: components["parameters"]["SubscriptionId"];
                /**
                 * @description The id of an event, which is the header `webhook-id` of its deliveries.
                 * @example event_8WcHn3GvKp6YtJ1XsB4Zq
                 */
                eventId: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation. */
            200: {
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
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventExplanation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["EventNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events of this type, or of a group like `user.*`. */
                type?: string;
                /** @description Only events of this instance integration's instance. One that is not of your integration is 400. */
                instanceIntegrationId?: string;
                /** @description Only events of this client. One of an instance that your integration does not reach is 400. */
                clientId?: string;
                /** @description Only events about this entity; one that no event is about finds nothing. */
                entityId?: string;
                /** @description Page size, from 1 to 500; 50 without it. */
                limit?: components["parameters"]["WebhooksLimit"];
                /** @description The `next` of the previous page; valid for the same list and key only. */
                cursor?: components["parameters"]["WebhooksCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
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
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Only deliveries in this state.
                 * @example exhausted
                 */
                state?: "pending" | "delivered" | "exhausted" | "skipped" | "cancelled";
                /** @description Only events of this type, or of a group like `user.*`. */
                type?: string;
                /** @description Only events of this client. One of an instance that your integration does not reach is 400. */
                clientId?: string;
                /** @description Only deliveries to this subscription. One that is not of your integration is 400. */
                subscriptionId?: string;
                /** @description Only deliveries of this event. One that your subscriptions could not have got, or that is not kept any more, is 400. */
                eventId?: string;
                /** @description Only deliveries that were made then or later. */
                from?: string;
                /** @description Only deliveries that were made before then. */
                to?: string;
                /** @description Page size, from 1 to 500; 50 without it. */
                limit?: components["parameters"]["WebhooksLimit"];
                /** @description The `next` of the previous page; valid for the same list and key only. */
                cursor?: components["parameters"]["WebhooksCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
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
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a delivery to one of your subscriptions, as listed by `GET /v1/webhooks/deliveries`.
                 * @example delivery_8RkTw3YbLm6XqP1ZsN5Vc
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
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
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["DeliveryNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a delivery to one of your subscriptions, as listed by `GET /v1/webhooks/deliveries`.
                 * @example delivery_8RkTw3YbLm6XqP1ZsN5Vc
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is on its way. */
            202: {
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
                    "application/json": components["schemas"]["Resend"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["ReachableDeliveryNotFound"];
            409: components["responses"]["CannotResend"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRecoveries: {
        parameters: {
            query?: {
                /** @description Only recoveries of this subscription. One that is not of your integration is 400. */
                subscriptionId?: string;
                /** @description Page size, from 1 to 500; 50 without it. */
                limit?: components["parameters"]["WebhooksLimit"];
                /** @description The `next` of the previous page; valid for the same list and key only. */
                cursor?: components["parameters"]["WebhooksCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of recoveries. */
            200: {
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
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoveryRequest"];
            };
        };
        responses: {
            /** @description The recovery, which runs by itself. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    Location: components["headers"]["CreatedLocation"];
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
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["ReachableSubscriptionNotFound"];
            409: components["responses"]["CannotRecover"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startRecoveries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoveriesRequest"];
            };
        };
        responses: {
            /** @description The recoveries, which run by themselves, and the subscriptions without one. */
            201: {
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
                    "application/json": components["schemas"]["StartedRecoveries"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a recovery, as listed by `GET /v1/webhooks/recoveries`.
                 * @example recovery_6ZtHn4KbWq9XmS2LcV7Rp
                 */
                recoveryId: components["parameters"]["RecoveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recovery. */
            200: {
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
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["RecoveryNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a recovery, as listed by `GET /v1/webhooks/recoveries`.
                 * @example recovery_6ZtHn4KbWq9XmS2LcV7Rp
                 */
                recoveryId: components["parameters"]["RecoveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The paused recovery. */
            200: {
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
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["RecoveryNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a recovery, as listed by `GET /v1/webhooks/recoveries`.
                 * @example recovery_6ZtHn4KbWq9XmS2LcV7Rp
                 */
                recoveryId: components["parameters"]["RecoveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The running recovery. */
            200: {
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
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["ReachableRecoveryNotFound"];
            409: components["responses"]["CannotResumeRecovery"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a recovery, as listed by `GET /v1/webhooks/recoveries`.
                 * @example recovery_6ZtHn4KbWq9XmS2LcV7Rp
                 */
                recoveryId: components["parameters"]["RecoveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled recovery. */
            200: {
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
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
            404: components["responses"]["RecoveryNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event types. */
            200: {
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
                    Vary: components["headers"]["Vary"];
                    /**
                     * @description The content coding of the body, if `Accept-Encoding` accepts it and the body is large (RFC 9110 §8.4).
                     * @example br
                     */
                    "Content-Encoding"?: "br" | "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTypeList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ScopeMissingForWebhooks"];
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
    onSubscriptionFailing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionFailingEvent"];
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
    onDeliveryExhausted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryExhaustedEvent"];
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
    onSubscriptionDisabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionDisabledEvent"];
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
    onSubscriptionEnabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionEnabledEvent"];
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
    onSecretExpiring: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretExpiringEvent"];
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
    onRecoveryFinished: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoveryFinishedEvent"];
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
    onWebhookPing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPingEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. A pending subscription is active from now on, unless the endpoint is another integration's by then. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
