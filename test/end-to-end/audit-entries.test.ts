import { AuditService } from "../../generated/proto/gatehouse/audit/v1/audit.ts";
import { AccountService } from "../../generated/proto/gatehouse/sign_on/v1/account.ts";
import { BrowserService } from "../../generated/proto/gatehouse/sign_on/v1/browser.ts";
import { ExpiryService } from "../../generated/proto/gatehouse/sign_on/v1/expiry.ts";
import { InspectionService } from "../../generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { LogoutService } from "../../generated/proto/gatehouse/sign_on/v1/logout.ts";
import { OperatorService as SignOnOperatorService } from "../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { PasswordsService } from "../../generated/proto/gatehouse/sign_on/v1/passwords.ts";
import { PasswordLinkPurpose, PeopleService } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { RefusalsService } from "../../generated/proto/gatehouse/sign_on/v1/refusals.ts";
import { SigningKeyState, SigningKeysService } from "../../generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { TokensService } from "../../generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { StoreService } from "../../generated/proto/gatehouse/store/v1/store.ts";
import { DispatchService } from "../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { EventsService } from "../../generated/proto/gatehouse/webhooks/v1/events.ts";
import { IntegratorService } from "../../generated/proto/gatehouse/webhooks/v1/integrator.ts";
import {
  SecretKind,
  OperatorService as WebhooksOperatorService,
} from "../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { PublicKeysService, SubscriptionsService } from "../../generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { TestEventsService } from "../../generated/proto/gatehouse/webhooks/v1/test_events.ts";
import { BulkService } from "../../generated/proto/gatehouse/workforce/v1/bulk.ts";
import { CallersService } from "../../generated/proto/gatehouse/workforce/v1/callers.ts";
import { ConnectionsService } from "../../generated/proto/gatehouse/workforce/v1/connections.ts";
import { ErasureService } from "../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { GatewayService } from "../../generated/proto/gatehouse/workforce/v1/gateway.ts";
import { OperatorService as WorkforceOperatorService } from "../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { PlatformService } from "../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { SeatKind, SignInService } from "../../generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { access } from "../../src/access.ts";
import type { CallOptions, PromiseClient, ServiceDefinition } from "../../src/runtime/rpc/call.ts";
import { serviceOf } from "../../src/runtime/rpc/call.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { authorizePath, Browser, obtainCode, redeem, tokenOf } from "../support/browser.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { type Answer, call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";
import {
  applicationRequest,
  invitation,
  makeWorld,
  onboarding,
  PASSWORD,
  present,
  type World,
} from "../support/world.ts";

/** Every service; a new one belongs here, and each of its methods in one of the tables below. */
const SERVICES: readonly ServiceDefinition[] = [
  AuditService,
  StoreService,
  BrowserService,
  AccountService,
  LogoutService,
  PasswordsService,
  TokensService,
  ExpiryService,
  SignOnOperatorService,
  PeopleService,
  SigningKeysService,
  InspectionService,
  RefusalsService,
  GatewayService,
  SignInService,
  ConnectionsService,
  CallersService,
  PlatformService,
  BulkService,
  ErasureService,
  WorkforceOperatorService,
  DispatchService,
  WebhooksOperatorService,
  EventsService,
  SubscriptionsService,
  PublicKeysService,
  TestEventsService,
  IntegratorService,
];

/** Methods that change nothing, by the beginnings of their names. */
const READING =
  /\/(Get|List|Read|Find|Check|Show|Export|Introspect|ExplainRefusal|ExplainGatewayRefusal|ExplainPerson|ExplainEvent|Describe)/;

/** Of what integrations do by the methods of operators. */
const AS_BY_OPERATORS = "the entry of the operators' method, with the integration as its actor (webhooks/gateway)";

/** Methods that write, and are no act of a person, operator or platform; why they leave no entry by themselves. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  "sign_on.v1.Browser/Authorize": "begins a sign-in; what comes of it is written down there (below: people)",
  "sign_on.v1.Tokens/ExchangeToken": "spends what a sign-in gave; a replay is written down (below: people)",
  "sign_on.v1.Refusals/NoteRefusals": "the refusals have a table of their own",
  "sign_on.v1.Expiry/ExpireCodes": "one entry for a page of codes (code-expiry.long.test.ts)",
  "workforce.v1.SignIn/RecordSignIn": "user.signIn, when it makes a user ACTIVE (record-sign-in.test.ts)",
  "workforce.v1.SignIn/RecordSignInEverywhere": "the same, on every instance (record-sign-in.test.ts)",
  "workforce.v1.SignIn/ConfirmEmail":
    "person.confirmEmail, when the address was not verified before (sign-in-person.test.ts)",
  "webhooks.v1.Dispatch/ClaimDue": "deliveries and attempts are rows of their own",
  "webhooks.v1.Dispatch/RecordOutcomes": "deliveries and attempts are rows of their own",
  "webhooks.v1.Dispatch/ClaimHandOvers": "deliveries and attempts are rows of their own",
  "webhooks.v1.Dispatch/ConfirmHandOvers": "deliveries and attempts are rows of their own",
  "webhooks.v1.Dispatch/ClaimOne": "deliveries and attempts are rows of their own",
  "webhooks.v1.Dispatch/RecordOne": "deliveries and attempts are rows of their own",
  "webhooks.v1.Dispatch/ReturnClaims": "deliveries and attempts are rows of their own",
  "webhooks.v1.Dispatch/ReturnHandOvers": "deliveries and attempts are rows of their own",
  "webhooks.v1.Dispatch/CancelDelivery": "one entry for each delivery that it cancels (rounds.long.test.ts)",
  "webhooks.v1.Operator/ReleaseDeliveries": "delivery.release, when some were suspended (backup-and-restore.test.ts)",
  "webhooks.v1.Operator/RevealBody": "delivery.revealBody (deliveries/reveal-body.test.ts)",
  "webhooks.v1.Operator/ResendDelivery": "delivery.resend (recoveries/resend.test.ts)",
  "webhooks.v1.Operator/StartRecovery": "recovery.start (recoveries/recoveries.test.ts)",
  "webhooks.v1.Operator/StartRecoveries": "recovery.start, of each (recoveries/start-recoveries.test.ts)",
  "webhooks.v1.Operator/PauseRecovery": "recovery.pause (recoveries/recoveries.test.ts)",
  "webhooks.v1.Operator/ResumeRecovery": "recovery.resume (recoveries/recoveries.test.ts)",
  "webhooks.v1.Operator/CancelRecovery": "recovery.cancel (recoveries/recoveries.test.ts)",
  "webhooks.v1.Dispatch/ClaimRecoveries": "recoveries are rows of their own",
  "webhooks.v1.Dispatch/AdvanceRecovery": "what a step changes is written down (recoveries/recoveries.test.ts)",
  "webhooks.v1.Dispatch/ChangeRecovery": "recovery.pause and the others (recoveries/recovery-runs.test.ts)",
  "webhooks.v1.Subscriptions/EnableSubscription":
    "subscription.enable, when it was disabled (subscription-states.test.ts)",
  "workforce.v1.Callers/AdmitCaller": "proves a key and counts its request, as every method of Gateway does",
  "workforce.v1.Callers/NoteRefusal": "the refusals have a table of their own",
  "webhooks.v1.Integrator/CreateSubscription": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/UpdateSubscription": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/PauseSubscription": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/ResumeSubscription": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/EnableSubscription": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/DeleteSubscription": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/PingSubscription": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/RotateSecret": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/RevokeSecret": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/TriggerTestEvent": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/SignTestMessages": "subscription.signTestMessages (gateway/test-messages.test.ts)",
  "webhooks.v1.Integrator/ResendDelivery": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/StartRecovery": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/StartRecoveries": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/PauseRecovery": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/ResumeRecovery": AS_BY_OPERATORS,
  "webhooks.v1.Integrator/CancelRecovery": AS_BY_OPERATORS,
  "store.v1.Store/BackUp": "store.backUp (backup-and-restore.test.ts)",
  "store.v1.Store/Reseal": "store.reseal, when some values were (runtime/upkeep/master-key-use.test.ts)",
  "sign_on.v1.Browser/SubmitLogin": "below: people",
  "sign_on.v1.Browser/SubmitConsent": "below: people",
  "sign_on.v1.Tokens/RevokeToken": "below: applications",
  "sign_on.v1.Passwords/SubmitSetPassword": "below: people at their account",
  "sign_on.v1.Account/SignInToAccount": "below: people at their account",
  "sign_on.v1.Account/ChangePassword": "below: people at their account",
  "sign_on.v1.Account/ChangeAccount": "below: people at their account",
  "sign_on.v1.Logout/BeginLogout": "below: people at their account",
  "sign_on.v1.Logout/SubmitSignOut": "below: people at their account",
};

/** What the rows work on; made before the first of them. */
interface Scene extends Gatehouse {
  readonly world: World;
  readonly bulk: PromiseClient<typeof BulkService>;
  readonly erasure: PromiseClient<typeof ErasureService>;
  readonly inspection: PromiseClient<typeof InspectionService>;
  readonly audit: PromiseClient<typeof AuditService>;
  readonly signingKeys: PromiseClient<typeof SigningKeysService>;
  readonly testEvents: PromiseClient<typeof TestEventsService>;
  readonly subscriptions: PromiseClient<typeof SubscriptionsService>;
  /** A second user, to be disabled and deleted, in the world's tenant. */
  readonly userId: string;
  /** Who has that seat. */
  readonly secondPersonId: string;
  readonly workerId: string;
  readonly roleId: number;
  readonly unitTypeId: string;
  readonly unitId: string;
  readonly locationId: string;
  readonly apiKeyId: string;
}

type Act = (scene: Scene, call: CallOptions) => Promise<unknown>;

const ALL = { since: null, until: null, limit: 50 };
const again = { requestId: "" };
const RESET = PasswordLinkPurpose.RESET;
const NEW_PASSWORD = "seven quiet herons at dawn";
const SECOND = "https://app.example/second";

/** Each method that changes something, what it leaves in the log, and a call of it. In an order in which each has something to change. */
const ROWS: readonly (readonly [method: string, action: string, act: Act])[] = [
  [
    "workforce.v1.Platform/CreateInstance",
    "instance.create",
    ({ platform }, call) => platform.createInstance({ ...again, name: "New" }, call),
  ],
  [
    "workforce.v1.Platform/UpdateInstance",
    "instance.update",
    ({ platform, world: { instanceId } }, call) =>
      platform.updateInstance({ ...again, instanceId, updateMask: ["name"], name: "Renamed" }, call),
  ],
  [
    "workforce.v1.Platform/CreateTenant",
    "tenant.create",
    ({ platform, world: { instanceId } }, call) =>
      platform.createTenant({ ...again, instanceId, name: "Mill", address: null }, call),
  ],
  [
    "workforce.v1.Platform/UpdateTenant",
    "tenant.update",
    ({ platform, world: { tenantId } }, call) =>
      platform.updateTenant({ ...again, tenantId, updateMask: ["name"], name: "Renamed", address: null }, call),
  ],
  [
    "workforce.v1.Platform/InviteUser",
    "user.invite",
    ({ platform, world: { tenantId } }, call) => platform.inviteUser(invitation(tenantId, "new@harbour.example"), call),
  ],
  [
    "workforce.v1.Platform/UpdatePerson",
    "person.update",
    ({ platform, world: { personId } }, call) =>
      platform.updatePerson(
        {
          ...again,
          personId,
          updateMask: ["first_name"],
          email: "",
          firstName: "Mara",
          lastName: null,
          emailVerified: false,
        },
        call,
      ),
  ],
  [
    "workforce.v1.Platform/DisablePerson",
    "person.disable",
    ({ platform, world: { personId } }, call) => platform.disablePerson({ ...again, personId }, call),
  ],
  [
    "workforce.v1.Platform/EnablePerson",
    "person.enable",
    ({ platform, world: { personId } }, call) => platform.enablePerson({ ...again, personId }, call),
  ],
  [
    "workforce.v1.Platform/AssignManager",
    "user.assignManager",
    ({ platform, world, userId }, call) =>
      platform.assignManager({ ...again, userId: world.userId, managerId: userId }, call),
  ],
  [
    "workforce.v1.Platform/AssignRole",
    "user.assignRole",
    ({ platform, userId }, call) => platform.assignRole({ ...again, userId, roleName: "Cook" }, call),
  ],
  [
    "workforce.v1.Platform/EditUserPermissions",
    "user.editPermissions",
    ({ platform, userId }, call) =>
      platform.editUserPermissions({ ...again, userId, permissions: ["ovens.light"], roleName: null }, call),
  ],
  [
    "workforce.v1.Platform/CreateAccessRole",
    "accessRole.create",
    ({ platform, world: { tenantId } }, call) =>
      platform.createAccessRole({ ...again, tenantId, name: "Baker", permissions: [] }, call),
  ],
  [
    "workforce.v1.Platform/UpdateAccessRole",
    "accessRole.update",
    ({ platform, world: { tenantId }, roleId }, call) =>
      platform.updateAccessRole(
        { ...again, tenantId, accessRoleId: roleId, updateMask: ["name"], name: "Chef", permissions: [] },
        call,
      ),
  ],
  [
    "workforce.v1.Platform/SetLastLoginContext",
    "person.setLastLoginContext",
    ({ platform, world: { tenantId }, secondPersonId: personId }, call) =>
      platform.setLastLoginContext({ ...again, personId, kind: SeatKind.USER, tenantId }, call),
  ],
  [
    "workforce.v1.Platform/DisableUser",
    "user.disable",
    ({ platform, userId }, call) => platform.disableUser({ ...again, userId }, call),
  ],
  [
    "workforce.v1.Platform/EnableUser",
    "user.enable",
    ({ platform, userId }, call) => platform.enableUser({ ...again, userId }, call),
  ],
  [
    "workforce.v1.Platform/DeleteUser",
    "user.delete",
    ({ platform, userId }, call) => platform.deleteUser({ ...again, userId }, call),
  ],
  [
    "workforce.v1.Platform/OnboardWorker",
    "worker.onboard",
    ({ platform, world: { tenantId } }, call) =>
      platform.onboardWorker(onboarding(tenantId, "w2@harbour.example"), call),
  ],
  [
    "workforce.v1.Platform/UpdateWorker",
    "worker.update",
    ({ platform, workerId }, call) =>
      platform.updateWorker(
        { ...again, workerId, updateMask: ["job_titles"], jobTitles: ["Baker"], address: null, unitIds: [] },
        call,
      ),
  ],
  [
    "workforce.v1.Platform/EndWorker",
    "worker.end",
    ({ platform, workerId }, call) => platform.endWorker({ ...again, workerId }, call),
  ],
  [
    "workforce.v1.Platform/CreateUnitType",
    "unitType.create",
    ({ platform, world: { tenantId } }, call) =>
      platform.createUnitType({ ...again, tenantId, name: "Shift", units: [] }, call),
  ],
  [
    "workforce.v1.Platform/UpdateUnitType",
    "unitType.update",
    ({ platform, unitTypeId }, call) =>
      platform.updateUnitType({ ...again, unitTypeId, updateMask: ["name"], name: "Team" }, call),
  ],
  [
    "workforce.v1.Platform/CreateUnit",
    "unit.create",
    ({ platform, world: { tenantId }, unitTypeId }, call) =>
      platform.createUnit({ ...again, tenantId, unitTypeId, name: "Night" }, call),
  ],
  [
    "workforce.v1.Platform/UpdateUnit",
    "unit.update",
    ({ platform, unitId }, call) => platform.updateUnit({ ...again, unitId, updateMask: ["name"], name: "Day" }, call),
  ],
  [
    "workforce.v1.Platform/CreateLocation",
    "location.create",
    ({ platform, world: { tenantId } }, call) => platform.createLocation({ ...again, tenantId, name: "Quay" }, call),
  ],
  [
    "workforce.v1.Platform/DeleteLocation",
    "location.delete",
    ({ platform, locationId }, call) => platform.deleteLocation({ ...again, locationId }, call),
  ],
  [
    "workforce.v1.Erasure/Erase",
    "unit.erase",
    ({ erasure, unitId }, call) => erasure.erase({ target: { id: { $case: "unitId", value: unitId } } }, call),
  ],
  ["workforce.v1.Bulk/ImportWorkforce", "import.store", ({ bulk }, call) => bulk.importWorkforce(importOf(), call)],
  [
    "workforce.v1.Operator/CreateIntegration",
    "integration.create",
    ({ workforce }, call) => workforce.createIntegration({ ...again, name: "Paytide" }, call),
  ],
  [
    "workforce.v1.Operator/UpdateIntegration",
    "integration.update",
    ({ workforce, world: { integrationId } }, call) =>
      workforce.updateIntegration({ ...again, integrationId, updateMask: ["name"], name: "Tagetes" }, call),
  ],
  [
    "workforce.v1.Operator/IssueApiKey",
    "apiKey.issue",
    ({ workforce, world: { integrationId } }, call) =>
      workforce.issueApiKey({ integrationId, label: "two", expiresAt: null, rateLimit: null, scopes: [] }, call),
  ],
  [
    "workforce.v1.Operator/RevokeApiKey",
    "apiKey.revoke",
    ({ workforce, apiKeyId }, call) => workforce.revokeApiKey({ apiKeyId }, call),
  ],
  [
    "webhooks.v1.Operator/CreateSubscription",
    "subscription.create",
    ({ webhooks, world: { instanceIntegrationId } }, call) =>
      webhooks.createSubscription(
        {
          label: "marigold",
          instanceIntegrationId,
          endpointUrl: "http://127.0.0.1:1039/hooks",
          eventTypes: ["*"],
          tenantIds: [],
        },
        call,
      ),
  ],
  [
    "webhooks.v1.TestEvents/TriggerTestEvent",
    "subscription.triggerTestEvent",
    async ({ webhooks, testEvents }, call) => {
      const { subscriptions } = await webhooks.listSubscriptions({ label: "marigold", states: [] });
      const subscriptionId = subscriptions[0]?.id ?? "";
      await testEvents.triggerTestEvent({ subscriptionId, eventType: "user.updated" }, call);
    },
  ],
  [
    "webhooks.v1.Subscriptions/UpdateSubscription",
    "subscription.update",
    (scene, call) =>
      withMarigold(scene, ({ subscriptions, ...id }) =>
        subscriptions.updateSubscription(
          { ...UNCHANGED, ...id, updateMask: ["description"], description: "new" },
          call,
        ),
      ),
  ],
  [
    "webhooks.v1.Subscriptions/PauseSubscription",
    "subscription.pause",
    (scene, call) => withMarigold(scene, ({ subscriptions, ...id }) => subscriptions.pauseSubscription(id, call)),
  ],
  [
    "webhooks.v1.Subscriptions/ResumeSubscription",
    "subscription.resume",
    (scene, call) => withMarigold(scene, ({ subscriptions, ...id }) => subscriptions.resumeSubscription(id, call)),
  ],
  [
    "webhooks.v1.Subscriptions/PingSubscription",
    "subscription.ping",
    (scene, call) =>
      withMarigold(scene, ({ subscriptions, ...id }) => subscriptions.pingSubscription({ ...id, waitMs: 0 }, call)),
  ],
  [
    "webhooks.v1.Subscriptions/RotateSecret",
    "subscription.rotateSecret",
    (scene, call) =>
      withMarigold(scene, ({ subscriptions, ...id }) =>
        subscriptions.rotateSecret({ ...id, kind: SecretKind.SYMMETRIC }, call),
      ),
  ],
  [
    "webhooks.v1.Subscriptions/RevokeSecret",
    "subscription.revokeSecret",
    (scene, call) =>
      withMarigold(scene, ({ subscriptions, ...id }) => subscriptions.revokeSecret({ ...id, number: 1 }, call)),
  ],
  [
    "webhooks.v1.Subscriptions/DeleteSubscription",
    "subscription.delete",
    (scene, call) => withMarigold(scene, ({ subscriptions, ...id }) => subscriptions.deleteSubscription(id, call)),
  ],
  [
    "workforce.v1.Operator/ConfigureInstanceIntegration",
    "instanceIntegration.unconfigure",
    ({ workforce, world: { instanceIntegrationId } }, call) =>
      workforce.configureInstanceIntegration({ ...again, instanceIntegrationId, configured: false }, call),
  ],
  [
    "workforce.v1.Operator/RevokeInstanceIntegration",
    "instanceIntegration.revoke",
    ({ workforce, world: { instanceIntegrationId } }, call) =>
      workforce.revokeInstanceIntegration({ ...again, instanceIntegrationId }, call),
  ],
  [
    "workforce.v1.Operator/ConnectIntegration",
    "instanceIntegration.create",
    ({ workforce, world: { integrationId, instanceId } }, call) =>
      workforce.connectIntegration({ ...again, integrationId, instanceId, configured: true }, call),
  ],
  [
    "sign_on.v1.Operator/CreateApplication",
    "application.create",
    ({ signOn, world: { instanceId } }, call) => signOn.createApplication(applicationRequest(instanceId), call),
  ],
  [
    "sign_on.v1.Operator/UpdateApplication",
    "application.update",
    ({ signOn, world: { application, instanceId } }, call) =>
      signOn.updateApplication(
        { ...applicationRequest(instanceId), applicationId: application.id, updateMask: ["name"], name: "Renamed" },
        call,
      ),
  ],
  [
    "sign_on.v1.Operator/RotateApplicationSecret",
    "application.rotateSecret",
    ({ signOn, world: { application } }, call) =>
      signOn.rotateApplicationSecret({ applicationId: application.id, keepPreviousSeconds: 60 }, call),
  ],
  [
    "sign_on.v1.Operator/EndPreviousSecret",
    "application.endPreviousSecret",
    ({ signOn, world: { application } }, call) => signOn.endPreviousSecret({ applicationId: application.id }, call),
  ],
  [
    "sign_on.v1.Operator/AddRedirectUri",
    "application.addRedirectUri",
    ({ signOn, world: { application, instanceId } }, call) =>
      signOn.addRedirectUri({ applicationId: application.id, redirectUri: { uri: SECOND, instanceId } }, call),
  ],
  [
    "sign_on.v1.Operator/RemoveRedirectUri",
    "application.removeRedirectUri",
    ({ signOn, world: { application } }, call) =>
      signOn.removeRedirectUri({ applicationId: application.id, uri: SECOND }, call),
  ],
  [
    "sign_on.v1.Operator/DisableApplication",
    "application.disable",
    ({ signOn, world: { application } }, call) => signOn.disableApplication({ applicationId: application.id }, call),
  ],
  [
    "sign_on.v1.Operator/EnableApplication",
    "application.enable",
    ({ signOn, world: { application } }, call) => signOn.enableApplication({ applicationId: application.id }, call),
  ],
  [
    "sign_on.v1.Operator/DeleteApplication",
    "application.delete",
    async ({ signOn, world: { instanceId } }, call) => {
      const { application } = await signOn.createApplication(applicationRequest(instanceId));
      return signOn.deleteApplication({ applicationId: present(application).id }, call);
    },
  ],
  [
    "sign_on.v1.Operator/SetPassword",
    "password.set",
    ({ signOn, world: { personId } }, call) => signOn.setPassword({ personId, password: PASSWORD }, call),
  ],
  [
    "sign_on.v1.People/CreatePasswordLink",
    "passwordLink.create",
    ({ people, world: { personId } }, call) =>
      people.createPasswordLink({ key: { $case: "personId", value: personId }, purpose: RESET }, call),
  ],
  [
    "sign_on.v1.People/EndSessions",
    "session.endAll",
    ({ people, world: { personId } }, call) =>
      people.endSessions({ key: { $case: "personId", value: personId } }, call),
  ],
  [
    "sign_on.v1.SigningKeys/RotateSigningKeys",
    "signingKey.askRotation",
    ({ signingKeys }, call) => signingKeys.rotateSigningKeys({ ...again, algorithm: "RS256" }, call),
  ],
  [
    "sign_on.v1.SigningKeys/RevokeSigningKey",
    "signingKey.revoke",
    async ({ signingKeys }, call) => {
      const { keys } = await signingKeys.listSigningKeys({ retired: false });
      const { keyId } = present(keys.find(({ state }) => state === SigningKeyState.ACTIVE));
      await signingKeys.revokeSigningKey({ keyId, emergency: "found on a public share" }, call);
    },
  ],
  [
    "sign_on.v1.Inspection/ExplainToken",
    "token.explain",
    ({ inspection }, call) => inspection.explainToken({ token: "x" }, call),
  ],
];

/** Calls with the id of the subscription that a row before made. */
async function withMarigold(
  { webhooks, subscriptions }: Scene,
  act: (marigold: Pick<Scene, "subscriptions"> & { readonly subscriptionId: string }) => Promise<unknown>,
): Promise<void> {
  const { subscriptions: found } = await webhooks.listSubscriptions({ label: "marigold", states: [] });
  await act({ subscriptions, subscriptionId: present(found[0]).id });
}

const UNCHANGED = { endpointUrl: "", eventTypes: [], tenantIds: [], extraHeaders: [], skipPing: false };

async function* importOf() {
  yield {
    start: { importId: "audit", emitEvents: false, allOrNothing: false },
    lines: [
      { number: 1, endOffset: 1, json: '{"type":"instance","id":"instance_BBBBBBBBBBBBBBBBBBBBB","name":"Imported"}' },
    ],
  };
}

const METHODS = SERVICES.flatMap((service) =>
  Object.values(service).map(({ path }) => path.replace("/gatehouse.", "")),
);
const ROW_METHODS = ROWS.map(([method]) => method);

describe("the audit log", () => {
  it("covers every service, with the entries of every method", () => {
    const services = SERVICES.map((service) => serviceOf(Object.values(service)[0]?.path ?? ""));
    expect(services.toSorted()).toEqual(Object.keys(access).toSorted());
    const without = Object.keys(WITHOUT_ENTRY);
    expect(METHODS.filter((method) => !READING.test(method)).toSorted()).toEqual(
      [...ROW_METHODS, ...without].toSorted(),
    );
  });

  withScope((closeLater) => {
    let scene: Scene;

    beforeAll(async () => {
      const gatehouse = await openGatehouse(closeLater, { carriage: "socket" });
      const carriers = (["operator", "platform"] as const).map((peer) =>
        socketCarrier(`${gatehouse.dataDirectory}/sockets/${peer}.sock`),
      );
      closeLater(async () => void (await Promise.all(carriers.map((carrier) => carrier.close()))));
      const [operator, forPlatform] = carriers;
      const world = await makeWorld(gatehouse);
      const { tenantId } = world;
      const { platform, workforce } = gatehouse;
      const { role } = await platform.createAccessRole({
        ...again,
        tenantId,
        name: "Cook",
        permissions: ["ovens.see"],
      });
      const { user } = await platform.inviteUser({
        ...invitation(tenantId, "second@harbour.example"),
        signedInBefore: true,
      });
      const { worker } = await platform.onboardWorker(onboarding(tenantId, "w1@harbour.example"));
      const { unitType } = await platform.createUnitType({ ...again, tenantId, name: "Crew", units: [] });
      const unitTypeId = present(unitType).id;
      const { unit } = await platform.createUnit({ ...again, tenantId, unitTypeId, name: "Early" });
      const { location } = await platform.createLocation({ ...again, tenantId, name: "Pier" });
      const { apiKey } = await workforce.issueApiKey({
        integrationId: world.integrationId,
        label: "one",
        expiresAt: null,
        rateLimit: null,
        scopes: [],
      });
      scene = {
        ...gatehouse,
        world,
        inspection: present(operator).connect(InspectionService),
        audit: present(operator).connect(AuditService),
        signingKeys: present(operator).connect(SigningKeysService),
        testEvents: present(operator).connect(TestEventsService),
        subscriptions: present(operator).connect(SubscriptionsService),
        bulk: present(forPlatform).connect(BulkService),
        erasure: present(forPlatform).connect(ErasureService),
        userId: present(user).id,
        secondPersonId: present(present(user).person).id,
        workerId: present(worker).id,
        roleId: present(present(role).role).id,
        unitTypeId,
        unitId: present(unit).id,
        locationId: present(location).id,
        apiKeyId: present(apiKey).id,
      };
    });

    const entriesOf = async (requestId: string) =>
      (await scene.audit.listAuditEntries({ ...ALL, requestId })).entries.map(({ actor, action }) => [actor, action]);

    it.each(ROWS)("has an entry of %s: %s, by whom, of which request", async (method, action, act) => {
      const requestId = `req_${method.replaceAll(/[^A-Za-z]/g, "")}`;
      await act(scene, { requestId });
      const actor = /Platform|Bulk|Erasure/.test(method) ? "platform" : "operator";
      expect(await entriesOf(requestId)).toContainEqual([actor, action]);
    });

    const idOf = ({ headers }: { readonly headers: Headers }) => headers.get("x-request-id") ?? "";

    it("has people's actions: sign-in, consent, refusal, and the consequence of a stolen code", async () => {
      const { url, signOn, world } = scene;
      const { application, secret } = await signOn.createApplication(applicationRequest(world.instanceId));
      const own = { ...world, application: { id: present(application).id, secret: secret ?? "" } };
      const browser = new Browser(url);
      const login = await browser.follow(authorizePath(own));
      const signedIn = await browser.submit(login.answer, { email: world.email, password: PASSWORD });
      const refused = await browser.submit(signedIn.answer, { decision: "deny" });
      expect(refused.left?.searchParams.get("error")).toBe("access_denied");
      const consent = await browser.follow(authorizePath(own));
      const agreed = await browser.submit(consent.answer, { decision: "approve" });
      const code = agreed.left?.searchParams.get("code") ?? "";
      await redeem(url, own, code);
      const replay = await redeem(url, own, code);
      expect(await entriesOf(idOf(replay))).toEqual([[own.application.id, "tokenFamily.revoke"]]);
      const { entries } = await scene.audit.listAuditEntries({ ...ALL, actor: world.personId });
      const acts = entries.map(({ action, requestId }) => [action, requestId === ""]);
      for (const action of ["signIn.succeed", "consent.grant", "authorization.refuse"])
        expect(acts).toContainEqual([action, false]);
      expect(JSON.stringify(entries)).not.toContain(world.email);
    });

    it("has applications' actions with tokens: revocation of an access token, and of a family", async () => {
      const { url, signOn, world } = scene;
      const { application, secret } = await signOn.createApplication(applicationRequest(world.instanceId));
      const own = { ...world, application: { id: present(application).id, secret: secret ?? "" } };
      const tokens = (await redeem(url, own, await obtainCode(url, own))).json<Record<string, string>>();
      const revoke = (token: string | undefined) =>
        call(url, "/auth/revoke", {
          form: { token: token ?? "", client_id: own.application.id, client_secret: own.application.secret },
        });
      const ids = [idOf(await revoke(tokens.access_token)), idOf(await revoke(tokens.refresh_token))];
      expect(await Promise.all(ids.map(entriesOf))).toEqual([
        [[own.application.id, "accessToken.revoke"]],
        [[own.application.id, "tokenFamily.revoke"]],
      ]);
    });

    it("has people's actions at their account: a password by link and by hand, wrong ones, withdrawals, signing out", async () => {
      const { url, signOn, people, world } = scene;
      const { application, secret } = await signOn.createApplication(applicationRequest(world.instanceId));
      const own = { ...world, application: { id: present(application).id, secret: secret ?? "" } };
      const key = { $case: "personId", value: world.personId } as const;
      const { link } = await people.createPasswordLink({ key, purpose: RESET });
      const { pathname, search } = new URL(link);
      const ids: Record<string, string> = {};
      const reset = new Browser(url);
      const password = { password: NEW_PASSWORD, password_again: NEW_PASSWORD };
      ids.reset = idOf((await reset.submit(await reset.open(`${pathname}${search}`), password)).answer);

      const browser = new Browser(url);
      const at = async (path: string) => (await browser.follow(path)).answer;
      const submitted = async (page: Answer, values: Readonly<Record<string, string>>, action?: string) => {
        const form_token = tokenOf(page);
        const address = action ?? /<form [^>]*action="([^"]+)"/.exec(page.text)?.[1] ?? "";
        return idOf(await browser.open(address, { form: { form_token, ...values } }));
      };
      const signInHere = async (word: string) =>
        submitted(await at("/auth/account"), { email: world.email, password: word });
      ids.wrong = await signInHere("not the password at all");
      ids.right = await signInHere(NEW_PASSWORD);
      await browser.submit(await at(authorizePath(own)), { decision: "approve" });
      const again = { password: PASSWORD, password_again: PASSWORD };
      const change = "/auth/account/password";
      ids.refused = await submitted(await at(change), { old_password: "not the password", ...again });
      ids.changed = await submitted(await at(change), { old_password: NEW_PASSWORD, ...again });
      const press = async (values: Readonly<Record<string, string>>) =>
        submitted(await at("/auth/account"), values, "/auth/account");
      const { id: application_id } = own.application;
      ids.withdrawn = await press({
        action: "withdraw",
        application: application_id,
        instance: world.instanceId,
      });
      ids.everywhere = await press({ action: "sign_out_everywhere" });
      await signInHere(PASSWORD);
      ids.signedOut = await submitted(await at("/auth/sign-out"), {});

      const acts = await Promise.all(Object.entries(ids).map(async ([name, id]) => [name, await entriesOf(id)]));
      const byPerson = (action: string) => expect.arrayContaining([[world.personId, action]]);
      expect(Object.fromEntries(acts)).toEqual({
        reset: byPerson("password.set"),
        wrong: [["edge", "signIn.refuse"]],
        right: byPerson("signIn.succeed"),
        refused: byPerson("password.refuse"),
        changed: byPerson("password.set"),
        withdrawn: byPerson("consent.withdraw"),
        everywhere: byPerson("person.signOutEverywhere"),
        signedOut: byPerson("session.end"),
      });
    });

    it("has the refusal of a person without a seat", async () => {
      const { url, platform, signOn, world } = scene;
      const { instance } = await platform.createInstance({ ...again, name: "Elsewhere" });
      const { application } = await signOn.createApplication(applicationRequest(present(instance).id));
      const elsewhere = { ...world, application: { id: present(application).id, secret: "" } };
      const browser = new Browser(url);
      const login = await browser.follow(authorizePath(elsewhere));
      await browser.submit(login.answer, { email: world.email, password: PASSWORD });
      await browser.open(authorizePath(elsewhere));
      const { entries } = await scene.audit.listAuditEntries({ ...ALL, object: elsewhere.application.id });
      expect(entries.filter(({ action }) => action === "authorization.refuse")).toHaveLength(2);
    });
  });
});
