import type { ErasureState } from "../../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { type Gatehouse, openGatehouse } from "../../support/gatehouse.ts";
import { withScope } from "../../support/scope.ts";
import { gatehouse, idOf, openStub, type RunOptions } from "../command-line.ts";

describe("gatehouse … erase, beside a running Gatehouse", () => {
  withScope((closeLater) => {
    let product: Gatehouse;
    const run = (words: readonly string[], options?: RunOptions) =>
      gatehouse([...words, "--data-directory", product.dataDirectory], options);
    const json = async (...words: readonly string[]) => JSON.parse((await run([...words, "--json"])).stdout);
    const userOf = (email: string) =>
      json("users", "invite", "--tenant", "Harbour Bakery", "--email", email, "--first-name", "Ines");

    beforeAll(async () => {
      product = await openGatehouse(closeLater);
      await run(["instances", "create", "--name", "Europe"]);
      await run(["tenants", "create", "--instance", "Europe", "--name", "Harbour Bakery"]);
    });

    it("erases only with --yes in a script, and says what goes (R-X260)", async () => {
      const { id } = await userOf("ines@harbour.example");
      const refused = await run(["users", "erase", id]);
      expect([refused.exitCode, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr.replaceAll(/\s+/g, " ")).toMatch(
        /^gatehouse: This erases Ines \(user_\w+\) for good: 1 person with password, sessions, consents and recorded sign-ins, 1 user\. .+Add --yes if/,
      );
      expect(await json("users", "show", id)).toMatchObject({ status: "INVITED", person: { firstName: "Ines" } });
      expect(await json("users", "erase", id, "--yes")).toEqual({
        id,
        erasedAt: expect.any(String),
        finishedAt: expect.any(String),
      });
      expect(await json("users", "show", id)).toMatchObject({ status: "DELETED", person: { firstName: "Erased" } });
    });

    it("says which events subscribers get: none where nobody goes, those of users and workers otherwise (R-X261)", async () => {
      const { id } = await json("tenants", "create", "--instance", "Europe", "--name", "Old Mill Pottery");
      const { person } = await json(
        ...["workers", "onboard", "--tenant", "Harbour Bakery", "--email", "worker@harbour.example"],
        ...["--first-name", "Ada", "--last-name", "Berg", "--country", "DE"],
      );
      const { id: userId } = await userOf("user@harbour.example");
      const questions = [
        ["tenants", "erase", id],
        ["people", "erase", person.id],
        ["users", "erase", userId],
        ["tenants", "erase", "Harbour Bakery"],
      ].map(async (words) => (await run(words)).stderr.replaceAll(/\s+/g, " "));
      expect(await Promise.all(questions)).toEqual([
        expect.stringMatching(/ for good: its name and address(, \d \w+)*\. .+ Subscribers get no event\. Ids stay/),
        expect.stringContaining(
          ' Subscribers get worker.updated with the end, with "Erased person" for a name. Ids stay',
        ),
        expect.stringContaining(
          ' Subscribers get user.updated with DELETED, with "Erased person" for a name. Ids stay',
        ),
        expect.stringMatching(
          / for good: its name and address, .+ Subscribers get user\.updated with DELETED and worker\./,
        ),
      ]);
    });

    it.each([
      ["no", "no\n", 2, "INVITED"],
      ["the end of the input", "", 2, "INVITED"],
      ["yes", "yes\n", 0, "DELETED"],
    ])("at a terminal it asks, and takes %s as such (R-X260)", async (_, stdin, exitCode, status) => {
      const { id } = await userOf(`asked-${exitCode}-${stdin.length}@harbour.example`);
      const answered = await run(["users", "erase", id], { stdin, typed: true });
      expect(answered.exitCode).toBe(exitCode);
      expect(answered.stderr).toMatch(/Erase Ines \(user_\w+\)\? \[y\/N\]: /);
      expect(await json("users", "show", id)).toMatchObject({ status });
    });
  });
});

describe("gatehouse … erase that takes long", () => {
  withScope((closeLater) => {
    it.each([
      [
        "units",
        "unit",
        "unitId",
        "Names and addresses are erased; what events and answers repeat of them is still being",
      ],
      // Its seats are erased in many transactions after the answer (R-X263).
      [
        "tenants",
        "client",
        "tenantId",
        "The tenant is not found any more. Its people, and what events and answers repeat",
      ],
    ] as const)(
      "%s: says what is not erased yet, that it goes on without it, and ends with 3",
      async (noun, kind, field, said) => {
        const id = idOf(kind);
        const erasedAt = new Date("2026-11-20T10:54:03.412Z");
        const state: ErasureState = {
          target: { id: { $case: field, value: id } },
          ...{ people: 0, users: 0, workers: 0, units: 1, unitTypes: 0, locations: 0 },
          erasedAt,
          finishedAt: null,
        };
        const stub = await openStub(closeLater, {
          erasure: { readErasure: async () => ({ state }), erase: async () => ({ state }) },
        });
        const [{ exitCode, stderr }, forPeople] = await Promise.all([
          stub.run([noun, "erase", id, "--yes", "--json"]),
          stub.run([noun, "erase", id, "--yes"]),
        ]);
        expect([exitCode, JSON.parse(stderr).error]).toEqual([
          3,
          expect.objectContaining({ reason: "erasure_under_way", message: expect.stringContaining(said) }),
        ]);
        const again = `The same command says when nothing is left: gatehouse ${noun} erase ${id}`;
        expect(JSON.parse(stderr).error.fix).toContain(again);
        // It finds the same Gatehouse.
        expect(forPeople.stderr).toContain(`${again} --socket-directory ${stub.socketDirectory}\n`);
        expect(stub.received.map(({ path }) => path)).not.toContain("Erase");
      },
    );
  });
});
