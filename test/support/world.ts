import { join } from "node:path";
import {
  ApplicationKind,
  ConsentPolicy,
  type CreateApplicationRequest,
  OperatorService as SignOnOperatorService,
} from "../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { PeopleService } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { OperatorService as WebhooksOperatorService } from "../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import {
  ApiKeyScope,
  OperatorService as WorkforceOperatorService,
} from "../../generated/proto/gatehouse/workforce/v1/operator.ts";
import {
  type InviteUserRequest,
  type OnboardWorkerRequest,
  PlatformService,
} from "../../generated/proto/gatehouse/workforce/v1/platform.ts";
import type { Carrier, PromiseClient, ServiceDefinition } from "../../src/runtime/rpc/call.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { patiently } from "./patient-calls.ts";

/** What operators and the platform call, over their sockets. */
export interface Peers {
  readonly platform: PromiseClient<typeof PlatformService>;
  readonly workforce: PromiseClient<typeof WorkforceOperatorService>;
  readonly signOn: PromiseClient<typeof SignOnOperatorService>;
  readonly people: PromiseClient<typeof PeopleService>;
  readonly webhooks: PromiseClient<typeof WebhooksOperatorService>;
}

/** `patient`: calls wait as long as a busy machine takes; otherwise they give up when those of real callers do. */
export function connectPeers(
  socketDirectory: string,
  { patient = true }: { readonly patient?: boolean } = {},
): Peers & { close(): Promise<void> } {
  const operator = socketCarrier(join(socketDirectory, "operator.sock"));
  const platform = socketCarrier(join(socketDirectory, "platform.sock"));
  const connect = <S extends ServiceDefinition>(carrier: Carrier, definition: S): PromiseClient<S> =>
    patient ? patiently(carrier.connect(definition)) : carrier.connect(definition);
  return {
    platform: connect(platform, PlatformService),
    workforce: connect(operator, WorkforceOperatorService),
    signOn: connect(operator, SignOnOperatorService),
    people: connect(operator, PeopleService),
    webhooks: connect(operator, WebhooksOperatorService),
    async close() {
      await Promise.all([operator.close(), platform.close()]);
    },
  };
}

export const REDIRECT_URI = "http://localhost:9/callback";
export const PASSWORD = "correct horse battery staple";

/** A small world: one instance with one tenant, one invited person with a password, one application, one integration with a key. */
export interface World {
  readonly instanceId: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly personId: string;
  readonly email: string;
  readonly application: { readonly id: string; readonly secret: string };
  readonly integrationId: string;
  readonly instanceIntegrationId: string;
  readonly apiKey: string;
}

export interface WorldOptions {
  readonly email?: string;
  /** What else the person's invitation says. */
  readonly person?: Partial<InviteUserRequest>;
  readonly application?: Partial<CreateApplicationRequest>;
  /** REDIRECT_URI unless given; without the development switch that one is refused. */
  readonly redirectUri?: string;
}

/** @returns the id of another tenant on an instance. */
export async function newTenant(
  { platform }: Pick<Peers, "platform">,
  instanceId: string,
  name: string,
): Promise<string> {
  const { tenant } = await platform.createTenant({ requestId: "", instanceId, name, address: null });
  return present(tenant).id;
}

export async function makeWorld(
  peers: Peers,
  { email = "maren.dahl@harbour.example", person, application, redirectUri = REDIRECT_URI }: WorldOptions = {},
): Promise<World> {
  const { instance } = await peers.platform.createInstance({ requestId: "", name: "Europe" });
  const instanceId = present(instance).id;
  const tenantId = await newTenant(peers, instanceId, "Harbour Bakery");
  const { user } = await peers.platform.inviteUser(invitation(tenantId, email, person));
  const personId = present(present(user).person).id;
  await peers.signOn.setPassword({ personId, password: PASSWORD });
  const created = await peers.signOn.createApplication(
    applicationRequest(instanceId, { redirectUris: [{ uri: redirectUri, instanceId }], ...application }),
  );
  const { integration } = await peers.workforce.createIntegration({ requestId: "", name: "Marigold" });
  const integrationId = present(integration).id;
  const { instanceIntegration } = await peers.workforce.connectIntegration({
    requestId: "",
    integrationId,
    instanceId,
    configured: true,
  });
  const { secret: apiKey } = await peers.workforce.issueApiKey({
    integrationId,
    label: "test",
    expiresAt: null,
    rateLimit: null,
    scopes: [ApiKeyScope.READ, ApiKeyScope.WEBHOOKS],
  });
  return {
    instanceId,
    tenantId,
    userId: present(user).id,
    personId,
    email,
    application: { id: present(created.application).id, secret: created.secret ?? "" },
    integrationId,
    instanceIntegrationId: present(instanceIntegration).id,
    apiKey,
  };
}

/** An invited user with names and a proven address. */
export const invitation = (
  tenantId: string,
  email: string,
  more: Partial<InviteUserRequest> = {},
): InviteUserRequest => ({
  requestId: "",
  tenantId,
  email,
  firstName: "Maren",
  lastName: "Dahl",
  roleName: null,
  invitedByUserId: null,
  emailVerified: true,
  ...more,
});

/** A worker without units, phone or address. */
export const onboarding = (
  tenantId: string,
  email: string,
  more: Partial<OnboardWorkerRequest> = {},
): OnboardWorkerRequest => ({
  requestId: "",
  tenantId,
  email,
  firstName: "Tomas",
  lastName: "Lindqvist",
  jobTitles: [],
  phone: null,
  address: null,
  unitIds: [],
  primaryUnitId: null,
  locationId: null,
  emailVerified: true,
  ...more,
});

/** A confidential web application with every scope and remembered consent. */
export const applicationRequest = (
  instanceId: string,
  more: Partial<CreateApplicationRequest> = {},
): CreateApplicationRequest => ({
  name: "Marigold",
  kind: ApplicationKind.WEB,
  redirectUris: [{ uri: REDIRECT_URI, instanceId }],
  scopes: ["openid", "profile", "email", "offline_access"],
  pkceRequired: false,
  consent: ConsentPolicy.ONCE,
  lifetimes: null,
  grantTypes: [],
  refreshRepeatSeconds: null,
  corsOrigins: [],
  postLogoutRedirectUris: [],
  ...more,
});

/** A message field that the server always fills. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("A field that is always present was empty.");
  return value;
}
