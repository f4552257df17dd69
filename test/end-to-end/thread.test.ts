import * as client from "openid-client";
import { DeliveryState } from "../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { Browser, signIn } from "../support/browser.ts";
import { checkedFetch } from "../support/checked-fetch.ts";
import { eventually } from "../support/eventually.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { openProcesses } from "../support/processes.ts";
import { type Closer, withScope } from "../support/scope.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { makeWorld, newTenant, present, REDIRECT_URI, type World } from "../support/world.ts";

type Open = (closeLater: (closer: Closer) => void) => Promise<Gatehouse>;

/** Every shape in which the product runs; the thread must not see a difference. */
const SHAPES: readonly (readonly [string, Open])[] = [
  ["one process, in-process calls, frozen messages", (closeLater) => openGatehouse(closeLater)],
  [
    "one process, in-process calls, encoded messages",
    (closeLater) => openGatehouse(closeLater, { carriage: "in process, encoded" }),
  ],
  ["one process, calls over sockets", (closeLater) => openGatehouse(closeLater, { carriage: "socket" })],
  ["three processes", (closeLater) => openProcesses(closeLater, { separate: true })],
];

describe.each(SHAPES)("the thread: sign in, read, receive events (%s)", (_, open) => {
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    let world: World;
    let receiver: WebhookReceiver;
    let application: client.Configuration;

    beforeAll(async () => {
      gatehouse = await open(closeLater);
      world = await makeWorld(gatehouse);
      receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      await subscribe(gatehouse, world, receiver);
      const { id, secret } = world.application;
      application = await client.discovery(new URL(gatehouse.url), id, secret, undefined, {
        [client.customFetch]: checkedFetch,
        execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
      });
    });

    /** One sign-in by an off-the-shelf OpenID Connect client. */
    const signInWithClient = async (browser: Browser) => {
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const expectedState = client.randomState();
      const expectedNonce = client.randomNonce();
      const { pathname, search } = client.buildAuthorizationUrl(application, {
        redirect_uri: REDIRECT_URI,
        scope: "openid profile email",
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        state: expectedState,
        nonce: expectedNonce,
      });
      const back = await signIn(browser, `${pathname}${search}`, { email: world.email });
      return client.authorizationCodeGrant(application, back, {
        pkceCodeVerifier,
        expectedState,
        expectedNonce,
        idTokenExpected: true,
      });
    };

    it("signs an invited person in, returns the claims, and sends user.updated (spec §3, §4.1, §6)", async () => {
      const tokens = await signInWithClient(new Browser(gatehouse.url));
      const claims = present(tokens.claims());
      const userinfo = await client.fetchUserInfo(application, tokens.access_token, claims.sub);
      const delivery = await receiver.next();

      const seat = { id: world.userId, clientId: world.tenantId };
      expect(claims).toMatchObject({
        sub: world.personId,
        email: world.email,
        email_verified: true,
        name: "Maren Dahl",
        userIds: [seat],
        workerIds: [],
      });
      expect(userinfo).toMatchObject({
        sub: world.personId,
        aud: world.application.id,
        aub: world.application.id,
        userIds: [seat],
      });
      expect(delivery.event).toMatchObject({
        type: "user.updated",
        entity: { type: "user", id: world.userId },
        data: { userId: world.userId, clientId: world.tenantId, status: "ACTIVE", email: world.email },
      });
      const self = await call(gatehouse.url, delivery.event.data.links.self, {
        headers: { "x-api-key": world.apiKey },
      });
      expect(self.json()).toMatchObject({ id: world.userId, status: "ACTIVE" });
    });

    it("sends nothing for the second sign-in (I9), and client.created for a new client, which the gateway shows (R-G8)", async () => {
      await signInWithClient(new Browser(gatehouse.url));
      const addedTenantId = await newTenant(gatehouse, world.instanceId, "Northlight Studio");
      const delivery = await receiver.next();

      expect(delivery.event).toMatchObject({
        type: "client.created",
        data: { clientId: addedTenantId, name: "Northlight Studio" },
      });
      const path = `/v1/instance-integrations/${world.instanceIntegrationId}/clients`;
      const clients = await call(gatehouse.url, path, { headers: { "x-api-key": world.apiKey } });
      expect(clients.json<{ id: string }[]>().map(({ id }) => id)).toEqual([world.tenantId, addedTenantId]);
      const self = await call(gatehouse.url, delivery.event.data.links.self, {
        headers: { "x-api-key": world.apiKey },
      });
      expect(self.json()).toMatchObject({ id: addedTenantId });
    });

    it("refreshes, returns the same successor again, and treats a later use of the old token as theft (R-S10)", async () => {
      const tokens = await signInWithClient(new Browser(gatehouse.url));
      const old = present(tokens.refresh_token);
      const fresh = await client.refreshTokenGrant(application, old);
      expect((await client.refreshTokenGrant(application, old)).refresh_token).toBe(fresh.refresh_token);
      const next = await client.refreshTokenGrant(application, present(fresh.refresh_token));
      await expect(client.refreshTokenGrant(application, old)).rejects.toMatchObject({ error: "invalid_grant" });
      await expect(client.refreshTokenGrant(application, present(next.refresh_token))).rejects.toMatchObject({
        error: "invalid_grant",
      });
      const userinfo = await call(gatehouse.url, "/auth/userinfo", {
        headers: { authorization: `Bearer ${fresh.access_token}` },
      });
      expect(userinfo.status).toBe(401);
    });

    it("lists each delivery as delivered at its first attempt (R-E8)", async () => {
      const { deliveries } = await eventually(
        () => gatehouse.webhooks.listDeliveries({ states: [], limit: 0 }),
        (list) => list.deliveries.every(({ state }) => state !== DeliveryState.PENDING),
      );
      const summary = deliveries.map(({ eventType, state, attempts }) => [
        eventType,
        state,
        attempts.map(({ outcome }) => outcome),
      ]);
      expect(summary).toEqual([
        ["client.created", "DELIVERY_STATE_DELIVERED", ["acknowledged"]],
        ["user.updated", "DELIVERY_STATE_DELIVERED", ["acknowledged"]],
      ]);
    });
  });
});
