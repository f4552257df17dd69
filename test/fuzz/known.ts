import { newApiKey } from "../../src/workforce/integrations/api-key.ts";
import { seededRandom } from "../support/random.ts";
import { makeWorld, onboarding, type Peers, present, type World } from "../support/world.ts";
import type { Known } from "./gateway-requests.ts";

const UNKNOWN = "A".repeat(21);

/** Everything of a known world that can be in a request: its own, foreign, unconfigured, unknown. */
export interface FuzzWorld {
  readonly known: Known;
  readonly mine: World;
  readonly theirs: World;
  readonly workerId: string;
}

/** Two integrations on instances of their own, with something below each, and keys that are good, revoked and unknown. */
export async function makeFuzzWorld(peers: Peers): Promise<FuzzWorld> {
  const mine = await makeWorld(peers);
  const theirs = await makeWorld(peers, { email: "somebody.else@foreign.example" });
  const { integrationId } = mine;
  const { instance } = await peers.platform.createInstance({ requestId: "", name: "Ærø 🥐" });
  const connection = { requestId: "", integrationId, instanceId: present(instance).id, configured: false };
  const { instanceIntegration } = await peers.workforce.connectIntegration(connection);
  const workerIds: string[] = [];
  for (const [tenantId, count] of [[mine.tenantId, 5] as const, [theirs.tenantId, 1] as const]) {
    for (let index = 0; index < count; index++) {
      const { worker } = await peers.platform.onboardWorker(
        onboarding(tenantId, `${tenantId.slice(7)}-${index}@workers.example`),
      );
      workerIds.push(present(worker).id);
    }
  }
  const { apiKey, secret: revoked } = await peers.workforce.issueApiKey({
    integrationId,
    label: "revoked",
    expiresAt: null,
    rateLimit: null,
    scopes: [],
  });
  await peers.workforce.revokeApiKey({ apiKeyId: present(apiKey).id });
  return {
    mine,
    theirs,
    workerId: present(workerIds[0]),
    known: {
      goodKeys: [mine.apiKey, theirs.apiKey],
      badKeys: ["", revoked, newApiKey(seededRandom())],
      ids: {
        instanceIntegrationId: [
          ...[mine.instanceIntegrationId, mine.instanceIntegrationId, theirs.instanceIntegrationId],
          ...[present(instanceIntegration).id, `installation_${UNKNOWN}`],
        ],
        clientId: [mine.tenantId, mine.tenantId, theirs.tenantId, `client_${UNKNOWN}`],
        userId: [mine.userId, theirs.userId, `user_${UNKNOWN}`],
        workerId: [...workerIds, `worker_${UNKNOWN}`],
      },
      tags: [],
      cursors: [],
    },
  };
}

/** What the installation at `url` gives out to be sent back: entity tags, and cursors of both lists that have pages. */
export async function withTags(url: string, { known, mine }: FuzzWorld): Promise<Known> {
  const tags: string[] = [];
  const cursors: string[] = [];
  const below = (version: string) =>
    `${url}/${version}/instance-integrations/${mine.instanceIntegrationId}/clients/${mine.tenantId}`;
  for (const target of [`${url}/v1/instance-integrations`, below("v1"), `${below("v2")}/workers?limit=1`]) {
    const answer = await fetch(target, { headers: { "x-api-key": known.goodKeys[0] } });
    tags.push(answer.headers.get("etag") ?? "");
    const cursor = /[?&]cursor=([^>&]+)/.exec(answer.headers.get("link") ?? "")?.[1];
    if (cursor !== undefined) cursors.push(cursor);
  }
  return { ...known, tags, cursors };
}
