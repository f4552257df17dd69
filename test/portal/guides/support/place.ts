import { ApplicationKind } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { Browser, signIn } from "../../../support/browser.ts";
import { eventually } from "../../../support/eventually.ts";
import { freePort } from "../../../support/free-port.ts";
import { type Gatehouse, openGatehouse } from "../../../support/gatehouse.ts";
import type { Closer } from "../../../support/scope.ts";
import { applicationRequest, makeWorld, onboarding, present, type World } from "../../../support/world.ts";

/** An installation with a small world, and what its operator hands to an integrator. */
export interface Place {
  readonly gatehouse: Gatehouse;
  readonly world: World;
  readonly handOver: Readonly<Record<string, string>>;
  /** Another redirect URI of the application, which is the first page of the reader's program too. */
  readonly rootRedirectUri: string;
  /** A person opens the first page of the reader's program in two tabs and signs in in the first. */
  visitProgram(): Promise<Visit>;
  /** A person opens this address and signs in; where the browser is sent at the end. */
  signInAt(address: string): Promise<URL>;
  /** Something of which events are sent. */
  change(): Promise<void>;
}

/** What a browser sees of a program that signs people in. */
export interface Visit {
  /** What the program shows at the end. */
  readonly shown: string;
  /** The status of what every browser asks for by itself, /favicon.ico. */
  readonly iconStatus: number;
}

/** The person who signs in, whose name has a letter that is no ASCII. */
export const VISITOR = "Maren Sjöblom";

/** Each is a worker. */
export const COLLEAGUES = ["tomas", "ines", "jonas"] as const;

export async function openPlace(closeLater: (closer: Closer) => void): Promise<Place> {
  const gatehouse = await openGatehouse(closeLater);
  const port = String(await freePort());
  const rootRedirectUri = `http://localhost:${port}/`;
  const redirectUri = `${rootRedirectUri}callback`;
  const endpointUrl = `http://127.0.0.1:${await freePort()}/events`;
  const world = await makeWorld(gatehouse, {
    redirectUri,
    person: { firstName: "Maren", lastName: "Sjöblom" },
    // What onboarding registers.
    application: { scopes: ["openid", "profile", "email"] },
  });
  const { email } = world;
  await gatehouse.signOn.addRedirectUri({
    applicationId: world.application.id,
    redirectUri: { uri: rootRedirectUri, instanceId: world.instanceId },
  });
  for (const name of COLLEAGUES)
    await gatehouse.platform.onboardWorker(onboarding(world.tenantId, `${name}@harbour.example`));
  const { signingSecret } = await gatehouse.webhooks.createSubscription({
    label: "reader",
    instanceIntegrationId: world.instanceIntegrationId,
    endpointUrl,
    eventTypes: ["*"],
    tenantIds: [],
  });
  const native = await gatehouse.signOn.createApplication(
    applicationRequest(world.instanceId, {
      kind: ApplicationKind.NATIVE,
      redirectUris: [{ uri: "http://127.0.0.1/callback", instanceId: world.instanceId }],
    }),
  );
  const signInAt = async (address: string) => {
    const { pathname, search } = new URL(address);
    return signIn(new Browser(gatehouse.url), pathname + search, { email });
  };
  return {
    gatehouse,
    world,
    handOver: {
      ISSUER: gatehouse.url,
      GATEWAY_URL: gatehouse.url,
      API_KEY: world.apiKey,
      INTEGRATION: "Marigold",
      INSTANCE_INTEGRATION_ID: world.instanceIntegrationId,
      APPLICATION_ID: world.application.id,
      APPLICATION_SECRET: world.application.secret,
      REDIRECT_URI: redirectUri,
      NATIVE_APPLICATION_ID: present(native.application).id,
      SUBSCRIPTION_ENDPOINT: endpointUrl,
      WEBHOOK_SECRET: signingSecret,
      SUBSCRIPTION: "reader",
      CLIENT: world.tenantId,
    },
    rootRedirectUri,
    async visitProgram() {
      const opened = () => fetch(rootRedirectUri, { redirect: "manual" });
      // A program may say its address and then begin to listen: Go's ListenAndServe does not return.
      const first = await eventually(
        () => opened().catch(() => undefined),
        (answer) => answer !== undefined,
      );
      const tabs = [present(first), await opened()] as const;
      // As a browser keeps them: a later one of the same name takes an earlier one's place.
      const cookies = new Map(
        tabs.flatMap(({ headers }) => headers.getSetCookie().map((line) => line.split(/[=;]/, 2) as [string, string])),
      );
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const back = await signInAt(tabs[0].headers.get("location") ?? "");
      const { status: iconStatus } = await fetch(new URL("/favicon.ico", rootRedirectUri), { redirect: "manual" });
      return { shown: await shownBy(await fetch(back, { headers: { cookie } })), iconStatus };
    },
    signInAt,
    async change() {
      const { instanceId } = world;
      const { tenant } = await gatehouse.platform.createTenant({
        requestId: "",
        instanceId,
        name: "Old Mill Pottery",
        address: null,
      });
      present(tenant);
    },
  };
}

/** The text as a browser shows it, which takes what names no encoding for the one of old pages. */
async function shownBy(answer: Response): Promise<string> {
  const [, encoding = "windows-1252"] = /charset=([\w-]+)/i.exec(answer.headers.get("content-type") ?? "") ?? [];
  return new TextDecoder(encoding).decode(await answer.arrayBuffer());
}
