import { stripVTControlCharacters } from "node:util";
import type { ExplainedPerson } from "../../../../generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { notFound } from "../../../../src/runtime/basis/errors.ts";
import { withScope } from "../../../support/scope.ts";
import { idOf, openStub, type StubGatehouse } from "../../command-line.ts";

const AT = new Date("2026-11-20T10:54:03.412Z");
const MAREN: ExplainedPerson = {
  personId: idOf("person"),
  email: "maren@harbour.example",
  emailVerified: true,
  firstName: "Maren",
  lastName: "Holt",
  hasPassword: true,
  obstacles: [],
  seats: [
    {
      seat: {
        ...{ kind: "SEAT_KIND_USER", id: idOf("user"), state: "SEAT_STATE_ACTIVE", admits: true },
        ...{ tenantId: idOf("tenant"), tenantName: "Third Bakery" },
        ...{ instanceId: idOf("instance"), instanceName: "Europe" },
      },
      ...{ since: null, disabledAt: null },
    },
  ],
  attempts: [
    {
      ...{ at: AT, succeeded: false, reason: "wrong_password", applicationName: "Marigold", requestId: idOf("req") },
      ...{ network: "192.0.2.0/24", userAgent: "Firefox/140", device: { browser: "Firefox", system: "Linux" } },
    },
  ],
  sessions: [],
};
const DISABLED: ExplainedPerson = {
  ...MAREN,
  obstacles: [
    {
      check: "person.disabled",
      finding: "The person is disabled and cannot sign in anywhere.",
      advice: `To let the person in again: gatehouse people enable ${MAREN.personId}`,
      command: ["people", "enable", MAREN.personId],
      since: AT,
      actor: "platform:jo",
      until: null,
    },
  ],
};

/** One command that no id ends, one that is only mentioned. */
const SEATLESS: ExplainedPerson = {
  ...MAREN,
  obstacles: [
    {
      ...{ check: "seat.none", finding: "The person has no seat.", since: null, until: null },
      advice: "Invite the person: gatehouse users invite --tenant client_A",
      command: ["users", "invite", "--tenant", "client_A"],
    },
    {
      ...{ check: "password.none", finding: "The person has no password.", since: null, until: null },
      advice: `See how the person is: gatehouse people show ${MAREN.personId}`,
      command: [],
    },
  ],
};

const REOPENED: ExplainedPerson = {
  ...MAREN,
  seats: MAREN.seats.map((one) => ({
    ...one,
    ...{ since: new Date("2026-11-20T10:56:00Z"), actor: "platform:ada", disabledAt: AT, disabledBy: "operator:jo" },
  })),
  attempts: [
    { at: AT, succeeded: false, reason: "refused", requestId: idOf("req"), error: "access_denied", device: null },
    { at: AT, succeeded: true, requestId: idOf("req"), error: "access_denied", device: null },
  ],
};

const NAMED = [
  { id: idOf("person"), name: "Maren Dahl", details: ["maren@harbour.example"] },
  { id: idOf("person"), name: "Ines Vogt", details: ["ines@harbour.example"] },
  { id: `${idOf("person").slice(0, -1)}2`, name: "Ines Vogt", details: ["ines.vogt@pier.example"] },
  { id: idOf("person", "B"), name: "Night: gatehouse crew", details: [] },
  { id: idOf("person", "C"), name: "Night: gatehouse crew", details: [] },
];

describe("gatehouse people explain (R-X197)", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;
    beforeAll(async () => {
      stub = await openStub(closeLater, {
        inspection: {
          explainPerson: async ({ key }) => {
            if (key?.value === "unknown@harbour.example") throw notFound("person_not_found", "There is none.");
            if (key?.value === "reopened@harbour.example") return { person: REOPENED };
            if (key?.value === "seatless@harbour.example") return { person: SEATLESS };
            return { person: key?.$case === "email" ? DISABLED : MAREN };
          },
        },
        workforce: {
          findNamed: async ({ name }) => ({ found: NAMED.filter((one) => one.name === name), more: false }),
        },
      });
    });

    it("says in the first line whether, then why, since when, by whom, and what to do", async () => {
      const { exitCode, stdout } = await stub.run(["people", "explain", "maren@harbour.example"]);
      expect([exitCode, stdout.split("\n").slice(0, 6)]).toEqual([
        0,
        [
          "Maren Holt cannot sign in.",
          "",
          "The person is disabled and cannot sign in anywhere. Since 2026-11-20 10:54 UTC,",
          "by the platform (account jo).",
          `What to do: To let the person in again: gatehouse people enable ${MAREN.personId} --socket-directory ${stub.socketDirectory}`,
          "",
        ],
      ]);
    });

    it("knows by its field whether an advice ends with a command, and adds where to find this Gatehouse", async () => {
      const { stdout } = await stub.run(["people", "explain", "seatless@harbour.example"]);
      expect(stdout.match(/^What to do: .*$/gm)).toEqual([
        `What to do: Invite the person: gatehouse users invite --tenant client_A --socket-directory ${stub.socketDirectory}`,
        `What to do: See how the person is: gatehouse people show ${MAREN.personId}`,
      ]);
    });

    it("names the instances, and shows seats, attempts with request ids, and sessions, within 120 columns", async () => {
      const { stdout } = await stub.run(["people", "explain", MAREN.personId], { columns: 120 });
      expect(stdout).toContain("Maren Holt can sign in to Europe.\n");
      expect(stdout).toMatch(/^Third Bakery +Europe +user +active +– +–$/m);
      expect(stdout).toMatch(
        /^2026-11-20 10:54 UTC +wrong_password +Marigold +req_A+ +192\.0\.2\.0\/24 +Firefox, Linux$/m,
      );
      expect(stripVTControlCharacters(stdout)).toContain("Open sessions\nNone.\n");
    });

    it("says when a seat that is open again was disabled, and what applications got after a sign-in", async () => {
      const { stdout } = await stub.run(["people", "explain", "reopened@harbour.example"], { columns: 120 });
      expect(stdout).toMatch(/^Third Bakery .* 2026-11-20 10:56 UTC +platform:ada$/m);
      expect(stdout.replaceAll("\n", " ")).toContain(
        "The user at Third Bakery was disabled from 2026-11-20 10:54 UTC by an operator (account jo) to 2026-11-20 10:56 UTC by the platform (account ada).",
      );
      expect(stdout).toMatch(/^2026-11-20 10:54 UTC +access_denied +account page +req_A+ +– +–$/m);
      expect(stdout).toMatch(/^2026-11-20 10:54 UTC +signed in, then access_denied +account page +req_A+ +– +–$/m);
    });

    it("is one document for programs", async () => {
      const { stdout } = await stub.run(["people", "explain", "maren@harbour.example", "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({
        ...{ id: MAREN.personId, canSignIn: false, hasPassword: true, sessions: [] },
        obstacles: [
          {
            ...{ check: "person.disabled", since: AT.toISOString(), actor: "platform:jo", until: null },
            command: ["people", "enable", MAREN.personId],
          },
        ],
        seats: [{ kind: "user", state: "active", admits: true, tenantName: "Third Bakery", instanceName: "Europe" }],
        attempts: [
          {
            ...{ succeeded: false, reason: "wrong_password", requestId: idOf("req") },
            ...{ network: "192.0.2.0/24", userAgent: "Firefox/140", browser: "Firefox, Linux" },
          },
        ],
      });
    });

    it.each([
      ["maren@harbour.example", { $case: "email", value: "maren@harbour.example" }],
      [idOf("person"), { $case: "personId", value: idOf("person") }],
      ["Maren Dahl", { $case: "personId", value: idOf("person") }],
    ])("takes an address, an id or a name: %s", async (given, key) => {
      await stub.run(["people", "explain", given]);
      expect(stub.received.at(-1)?.request).toEqual({ key });
    });

    it("lists the people of a name that several have, with exit code 2 (R-X194)", async () => {
      const { exitCode, stdout, stderr } = await stub.run(["people", "explain", "Ines Vogt"]);
      expect([exitCode, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("2 people fit Ines Vogt; nothing was changed.");
      expect(stderr).toMatch(/^ {2}person_A+ {2}Ines Vogt {2}ines@harbour\.example$/m);
      expect(stderr).toMatch(/^ {2}person_A+2 {2}Ines Vogt {2}ines\.vogt@pier\.example$/m);
    });

    it("takes no name for an advised command, whatever words it has", async () => {
      const { stderr } = await stub.run(["people", "explain", "Night: gatehouse crew"]);
      expect(stderr).toMatch(/^ {2}person_B+ {2}Night: gatehouse crew\n {2}person_C+ {2}Night: gatehouse crew$/m);
    });

    it.each([
      ["unknown@harbour.example", "There is no person with the e-mail address unknown@harbour.example."],
      ["Maren Holt", "There is no person named Maren Holt."],
    ])("names the command that lists people for %s, with exit code 2", async (given, sentence) => {
      const { exitCode, stderr } = await stub.run(["people", "explain", given]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(sentence);
      expect(stderr).toContain("gatehouse users list --tenant <tenant>");
    });
  });
});
