import { PROBLEMS, type ProblemCode } from "../../../generated/problems.ts";
import { eachStore } from "../../support/stores.ts";
import { type Furniture, GATEWAY_URL, type Gateway, openFurnished } from "../gateway-fixture.ts";
import { there, type Workforce } from "../workforce-fixture.ts";
import { comparable } from "./alike.ts";
import { fillIds, OPERATIONS, type PathOperation } from "./contract-paths.ts";

/** Something that a path can name, and where it is to be found. */
interface Subject {
  readonly label: string;
  readonly id: string;
  /** The name of the scope in which it exists; nothing for what exists nowhere. */
  readonly within?: string;
  /** The scope that it opens for the ids behind it. */
  readonly opens?: string;
  readonly configured?: false;
  readonly malformed?: true;
}

type Subjects = Readonly<Record<string, readonly Subject[]>>;

const NOT_FOUND: Readonly<Record<string, ProblemCode>> = {
  instanceIntegrationId: "instance_integration_not_found",
  clientId: "client_not_found",
  userId: "user_not_found",
  workerId: "worker_not_found",
};

/** Who reads. Its scope holds its own instance integrations. */
const READER = "reader";

/** What the specification says of a path, in the order of the path (spec §7.4, R-G2, R-G3, R-G5); `undefined` for a good answer. */
function problemOf(subjects: readonly (readonly [name: string, subject: Subject])[]): ProblemCode | undefined {
  if (subjects.some(([, { malformed }]) => malformed)) return "invalid_request";
  let scope: string | undefined = READER;
  for (const [name, { within, opens, configured }] of subjects) {
    if (within === undefined || within !== scope) return NOT_FOUND[name];
    if (configured === false) return "instance_integration_not_configured";
    scope = opens;
  }
  return undefined;
}

/** Every way to choose one subject for each position. */
const choices = ({ positions }: PathOperation, subjects: Subjects) =>
  positions.reduce<(readonly [string, Subject])[][]>(
    (before, { name }) =>
      before.flatMap((chosen) => there(subjects[name]).map((subject) => [...chosen, [name, subject] as const])),
    [[]],
  );

const idsOf = (chosen: readonly (readonly [string, Subject])[]) =>
  Object.fromEntries(chosen.map(([name, { id }]) => [name, id]));

eachStore((_, open) => {
  let workforce: Workforce;
  let gateway: Gateway;
  let have: Furniture;
  let subjects: Subjects;

  beforeAll(async () => {
    ({ workforce, gateway, have } = await openFurnished(open));
    subjects = await populate(workforce, have);
  });
  afterAll(() => gateway.stop());

  it("covers every kind of id of the contract, each with subjects of every sort", () => {
    const names = new Set(OPERATIONS.flatMap(({ positions }) => positions.map(({ name }) => name)));
    expect([...names].toSorted()).toEqual(Object.keys(NOT_FOUND).toSorted());
    expect(Object.keys(subjects).toSorted()).toEqual(Object.keys(NOT_FOUND).toSorted());
    expect(OPERATIONS.flatMap(({ positions }) => positions).filter(({ prefix }) => prefix === "")).toEqual([]);
  });

  it.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    "%s answers every choice of ids as the specification has it, and every missing thing alike (R-G3, S37)",
    async (_id, operation) => {
      const { path, positions } = operation;
      const unknown = Object.fromEntries(positions.map(({ name, unknown: id }) => [name, id]));
      const seen = new Map<ProblemCode, object>();
      const wrong: object[] = [];
      let good = 0;
      for (const chosen of choices(operation, subjects)) {
        const labels = chosen.map(([name, { label }]) => `${name}: ${label}`);
        const code = problemOf(chosen);
        const ids = idsOf(chosen);
        const answer = await gateway.get(fillIds(path, ids), have.secret);
        if (code === undefined) {
          good++;
          if (answer.status !== 200) wrong.push({ labels, wanted: 200, got: answer.text });
          continue;
        }
        const { errors, ...body } = answer.json<{ errors?: { name: string }[] }>();
        const { status, title, detail } = PROBLEMS[code];
        const type = `${GATEWAY_URL}/problems/${code.replaceAll("_", "-")}`;
        const requestId = answer.headers.get("x-request-id");
        const wanted = { type, title, status, detail, code, message: detail, requestId };
        const named = errors?.map(({ name }) => name);
        const malformed = chosen.filter(([, subject]) => subject.malformed).map(([name]) => name);
        if (JSON.stringify(body) !== JSON.stringify(wanted)) wrong.push({ labels, wanted, got: body });
        if (String(named ?? []) !== String(malformed)) wrong.push({ labels, wanted: malformed, got: named });
        if (code === "invalid_request") continue;
        // The first of each kind is the answer to an unknown id; every other one must be that, byte for byte.
        const told = comparable(answer);
        const first = seen.get(code) ?? told;
        seen.set(code, first);
        if (JSON.stringify(told) !== JSON.stringify(first)) wrong.push({ labels, wanted: first, got: told });
      }
      expect(wrong).toEqual([]);
      expect(good).toBeGreaterThan(0);
      const reference = positions.length === 0 ? undefined : await gateway.get(fillIds(path, unknown), have.secret);
      expect(seen.get("instance_integration_not_found")).toEqual(reference && comparable(reference));
    },
  );

  it("lets the other integration read its own things, at every operation", async () => {
    const statuses = await Promise.all(
      OPERATIONS.map(async ({ id, path, positions }) => {
        const theirs = Object.fromEntries(
          positions.map(({ name }) => [name, subjects[name]?.find(({ label }) => label === "foreign")?.id ?? ""]),
        );
        return [id, (await gateway.get(fillIds(path, theirs), have.theirs.secret)).status];
      }),
    );
    expect(statuses).toEqual(OPERATIONS.map(({ id }) => [id, 200]));
  });
});

/** For each kind of id: mine and another of mine, one elsewhere below me, ended, foreign, unknown, malformed, of another kind. */
async function populate(workforce: Workforce, have: Furniture): Promise<Subjects> {
  const { tenant, bare, theirs, foreignTenant } = have;
  const elsewhere = await workforce.instance("Fourth");
  const { instanceIntegration } = await workforce.operator.connectIntegration({
    requestId: "",
    integrationId: have.integrationId,
    instanceId: elsewhere,
    configured: true,
  });
  const cousin = await workforce.tenant(elsewhere, { name: "Cousin" });
  const deleted = await workforce.user(tenant.id, "deleted@matrix.example");
  await workforce.platform.deleteUser({ requestId: "", userId: deleted.id });
  const ended = await workforce.worker(tenant.id, "ended@matrix.example");
  await workforce.raw(`update workforce_workers set ended_at = 1 where id = '${ended.id}'`);
  const { integrationId: stranger } = await workforce.integration();
  const hidden = await workforce.operator.connectIntegration({
    requestId: "",
    integrationId: stranger,
    instanceId: have.instanceId,
    configured: false,
  });
  const mine = (label: string, id: string, within: string, opens = id): Subject => ({ label, id, within, opens });
  const nowhere = (prefix: string, kind: string): readonly Subject[] => [
    { label: "unknown", id: `${prefix}_${"A".repeat(21)}` },
    { label: "malformed", id: `${prefix}_x`, malformed: true },
    { label: "of another kind", id: kind, malformed: true },
  ];
  const cousinUser = await workforce.user(cousin.id, "cousin@matrix.example");
  const cousinWorker = await workforce.worker(cousin.id, "cousin.worker@matrix.example");
  const bareWorker = await workforce.worker(bare.id, "bare.worker@matrix.example");
  return {
    instanceIntegrationId: [
      mine("mine", have.connectionId, READER, have.instanceId),
      mine("mine, to another instance", there(instanceIntegration).id, READER, elsewhere),
      { ...mine("mine, not configured", have.unconfiguredId, READER), configured: false },
      mine("foreign", theirs.connectionId, "another integration", foreignTenant.instanceId),
      mine("foreign, to my instance, not configured", there(hidden.instanceIntegration).id, "another integration"),
      ...nowhere("installation", tenant.id),
    ],
    clientId: [
      mine("mine", tenant.id, have.instanceId),
      mine("another of the instance", bare.id, have.instanceId),
      mine("of another instance of mine", cousin.id, elsewhere),
      mine("foreign", foreignTenant.id, foreignTenant.instanceId),
      ...nowhere("client", have.connectionId),
    ],
    userId: [
      mine("mine", have.user.id, tenant.id),
      mine("deleted, still to be read (R-G7)", deleted.id, tenant.id),
      mine("of another client of the instance", have.nameless.id, bare.id),
      mine("of another instance of mine", cousinUser.id, cousin.id),
      mine("foreign", have.foreignUser.id, foreignTenant.id),
      ...nowhere("user", have.worker.id),
    ],
    workerId: [
      mine("mine", have.worker.id, tenant.id),
      mine("ended, still to be read (R-G16)", ended.id, tenant.id),
      mine("of another client of the instance", bareWorker.id, bare.id),
      mine("of another instance of mine", cousinWorker.id, cousin.id),
      mine("foreign", have.foreignWorker.id, foreignTenant.id),
      ...nowhere("worker", have.user.id),
    ],
  };
}
