import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";
import { describeWith } from "../support/optional-part.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { present } from "../support/world.ts";
import { PLATFORM_FOLDER, startPlatform, THE_PLATFORM } from "./support/platform-process.ts";

const COMPANY = "Old Mill Pottery";
const FILE = "people.jsonl";
const MANY = 400;

interface Somebody {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

const somebody = (name: string): Somebody => ({
  email: `${name}@oldmill.example`,
  first_name: "Tomas",
  last_name: "Lindqvist",
});

const lines = (...people: readonly object[]): string => people.map((person) => `${JSON.stringify(person)}\n`).join("");

describeWith(THE_PLATFORM, "the sample platform, with the published protos alone", () =>
  withScope((closeLater) => {
    let gatehouse: ProcessGatehouse;
    let folder: string;
    let words: readonly string[];
    let instanceId: string;
    beforeAll(async () => {
      gatehouse = await openProcesses(closeLater);
      folder = newFolder("gh-platform-");
      await startPlatform("fetch-protos", [gatehouse.url], folder).ended;
    });
    beforeEach(async () => {
      const name = `Europe ${randomUUID()}`;
      instanceId = present((await gatehouse.platform.createInstance({ requestId: "", name })).instance).id;
      const socket = join(gatehouse.dataDirectory, "sockets", "platform.sock");
      words = ["--socket", socket, "--instance", name, "--company", COMPANY, FILE];
    });

    const onboard = (text: string, given = words) => start(text, given).then(({ ended }) => ended);
    const start = async (text: string, given = words) => {
      await writeFile(join(folder, FILE), text);
      return startPlatform("main", given, folder);
    };
    /** What there is on the instance: each company with the addresses of its workers and users. */
    const whatIsThere = async () => {
      const { tenants } = await gatehouse.platform.listTenantsOfInstance({ instanceId, after: null });
      return Promise.all(
        tenants.map(async ({ id: tenantId, name }) => {
          const page = { tenantId, limit: null, after: null };
          const { workers } = await gatehouse.platform.listWorkersOfTenant({ ...page, includeEnded: true });
          const { users } = await gatehouse.platform.listUsersOfTenant({ ...page, includeDeleted: true });
          return {
            name,
            workers: workers.map(({ person }) => present(person).email),
            users: users.map(({ person, role }) => [present(person).email, role?.name]),
          };
        }),
      );
    };

    it("downloads the protos, with the digests that the list of contracts has (R-X206)", async () => {
      const { code, stdout } = await startPlatform("fetch-protos", [gatehouse.url], folder).ended;
      expect(stdout).toMatch(
        /^protos\/platform\.sign-on\.proto, version [\d.]+\nprotos\/platform\.workforce\.proto, version [\d.]+\n$/,
      );
      expect(code).toBe(0);
    });

    it("writes nothing outside its folder, whatever the list names", async () => {
      const text = "not ours";
      const sha256 = createHash("sha256").update(text).digest("hex");
      const listed = { file: "../outside.proto", contract: "platform", version: "1.0.0", sha256 };
      const server = createServer(({ url }, response) =>
        response.end(url === "/contracts/index.json" ? JSON.stringify({ files: [listed] }) : text),
      );
      await once(server.listen(0, "127.0.0.1"), "listening");
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { code, stderr } = await startPlatform("fetch-protos", [address], folder).ended;
      server.close();
      expect(stderr).toBe(
        `The protos cannot be downloaded from ${address}: its list names ../outside.proto, which would lie outside protos.\n`,
      );
      expect(code).toBe(1);
      expect(await readdir(folder)).not.toContain("outside.proto");
    });

    it("creates the company and makes everybody in its sample file a worker, and a user where a role is named", async () => {
      const { code, stdout, stderr } = await onboard(await readFile(join(PLATFORM_FOLDER, FILE), "utf8"));
      expect(stderr).toBe("");
      expect(stdout).toMatch(
        /^Old Mill Pottery is client_\w{21}\npeople\.jsonl:1: maren\.dahl@oldmill\.example is worker_\w{21}; is user_\w{21}\n/,
      );
      expect(stdout).toMatch(/\n4 of 4 lines are done\.\n$/);
      expect(code).toBe(0);
      const people = ["maren.dahl", "tomas.lindqvist", "ines.okafor", "jonas.weber"];
      expect(await whatIsThere()).toEqual([
        {
          name: COMPANY,
          workers: people.map((name) => `${name}@oldmill.example`),
          users: [["maren.dahl@oldmill.example", "Owner"]],
        },
      ]);
    });

    it("run twice, says the same and creates nothing twice (R-G18)", async () => {
      const text = lines({ ...somebody("maren"), role: "Admin" }, somebody("ines"));
      const first = await onboard(text);
      const before = await whatIsThere();
      expect(await onboard(text)).toEqual(first);
      expect(await whatIsThere()).toEqual(before);
      expect(before).toEqual([
        {
          name: COMPANY,
          workers: ["maren@oldmill.example", "ines@oldmill.example"],
          users: [["maren@oldmill.example", "Admin"]],
        },
      ]);
    });

    it("finds the company by its name, with white space around it or not, as Gatehouse has it", async () => {
      const request = { requestId: "", instanceId, name: COMPANY, address: null };
      const { id } = present((await gatehouse.platform.createTenant(request)).tenant);
      const { stdout, code } = await onboard(lines(somebody("maren")), words.with(5, ` ${COMPANY} `));
      expect(stdout).toContain(`${COMPANY} is ${id}\n`);
      expect([code, (await whatIsThere()).length]).toEqual([0, 1]);
    });

    it("finds a company on a later page of those that are there (R-G9)", async () => {
      const before = Array.from({ length: 1_000 }, (_, number) => `Company ${number}`);
      const request = { requestId: "", instanceId, address: null };
      await Promise.all(before.map((name) => gatehouse.platform.createTenant({ ...request, name })));
      const { id } = present((await gatehouse.platform.createTenant({ ...request, name: COMPANY })).tenant);
      expect((await onboard(lines(somebody("maren")))).stdout).toContain(`${COMPANY} is ${id}\n`);
    });

    it("leaves somebody alone who is a worker there already, with other content", async () => {
      await onboard(lines(somebody("maren")));
      const { code, stdout } = await onboard(lines({ ...somebody("maren"), phone: "+31 10 555 0101" }));
      expect(stdout).toMatch(/maren@oldmill\.example was there before \(The person is the worker worker_\w{21} /);
      expect(code).toBe(0);
      expect((await whatIsThere())[0]?.workers).toEqual(["maren@oldmill.example"]);
    });

    it("names line, field and remedy of every bad line, and onboards the others (R-X207)", async () => {
      const wrong = { email: "no address", first_name: "", last_name: "L", job_titles: ["Potter", "x".repeat(121)] };
      const text = lines(
        somebody("maren"),
        { ...wrong, address: { iso_country_code: "Netherlands" } },
        { ...somebody("ines"), job_title: "Potter" },
        { ...somebody("jonas"), role: "Pilot" },
      );
      const { code, stdout, stderr } = await onboard(`${text}{"email"\n${lines(somebody("kofi"))}`);
      expect(stderr.split("\n").filter((line) => !line.includes("is not JSON"))).toEqual([
        "people.jsonl:2: email must be an e-mail address",
        "people.jsonl:2: first_name is missing",
        "people.jsonl:2: job_titles[1] must have at most 120 characters",
        "people.jsonl:2: address.iso_country_code must be two letters (ISO 3166-1 alpha-2)",
        "people.jsonl:3: job_title is none of email, first_name, last_name, job_titles, phone, address, role",
        "people.jsonl:4: jonas@oldmill.example: The tenant has no access role of that name. It has: Owner, Admin, Member. (access_role_not_found)",
        "Correct the lines above and run this again: what is done is not done twice.",
        "",
      ]);
      expect(stderr).toContain("people.jsonl:5: the line is not JSON (");
      expect(stdout).toContain("\n2 of 6 lines are done.\n");
      expect(code).toBe(1);
    });

    it("refuses a name that every object has like any other, and onboards the others", async () => {
      const text = `{"email":"ines@oldmill.example","constructor":"x","toString":"x"}\n${lines(somebody("maren"))}`;
      const { code, stdout, stderr } = await onboard(text);
      const names = "email, first_name, last_name, job_titles, phone, address, role";
      expect(stderr.split("\n").slice(0, 2)).toEqual([
        `people.jsonl:1: constructor is none of ${names}`,
        `people.jsonl:1: toString is none of ${names}`,
      ]);
      expect(stdout).toContain("\n1 of 2 lines are done.\n");
      expect(code).toBe(1);
    });

    it("takes the corrected file after a bad line, and repeats nothing", async () => {
      await onboard(lines(somebody("maren"), { ...somebody("ines"), email: "ines" }));
      const { code, stdout } = await onboard(lines(somebody("maren"), somebody("ines")));
      expect(stdout).toContain("2 of 2 lines");
      expect(code).toBe(0);
      expect((await whatIsThere())[0]?.workers).toEqual(["maren@oldmill.example", "ines@oldmill.example"]);
    });

    it("killed in the middle and run again, goes on, and everybody is there once (R-G18)", async () => {
      const people = Array.from({ length: MANY }, (_, index) => somebody(`person-${index}`));
      const text = lines(...people);
      const { child, ended, printed } = await start(text);
      await printed(`${FILE}:2:`);
      child.kill("SIGKILL");
      const { code, stdout } = await ended;
      expect(code).toBeNull();
      expect(stdout).not.toContain(`${FILE}:${MANY}:`);
      const again = await onboard(text);
      expect(again.stdout).toContain(stdout.split("\n").slice(0, 3).join("\n"));
      expect(again.code).toBe(0);
      expect((await whatIsThere()).map(({ workers }) => workers.toSorted())).toEqual([
        people.map(({ email }) => email).toSorted(),
      ]);
    });

    it("says that it goes on later while Gatehouse does not run, and does", async () => {
      const text = lines(somebody("maren"));
      await gatehouse.programs.all?.end();
      const { code, stderr } = await onboard(text);
      expect(stderr).toMatch(
        /^Gatehouse does not answer \(connect E[A-Z]+ \S+\)\. Start it, then run this again: it goes on where it was\.\n$/,
      );
      expect(code).toBe(75);
      await gatehouse.restart("all");
      expect((await onboard(text)).code).toBe(0);
    });

    it("finds its company among more than four MiB of companies", async () => {
      const long = "店".repeat(200);
      const line = {
        address1: long,
        address2: long,
        city: long,
        isoCountryCode: null,
        postalCode: null,
        zoneCode: null,
      };
      for (let made = 0; made < 2_000; made += 100)
        await Promise.all(
          Array.from({ length: 100 }, (_, index) => {
            const name = `${made + index} ${long}`.slice(0, 200);
            return gatehouse.platform.createTenant({ requestId: "", instanceId, name, address: line });
          }),
        );
      const { code, stderr } = await onboard(lines(somebody("maren")));
      expect([code, stderr]).toEqual([0, ""]);
    });

    it("lists the instances when it is given one that does not exist", async () => {
      const { code, stderr } = await onboard("", words.with(3, "Atlantis"));
      expect(stderr).toMatch(/^There is no instance Atlantis\. Name one of:\n {2}Europe/);
      expect(stderr).toContain(instanceId);
      expect(code).toBe(2);
    });

    it("shows how it is used when something is left out", async () => {
      const { code, stderr } = await onboard("", words.slice(2));
      expect(stderr).toMatch(/^Usage: node src\/main\.ts --socket/);
      expect(code).toBe(2);
    });

    it("shows how it is used when it is given a second file, of which it would do nothing", async () => {
      const { code, stdout, stderr } = await onboard(lines(somebody("maren")), [...words, "more.jsonl"]);
      expect(stderr).toMatch(/^Usage: node src\/main\.ts --socket/);
      expect([code, stdout]).toEqual([2, ""]);
    });
  }),
);
