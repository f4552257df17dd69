import { proofOf } from "../../../src/workforce/integrations/api-key.ts";
import { watchStatements } from "../../support/asked-statements.ts";
import { eachStore } from "../../support/stores.ts";
import { type Furniture, type Gateway, openFurnished } from "../gateway-fixture.ts";
import { badKeys } from "./bad-keys.ts";
import { fillIds, OPERATIONS, unknownIds } from "./contract-paths.ts";

/** Questions of who has proven the same key on the same path since the last commit: none where no other program writes (decision 0088). */
const ASKED_AGAIN = { sqlite: 0, postgres: 1 };

eachStore((dialect, open) => {
  let gateway: Gateway;
  let commit: () => Promise<unknown>;
  let have: Furniture;
  let refused: readonly string[];
  beforeAll(async () => {
    const { workforce, ...opened } = await openFurnished(open);
    ({ gateway, have } = opened);
    refused = (await badKeys(workforce, have.secret, have.instanceId))
      .map(({ headers }) => String(headers["x-api-key"]))
      .filter((key) => proofOf(key) !== undefined);
    // On PostgreSQL a limit is drawn from the store, many requests at a time (decision 0014); counted here is all the rest.
    await workforce.raw("update workforce_api_keys set rate_per_second = 0, rate_burst = 1");
    commit = () => workforce.instance("Elsewhere");
  });
  afterAll(() => gateway.stop());

  const askedAgain = (path: string, status: number, secret = have.secret) =>
    watchStatements(async () => {
      expect((await gateway.get(path, secret)).status).toBe(status);
    });
  const questions: typeof askedAgain = async (...asked) => {
    await commit();
    return askedAgain(...asked);
  };
  const known = () => have.pathIds;
  const below = OPERATIONS.filter(({ positions }) => positions.length > 0);

  it.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    "%s asks the store two questions, and one when the edge has the answer of before, or none until something is written (R-X332)",
    async (_name, { path }) => {
      const filled = `${fillIds(path, known())}?`;
      expect(await questions(filled, 200)).toHaveLength(2);
      expect(await questions(filled, 200)).toHaveLength(1);
      expect(await askedAgain(filled, 200)).toHaveLength(ASKED_AGAIN[dialect]);
    },
  );

  it.each(below.map((operation) => [operation.id, operation] as const))(
    "%s asks the same one question about what does not exist, about what another integration has, and for a key that is refused (R-X332)",
    async (_name, operation) => {
      const ids = known();
      const unknown = fillIds(operation.path, unknownIds(operation));
      const foreign = fillIds(operation.path, { ...ids, instanceIntegrationId: have.theirs.connectionId });
      const asked = [await questions(unknown, 404), await questions(foreign, 404)];
      for (const key of refused) asked.push(await questions(fillIds(operation.path, ids), 401, key));
      // A refused key that was asked about before is asked about again.
      for (const key of refused) asked.push(await askedAgain(fillIds(operation.path, ids), 401, key));
      expect(asked).toHaveLength(12);
      expect(new Set(asked.flat()).size).toBe(1);
      expect(asked.map((all) => all.length)).toEqual(asked.map(() => 1));
    },
  );
});
