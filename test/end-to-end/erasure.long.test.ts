import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { openSqlite } from "../../src/runtime/database/sqlite/sqlite.ts";
import { storePath } from "../../src/runtime/database/sqlite/store-file.ts";
import { authorizePath, Browser, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";
import { countFound, shapesOf } from "../support/secret-shapes.ts";
import { dump } from "../support/store-dump.ts";
import { eachStore, type TestStore } from "../support/stores.ts";
import { invitation, onboarding, present } from "../support/world.ts";
import {
  type Marks,
  marksOf,
  openScene,
  type Scene,
  type Somebody,
  untilSent,
  useEverything,
} from "./erasure-scene.ts";

eachStore((name, open) => {
  describe("what is erased is in no table afterwards (R-X260)", () => {
    withScope((closeLater) => {
      let scene: Scene;
      let store: TestStore | undefined;
      let readsOf: (path: string) => ReturnType<typeof call>;

      beforeAll(async () => {
        store = name === "postgres" ? await open() : undefined;
        const flags = { "webhook-attempt-delays": "1h,1h" };
        const product = await openGatehouse(closeLater, { flags, ...(store && { storeUrl: store.location }) });
        scene = await openScene(product, closeLater);
        const { instanceIntegrationId, apiKey } = scene.world;
        const headers = { "x-api-key": apiKey };
        readsOf = (path) =>
          call(product.url, path.replace("{id}", `instance-integrations/${instanceIntegrationId}`), { headers });
      });

      /** Everything that any table has, JSON and bytes included. */
      const rows = async (): Promise<Buffer> => {
        if (store !== undefined) return dump(store.store);
        const own = openSqlite(storePath(scene.product.dataDirectory));
        try {
          return await dump(own);
        } finally {
          await own.close();
        }
      };
      /** The files of the embedded store as they are, free pages and log included. */
      const files = (): Buffer =>
        Buffer.concat(
          readdirSync(scene.product.dataDirectory)
            .filter((file) => file.startsWith(basename(storePath(""))))
            .map((file) => readFileSync(join(scene.product.dataDirectory, file))),
        );
      /** The bodies that subscribers were sent or are owed. */
      const bodies = async () =>
        (await rows())
          .toString()
          .split("\n")
          .filter((cell) => /^{"id":"event_/.test(cell));
      const foundOf = (values: readonly string[], bytes: Buffer): readonly string[] =>
        values.filter((value) => countFound(bytes, shapesOf(value)) > 0);
      const foundIn = (bytes: Buffer, marks: Marks): readonly string[] =>
        Object.entries(marks)
          .filter(([, value]) => countFound(bytes, shapesOf(value)) > 0)
          .map(([kind]) => kind);

      describe("a person", () => {
        const marks = marksOf("Ottoline");
        let somebody: Somebody;
        let before: readonly string[];
        let inFilesBefore: readonly string[];
        let received: number;

        beforeAll(async () => {
          somebody = await useEverything(scene, marks);
          await untilSent(scene);
          before = foundIn(await rows(), marks);
          inFilesBefore = foundIn(files(), marks);
          received = scene.receiver.received.length;
        });

        it("was everywhere before, except the password", () => {
          const { password: _, ...stored } = marks;
          expect(before).toEqual(Object.keys(stored));
        });

        it("is erased by a command that says what goes, and by --yes", async () => {
          const asked = await scene.run("people", "erase", marks.email);
          expect(asked.exitCode).toBe(2);
          expect(asked.stderr.replaceAll(/\s+/g, " ")).toContain(
            "for good: 1 person with password, sessions, consents and recorded sign-ins, 2 users, 1 worker.",
          );
          const { exitCode, stderr } = await scene.run("people", "erase", marks.email, "--yes");
          expect([exitCode, stderr]).toEqual([0, expect.stringContaining("It is erased: no table has it any more.")]);
        });

        it("has left every table, bodies that are still owed included", async () => {
          await untilSent(scene);
          const left = await rows();
          expect(foundIn(left, marks)).toEqual([]);
          const digest = createHash("sha256").update(marks.email).digest();
          expect([left.includes(digest), left.includes(digest.toString("base64url"))]).toEqual([false, false]);
        });

        it("has left the files of the embedded store, free pages and log included (decision 0059)", async () => {
          expect(inFilesBefore).toEqual(name === "sqlite" ? before : []);
          expect(foundIn(files(), marks)).toEqual([]);
        });

        it("was announced by user.updated with DELETED for each user and worker.updated for the worker (R-X261)", async () => {
          const events = await eventually(
            async () => scene.receiver.received.slice(received).map(({ event }) => event),
            (arrived) => arrived.length >= 4,
          );
          const shown = { firstName: "Erased", lastName: "person", fullName: "Erased person" };
          const email = expect.stringMatching(/^erased-[a-z0-9]{21}@erased\.invalid$/);
          const user = (userId: string) =>
            expect.objectContaining({
              type: "user.updated",
              data: expect.objectContaining({ userId, status: "DELETED", manager: null, role: null, email, ...shown }),
            });
          expect(events).toHaveLength(4);
          expect(events).toEqual(
            expect.arrayContaining([
              user(somebody.userId),
              user(somebody.otherUserId),
              expect.objectContaining({
                type: "worker.updated",
                data: expect.objectContaining({
                  ...{ workerId: somebody.workerId, email, ...shown, jobTitles: [], phone: null },
                  endedAt: expect.any(String),
                  location: expect.objectContaining({ address1: null, city: null }),
                }),
              }),
              // Who answered to the user has no manager any more.
              expect.objectContaining({
                type: "user.updated",
                data: expect.objectContaining({ userId: scene.world.userId, manager: null, status: "INVITED" }),
              }),
            ]),
          );
        });

        it("is shown by id as what it was, without names, and in no list (R-X262)", async () => {
          const tenant = `{id}/clients/${scene.world.tenantId}`;
          const user = await readsOf(`/v1/${tenant}/users/${somebody.userId}`);
          const worker = await readsOf(`/v2/${tenant}/workers/${somebody.workerId}`);
          expect([user.status, user.json()]).toEqual([
            200,
            expect.objectContaining({ status: "DELETED", fullName: "Erased person" }),
          ]);
          expect([worker.status, worker.json()]).toEqual([
            200,
            expect.objectContaining({ fullName: "Erased person", phone: null, organizationUnits: [] }),
          ]);
          const users = await readsOf(`/v1/${tenant}/users`);
          expect(JSON.stringify(users.json())).not.toContain(somebody.userId);
        });

        it("cannot sign in, and the address is free", async () => {
          const browser = new Browser(scene.product.url);
          const login = await browser.follow(authorizePath(scene.world));
          const { answer } = await browser.submit(login.answer, { email: marks.email, password: marks.password });
          expect(answer.text).toContain("The e-mail address or the password is wrong.");
          const key = { $case: "personId", value: somebody.personId } as const;
          const person = present((await scene.product.platform.readPerson({ key })).person);
          expect(person).toMatchObject({ disabled: true, firstName: "Erased", lastName: "person" });
          await expect(
            scene.product.platform.readPerson({ key: { $case: "email", value: marks.email } }),
          ).rejects.toMatchObject({ reason: "person_not_found" });
          await expect(
            scene.product.platform.readPerson({ key: { $case: "email", value: person.email } }),
          ).rejects.toMatchObject({ reason: "person_not_found" });
        });

        it("stays erased: changes are refused, a repeated request brings nothing back (R-X265)", async () => {
          const { personId } = somebody;
          const { platform } = scene.product;
          await expect(platform.enablePerson({ requestId: "", personId })).rejects.toMatchObject({ reason: "erased" });
          const named = { requestId: "", personId, updateMask: ["first_name"], email: "", emailVerified: false };
          await expect(platform.updatePerson({ ...named, firstName: "x", lastName: null })).rejects.toMatchObject({
            reason: "erased",
          });
          const { tenantId } = scene.world;
          const { firstName, lastName, oldEmail } = marks;
          const again = invitation(tenantId, oldEmail, { firstName, lastName, requestId: "invite the first" });
          await expect(platform.inviteUser(again)).rejects.toMatchObject({ reason: "answer_erased" });
          const repeated = await scene.run("people", "erase", personId, "--yes");
          expect([repeated.exitCode, repeated.stderr]).toEqual([0, expect.stringContaining("It was erased before.")]);
        });

        it("leaves its ids in the audit log, with who erased it", async () => {
          const { stdout } = await scene.run("audit", "list", "--object", somebody.personId, "--json");
          const actions = (JSON.parse(stdout) as { entries: readonly { action: string; actor: string }[] }).entries;
          expect(actions[0]).toMatchObject({ action: "person.erase", actor: expect.stringMatching(/^platform:/) });
          expect(actions.map(({ action }) => action)).toContain("signIn.succeed");
        });
      });

      describe("one seat of a person who has others", () => {
        const marks = marksOf("Perpetua");
        let somebody: Somebody;

        beforeAll(async () => {
          somebody = await useEverything(scene, marks, "second");
          await untilSent(scene);
          const { exitCode } = await scene.run("users", "erase", somebody.userId, "--yes");
          expect(exitCode).toBe(0);
        });

        it("loses the person, who keeps the others and goes on signing in (R-X261)", async () => {
          const { platform } = scene.product;
          const { user } = await platform.readUser({ userId: somebody.userId });
          const { user: other } = await platform.readUser({ userId: somebody.otherUserId });
          expect(user).toMatchObject({ person: { firstName: "Erased", lastName: "person", disabled: true } });
          expect(present(present(user).person).id).not.toBe(somebody.personId);
          expect(present(other).person).toMatchObject({ id: somebody.personId, email: marks.email, disabled: false });
          const left = await signIn(new Browser(scene.product.url), authorizePath(scene.world), marks);
          expect(left.searchParams.get("code")).not.toBeNull();
        });

        it("has left the bodies about that seat; those about the others are as they were", async () => {
          const withNames = (await bodies()).filter((body) => foundIn(Buffer.from(body), marks).length > 0);
          expect(withNames.filter((body) => body.includes(somebody.userId))).toEqual([]);
          expect(withNames.filter((body) => body.includes(somebody.workerId))).not.toEqual([]);
          expect(withNames.filter((body) => body.includes(somebody.otherUserId))).not.toEqual([]);
        });

        it("erases the person too when it was the last one", async () => {
          for (const words of [
            ["workers", "erase", somebody.workerId],
            ["users", "erase", somebody.otherUserId],
          ])
            expect(await scene.run(...words, "--yes")).toMatchObject({ exitCode: 0 });
          expect(foundIn(await rows(), marks)).toEqual([]);
        });
      });

      describe("a unit, a unit type and a tenant", () => {
        const marks = marksOf("Wilhelmina");
        const names = {
          tenant: "Wilhelmina Lightships",
          city: "Wilhelmina upon Sea",
          unitType: "Wilhelmina Watch",
          unit: "Wilhelmina Lantern Room",
          code: "WILHELMINA-LR",
          description: "Where Wilhelmina polishes the lens",
          kept: "Wilhelmina Boathouse",
          location: "Wilhelmina Pier",
          role: "Wilhelmina Keeper",
        };
        let tenantId: string;
        let unitTypeId: string;
        let unitIds: readonly string[];

        beforeAll(async () => {
          const { platform } = scene.product;
          const { instanceId } = scene.world;
          const address = { city: names.city };
          const made = await platform.createTenant({ requestId: "a tenant", instanceId, name: names.tenant, address });
          tenantId = present(made.tenant).id;
          const { unitType, units } = await platform.createUnitType({
            requestId: "a unit type",
            tenantId,
            name: names.unitType,
            units: [
              { name: names.unit, unitCode: names.code, description: names.description, parent: null },
              { name: names.kept, unitCode: null, description: null, parent: { $case: "parentIndex", value: 0 } },
            ],
          });
          unitTypeId = present(unitType).id;
          unitIds = units.map(({ id }) => id);
          const { location } = await platform.createLocation({ requestId: "", tenantId, name: names.location });
          await platform.createAccessRole({ requestId: "", tenantId, name: names.role, permissions: [] });
          const { email, firstName, lastName } = marks;
          await platform.onboardWorker(
            onboarding(tenantId, email, {
              firstName,
              lastName,
              unitIds: [...unitIds],
              locationId: present(location).id,
            }),
          );
          await platform.inviteUser(invitation(tenantId, email, { firstName, lastName, roleName: names.role }));
          // Somebody who works elsewhere, too.
          await platform.inviteUser(invitation(tenantId, scene.world.email));
          await untilSent(scene);
        });

        it("a unit keeps its place, its children and its workers, and loses what it was called (R-X262)", async () => {
          const [unitId = "", keptId] = unitIds;
          const { stderr, exitCode } = await scene.run("units", "erase", unitId, "--yes");
          expect([exitCode, stderr]).toEqual([0, expect.stringContaining("It is erased")]);
          const structure = await readsOf(`/v1/{id}/clients/${tenantId}/organization-structure`);
          expect(structure.json()).toMatchObject({
            units: expect.arrayContaining([
              expect.objectContaining({ id: unitId, name: "Erased unit", description: null, unitTypeId }),
              expect.objectContaining({ id: keptId, name: names.kept, parentUnitId: unitId }),
            ]),
          });
          expect(foundOf([names.unit, names.code, names.description], await rows())).toEqual([]);
          const update = { requestId: "", unitId, updateMask: ["name"], name: "Again" };
          await expect(scene.product.platform.updateUnit(update)).rejects.toMatchObject({ reason: "erased" });
        });

        it("a unit type keeps its units and loses its name (R-X262)", async () => {
          expect(await scene.run("unit-types", "erase", unitTypeId, "--yes")).toMatchObject({ exitCode: 0 });
          const structure = await readsOf(`/v1/{id}/clients/${tenantId}/organization-structure`);
          expect(structure.json()).toMatchObject({ unitsTypes: [{ id: unitTypeId, name: "Erased unit type" }] });
          expect(foundOf([names.unitType], await rows())).toEqual([]);
          const update = { requestId: "", unitTypeId, updateMask: ["name"], name: "Again" };
          await expect(scene.product.platform.updateUnitType(update)).rejects.toMatchObject({ reason: "erased" });
        });

        it("a tenant goes with everything in it, and people who are elsewhere stay (R-X263)", async () => {
          const before = scene.receiver.received.length;
          expect(
            foundOf([names.tenant, names.city, names.kept, names.location, names.role], await rows()),
          ).toHaveLength(5);
          expect(await scene.run("tenants", "erase", names.tenant, "--yes")).toMatchObject({ exitCode: 0 });
          const left = await rows();
          expect(foundOf(Object.values(names), left)).toEqual([]);
          expect(foundIn(left, marks)).toEqual([]);
          const events = await eventually(
            async () => scene.receiver.received.slice(before).map(({ event }) => event),
            (arrived) => arrived.length >= 3,
          );
          expect(events.map(({ type, data }) => [type, data.status ?? typeof data.endedAt]).toSorted()).toEqual([
            ["user.updated", "DELETED"],
            ["user.updated", "DELETED"],
            ["worker.updated", "string"],
          ]);
          expect(events.map(({ data }) => data.fullName)).toEqual(["Erased person", "Erased person", "Erased person"]);
          const key = { $case: "email", value: scene.world.email } as const;
          const stayed = await scene.product.platform.readPerson({ key });
          expect(stayed.person).toMatchObject({ firstName: "Maren", disabled: false });
        });

        it("an erased tenant is not found, by the gateway and the platform (R-X263)", async () => {
          const read = await readsOf(`/v1/{id}/clients/${tenantId}/workers`);
          const listed = await readsOf("/v1/{id}/clients");
          expect([read.status, JSON.stringify(listed.json())]).toEqual([404, expect.not.stringContaining(tenantId)]);
          const { platform } = scene.product;
          await expect(platform.readTenant({ tenantId })).rejects.toMatchObject({ reason: "tenant_not_found" });
          await expect(platform.inviteUser(invitation(tenantId, "new@harbour.example"))).rejects.toMatchObject({
            reason: "tenant_not_found",
          });
        });
      });

      it("an export has nothing of what is erased (R-X266)", async () => {
        const { stdout } = await scene.run("export");
        expect(stdout).not.toMatch(/erased/i);
      });
    });
  });
});
