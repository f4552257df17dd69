import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { EVENT_TYPES, OPERATIONAL_EVENT_TYPES } from "../../generated/event-types.ts";
import { ApiKeyScope } from "../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { arrived, eventually } from "../support/eventually.ts";
import { newFolder } from "../support/folder.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";
import { invitation, makeWorld, onboarding, present, type World } from "../support/world.ts";
import { desk } from "./support/desk.ts";
import {
  byHand,
  byPublicKey,
  dealingWith,
  type Incoming,
  isSignedBy,
  type Receiving,
  type RunningReceiver,
  runReceiver,
} from "./support/receiver.ts";
import { RULES } from "./support/score.ts";

interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly test?: true;
  readonly tide?: object;
}

/** A line of `listen --json`. */
interface Forwarded {
  readonly event: { readonly id: string; readonly type: string };
  readonly variant: string | null;
  readonly expected: string;
  readonly status: number;
}

const EVERYTHING = ["*", ...OPERATIONAL_EVENT_TYPES];
const parsed = <T>(lines: string): readonly T[] =>
  lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

describe("the desk's tools and the product, with only a key and an address", () => {
  withScope((closeLater) => {
    let product: Gatehouse;
    let world: World;
    let env: Readonly<Record<string, string>>;
    let folder: string;
    /** Of a subscription without an endpoint, which the integration made itself. */
    let secret: string;
    let label: string;

    beforeAll(async () => {
      product = await openGatehouse(closeLater);
      world = await makeWorld(product);
      env = { GATEWAY_URL: product.url, API_KEY: world.apiKey };
    });
    beforeEach(async () => {
      folder = newFolder("gh-desk-");
      ({ signingSecret: secret, label } = await subscribe(EVERYTHING));
    });

    const subscriptionOf = async (name: string): Promise<{ readonly id: string }> => {
      const { subscriptions } = await product.webhooks.listSubscriptions({ label: name, states: [] });
      return present(subscriptions[0]);
    };
    async function subscribe(eventTypes: readonly string[]) {
      const made = await call(product.url, "/v1/webhooks/subscriptions", {
        headers: { "x-api-key": world.apiKey },
        json: { instanceIntegrationId: world.instanceIntegrationId, eventTypes },
      });
      const { signingSecret, subscription } = made.json<{
        readonly signingSecret: string;
        readonly subscription: { readonly label: string };
      }>();
      return { signingSecret, label: subscription.label };
    }

    /** @throws Error unless the standard's library accepts signature and time. */
    const verified = ({ id, timestamp, signatures, body }: Incoming): Envelope =>
      new Webhook(secret).verify(body, {
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": signatures,
      }) as Envelope;
    const verifying: Receiving = (incoming) => {
      try {
        verified(incoming);
        return 204;
      } catch {
        return 400;
      }
    };
    const receive = async (receiving: Receiving = verifying): Promise<RunningReceiver> => {
      const receiver = await runReceiver(receiving);
      closeLater(() => receiver.close());
      return receiver;
    };
    const listenWords = ({ url }: RunningReceiver): readonly string[] => [
      ...["listen", "--subscription", label, "--forward-to", url, "--state", folder, "--json"],
    ];
    /** Listens until the receiver has got so many; what was printed of them. */
    async function listenUntil(receiver: RunningReceiver, count: number, ...more: readonly string[]) {
      const ending = new AbortController();
      const secretToo = { ...env, WEBHOOK_SECRET: secret };
      const running = desk([...listenWords(receiver), ...more], secretToo, ending.signal);
      await arrived(receiver, count);
      ending.abort();
      const { exitCode, out } = await running;
      expect(exitCode).toBe(0);
      return parsed<Forwarded>(out);
    }
    const trigger = async (type: string): Promise<string> => {
      const { exitCode, out, err } = await desk(["trigger", type, "--subscription", label, "--json"], env);
      expect([exitCode, err]).toEqual([0, ""]);
      return (JSON.parse(out) as { readonly eventId: string }).eventId;
    };
    let people = 0;
    const invite = () => product.platform.inviteUser(invitation(world.tenantId, `guest${people++}@harbour.example`));
    const onboard = () =>
      product.platform.onboardWorker(onboarding(world.tenantId, `worker${people++}@harbour.example`));

    it("trigger makes an event of each type, operators' changes make real ones, and listen forwards them all, verified by the standard's library (R-X317, R-X321, R-X323)", async () => {
      const receiver = await receive();
      const ids: string[] = [];
      for (const type of EVENT_TYPES) ids.push(await trigger(type));
      await invite();
      await onboard();
      const lines = await listenUntil(receiver, EVENT_TYPES.length + 2, "--from", "oldest");
      const events = receiver.received.map(verified);
      expect(events.map(({ type, test }) => [type, test])).toEqual([
        ...EVENT_TYPES.map((type) => [type, true]),
        ["user.created", undefined],
        ["worker.onboarded", undefined],
      ]);
      expect(events.slice(0, ids.length).map(({ id }) => id)).toEqual(ids);
      expect(receiver.received.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
      expect(lines.map(({ event, variant, status }) => [event.id, variant, status])).toEqual(
        events.map(({ id }) => [id, null, 204]),
      );
    });

    it("a kill in the middle loses nothing: what was under way comes again, what happened meanwhile follows (R-X321)", async () => {
      let isStuck = true;
      const receiver = await receive((incoming, memory) => {
        if (memory.seen.size === 2 && isStuck) return "never";
        memory.seen.add(incoming.id);
        return verifying(incoming, memory);
      });
      const begin = (...more: readonly string[]): ChildProcess => {
        const words = ["desk/bin/gatehouse-webhooks.js", ...listenWords(receiver), ...more];
        const child = spawn(process.execPath, words, { env: { PATH: process.env.PATH, ...env }, stdio: "ignore" });
        closeLater(async () => void child.kill("SIGKILL"));
        return child;
      };
      const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
        const ended = once(child, "exit");
        child.kill(signal);
        return (await ended)[0];
      };
      const received = (count: number) => arrived(receiver, count);
      await invite();
      await trigger("user.updated");
      await onboard();
      await invite();
      const killed = begin("--from", "oldest");
      await received(3);
      await end(killed, "SIGKILL");
      isStuck = false;
      await trigger("worker.updated");
      await invite();
      const again = begin();
      await received(7);
      expect(await end(again, "SIGTERM")).toBe(0);
      const [first, second, underWay, ...rest] = receiver.received.map(verified);
      expect(underWay).toEqual(rest[0]);
      expect([first, second, ...rest].map((event) => event?.type)).toEqual([
        "user.created",
        "user.updated",
        "worker.onboarded",
        "user.created",
        "worker.updated",
        "user.created",
      ]);
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(6);
    });

    it("--hostile sends real events in another order, again, with unknown members and with old signatures (R-X322)", async () => {
      const receiver = await receive();
      await invite();
      await onboard();
      const lines = await listenUntil(receiver, 9, "--from", "oldest", "--hostile");
      expect(lines.map(({ event, variant, expected, status }) => [event.type, variant, expected, status])).toEqual([
        ...["worker.onboarded", "user.created"].flatMap((type) => [
          [type, "newest first", "acknowledged", 204],
          [type, "again", "acknowledged", 204],
          [type, "with an unknown member", "acknowledged", 204],
          [type, "signed six minutes ago", "refused", 400],
        ]),
        ["worker.onboarded", "newest again, after older ones", "acknowledged", 204],
      ]);
      const taken = receiver.received.filter(({ timestamp }) => Date.now() / 1000 - Number(timestamp) < 300);
      expect(taken.map(verified).map(({ tide }) => tide !== undefined)).toEqual([
        ...[false, false, true],
        ...[false, false, true],
        false,
      ]);
    });

    it("--hostile with the key alone does the same; what is altered are test events (R-X322, R-X362)", async () => {
      const receiver = await receive();
      await invite();
      await onboard();
      const ending = new AbortController();
      const running = desk([...listenWords(receiver), "--from", "oldest", "--hostile"], env, ending.signal);
      await arrived(receiver, 9);
      ending.abort();
      const { exitCode, out } = await running;
      const lines = parsed<Forwarded>(out);
      expect(exitCode).toBe(0);
      expect(lines.map(({ event, variant, expected, status }) => [event.type, variant, expected, status])).toEqual([
        ...["worker.onboarded", "user.created"].flatMap((type) => [
          [type, "newest first", "acknowledged", 204],
          [type, "again", "acknowledged", 204],
          [type, "with an unknown member", "acknowledged", 204],
          [type, "signed six minutes ago", "refused", 400],
        ]),
        ["worker.onboarded", "newest again, after older ones", "acknowledged", 204],
      ]);
      const taken = receiver.received.filter(({ timestamp }) => Date.now() / 1000 - Number(timestamp) < 300);
      expect(taken.map(verified).map(({ test, tide }) => [test, tide !== undefined])).toEqual([
        ...[1, 2].flatMap(() => [
          [undefined, false],
          [undefined, false],
          [true, true],
        ]),
        [undefined, false],
      ]);
    });

    const scoreByKey = async (receiving: Receiving, ...flags: readonly string[]) => {
      const receiver = await receive(receiving);
      const words = ["conform", receiver.url, "--subscription", label, "--count-url", receiver.countUrl, "--json"];
      const { exitCode, out, err } = await desk([...words, ...flags], env);
      const { checks } = JSON.parse(out === "" ? `{"checks":[]}` : out) as {
        checks: { name: string; result: string }[];
      };
      return { exitCode, err, checks: checks.map(({ name, result }) => [name, result]) };
    };
    const isVerified = (incoming: Incoming): boolean => {
      try {
        verified(incoming);
        return true;
      } catch {
        return false;
      }
    };

    it("conform scores a receiver with the key alone: the gateway signs for it (R-X363)", async () => {
      const { exitCode, err, checks } = await scoreByKey(dealingWith(isVerified));
      expect([exitCode, err]).toEqual([0, ""]);
      expect(checks.map(([name]) => name).toSorted()).toEqual(RULES.toSorted());
      expect(checks.filter(([, result]) => result !== "passed")).toEqual([]);
    });

    it("conform with the key alone is right while a secret is being replaced", async () => {
      const { id } = await subscriptionOf(label);
      await call(product.url, `/v1/webhooks/subscriptions/${id}/secrets`, {
        ...{ method: "POST", headers: { "x-api-key": world.apiKey }, json: { overlapSeconds: 3_600 } },
      });
      const { exitCode, checks } = await scoreByKey(dealingWith(isVerified));
      expect([exitCode, checks.filter(([, result]) => result !== "passed")]).toEqual([0, []]);
    });

    it.each<[string, string, Receiving]>([
      ["takes every signature", "signature-foreign", dealingWith(() => true)],
      [
        "takes old ones",
        "timestamp-stale",
        (incoming, memory) =>
          byHand({ key: Buffer.from(secret.slice("whsec_".length), "base64"), isInTime: (age) => age > -300 })(
            incoming,
            memory,
          ),
      ],
      [
        "refuses what it does not know",
        "unknown-fields",
        dealingWith((incoming) => isVerified(incoming) && !incoming.body.includes("tide")),
      ],
    ])("conform with the key alone names a receiver that %s", async (_, defect, receiving) => {
      // Read when it is called: each subscription has a secret of its own.
      const { exitCode, checks } = await scoreByKey((incoming, memory) => receiving(incoming, memory));
      expect([exitCode, checks.find(([name]) => name === defect)]).toEqual([1, [defect, "failed"]]);
    });

    it("conform by --scheme v1a scores a receiver that verifies by the public key", async () => {
      const { id } = await subscriptionOf(label);
      const made = await call(product.url, `/v1/webhooks/subscriptions/${id}/secrets`, {
        ...{ method: "POST", headers: { "x-api-key": world.apiKey }, json: { kind: "asymmetric" } },
      });
      expect(made.status).toBe(201);
      const keys = await call(product.url, `/v1/webhooks/subscriptions/${id}/public-keys`, {
        headers: { "x-api-key": world.apiKey },
      });
      const [{ publicKey } = { publicKey: "" }] = keys.json<{ data: { publicKey: string }[] }>().data;
      const { exitCode, checks } = await scoreByKey(
        byPublicKey({ verifies: isSignedBy(publicKey) }),
        "--scheme",
        "v1a",
      );
      expect(checks.filter(([, result]) => result !== "passed")).toEqual([]);
      expect([exitCode, checks.map(([name]) => name)]).toEqual([0, expect.arrayContaining(["public-key-as-secret"])]);
    });

    it.each([
      [["--scheme", "v2"], "--scheme is v1 or v1a."],
      [["--scheme", "v1a"], "The subscription has no key pair: nothing of it is signed with v1a."],
      [["--secret-file", "x"], "not by both"],
    ])("conform says what is wrong with %p", async (flags, sentence) => {
      const { exitCode, err } = await scoreByKey(
        dealingWith(() => true),
        ...flags,
      );
      expect([exitCode, err]).toEqual([expect.any(Number), expect.stringContaining(sentence)]);
      expect(exitCode).not.toBe(0);
    });

    it("npx runs a packed copy from a directory that has nothing, against the product", async () => {
      const receiver = await receive();
      await invite();
      const npm = {
        ...{ PATH: process.env.PATH, HOME: folder, npm_config_cache: join(folder, "cache") },
        ...{ npm_config_offline: "true", npm_config_update_notifier: "false" },
      };
      const packing = { cwd: folder, encoding: "utf8", env: npm } as const;
      const packed = execFileSync("npm", ["pack", resolve("desk"), "--silent"], packing).trimEnd();
      const empty = await mkdtemp(join(folder, "empty-"));
      const words = ["--yes", "--package", join(folder, packed), "gatehouse-webhooks", ...listenWords(receiver)];
      const child = spawn("npx", [...words, "--from", "oldest"], {
        cwd: empty,
        env: { ...npm, ...env },
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      const printed = Promise.all([text(child.stdout), text(child.stderr)]);
      // The whole group, as by Ctrl-C: npx begins a shell, and that the program.
      const end = () => process.kill(-(child.pid ?? 0), "SIGTERM");
      await eventually(
        async () => child.exitCode ?? receiver.received[0],
        (seen) => seen !== undefined,
        60_000,
      );
      end();
      const [out, err] = await printed;
      expect(err).toBe(`${label}: listening at ${product.url}, forwarding to ${receiver.url}\n`);
      expect(parsed<Forwarded>(out)).toMatchObject([{ event: { type: "user.created" }, status: 204 }]);
      expect(receiver.received.map(verified).map(({ type }) => type)).toEqual(["user.created"]);
    });

    it("trigger names the way out when the subscription does not ask for the type (R-X323)", async () => {
      const people = await subscribe(["user.*"]);
      const { exitCode, err } = await desk(["trigger", "client.created", "--subscription", people.label], env);
      expect([exitCode, err]).toEqual([
        1,
        "desk: Gatehouse refused: The subscription does not ask for this event type. (409, event_type_not_subscribed)\nAdd the type to the subscription's eventTypes, or choose another subscription.\n",
      ]);
    });

    it.each([
      ["listen", "--forward-to", "http://localhost:4/"],
      ["trigger", "user.updated"],
    ])("a key without the scope is told which it lacks: %s", async (...words) => {
      const { integrationId } = world;
      const issued = { integrationId, label: "reads", expiresAt: null, rateLimit: null, scopes: [ApiKeyScope.READ] };
      const { secret: reading } = await product.workforce.issueApiKey(issued);
      const { exitCode, err } = await desk(words, { ...env, API_KEY: reading });
      expect([exitCode, err]).toEqual([1, expect.stringContaining("needs the scope webhooks")]);
    });
  });
});
