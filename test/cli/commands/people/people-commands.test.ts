import { withScope } from "../../../support/scope.ts";
import { idOf, openStub, type StubGatehouse } from "../../command-line.ts";

const PERSON = idOf("person");
const LINK = "https://sign-on.example/auth/set-password?token=the-token";
const SESSION = {
  id: "Zk3vQ9xT2bW7mL5cN8sRfG",
  authenticatedAt: new Date("2026-11-20T10:54:03.412Z"),
  seenAt: new Date("2026-11-20T11:10:00.000Z"),
  expiresAt: new Date("2026-11-20T19:10:00.000Z"),
};

describe("how people get a password, and where they are signed in", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;
    beforeAll(async () => {
      stub = await openStub(closeLater, {
        people: {
          createPasswordLink: async () => ({
            personId: PERSON,
            link: LINK,
            expiresAt: new Date("2026-11-27T10:54:03.412Z"),
          }),
          listSessions: async ({ key }) => ({ personId: PERSON, sessions: key?.$case === "email" ? [] : [SESSION] }),
          endSessions: async ({ key }) => ({ personId: PERSON, sessions: key?.$case === "email" ? [] : [SESSION] }),
        },
      });
    });

    it.each([
      ["invite", "PASSWORD_LINK_PURPOSE_INVITATION"],
      ["reset", "PASSWORD_LINK_PURPOSE_RESET"],
    ])("%s makes a link, shown once, for an id or an address (R-S19)", async (name, purpose) => {
      const { exitCode, stdout, stderr } = await stub.run(["people", name, PERSON]);
      expect(exitCode).toBe(0);
      expect(stub.received.at(-1)).toMatchObject({
        path: "CreatePasswordLink",
        request: { key: { $case: "personId", value: PERSON }, purpose },
      });
      expect(stdout).toBe(`person id    ${PERSON}\nlink         ${LINK}\nvalid until  2026-11-27 10:54 UTC\n`);
      expect(stderr).toContain("It is shown this once and stored nowhere");
      expect(stderr).not.toContain("the-token");

      const { stdout: json } = await stub.run(["people", name, "maren@harbour.example", "--json"]);
      expect(stub.received.at(-1)).toMatchObject({
        request: { key: { $case: "email", value: "maren@harbour.example" }, purpose },
      });
      expect(JSON.parse(json)).toEqual({ personId: PERSON, link: LINK, expiresAt: "2026-11-27T10:54:03.412Z" });
    });

    it("sessions lists them", async () => {
      const { stdout, stderr } = await stub.run(["people", "sessions", PERSON]);
      expect(stub.received.at(-1)).toMatchObject({ path: "ListSessions" });
      expect(stdout).toContain(`${SESSION.id}  2026-11-20 10:54 UTC  2026-11-20 11:10 UTC  2026-11-20 19:10 UTC\n`);
      // Ending them is no next step.
      expect(stderr).toBe("");
    });

    it("sessions --end ends them all (R-S20)", async () => {
      const { stdout } = await stub.run(["people", "sessions", PERSON, "--end", "--json"]);
      expect(stub.received.at(-1)).toMatchObject({ path: "EndSessions" });
      expect(JSON.parse(stdout)).toEqual({
        personId: PERSON,
        ended: true,
        sessions: [
          {
            id: SESSION.id,
            authenticatedAt: "2026-11-20T10:54:03.412Z",
            seenAt: "2026-11-20T11:10:00.000Z",
            expiresAt: "2026-11-20T19:10:00.000Z",
          },
        ],
      });
    });

    it("sessions says when there are none", async () => {
      const listed = await stub.run(["people", "sessions", "maren@harbour.example"]);
      expect([listed.stdout, listed.stderr]).toEqual([
        "",
        expect.stringContaining("The person has no active sessions."),
      ]);
      const ended = await stub.run(["people", "sessions", "maren@harbour.example", "--end"]);
      expect(ended.stderr).toContain("All tokens are revoked.");
    });
  });
});
