import { spawn, spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { createServer as createHttp2Server } from "node:http2";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { failedCall } from "../../src/cli/output/failed-call.ts";
import {
  alreadyExists,
  Failure,
  failedPrecondition,
  invalidArgument,
  notFound,
  unavailable,
} from "../../src/runtime/basis/errors.ts";
import { storeUnavailable } from "../../src/runtime/basis/store-troubles.ts";
import { deadlineExceeded } from "../../src/runtime/rpc/call.ts";
import { newFolder } from "../support/folder.ts";
import { withScope } from "../support/scope.ts";
import { gatehouse, idOf, openStub } from "./command-line.ts";

const INSTANCE = idOf("instance");
const CREATE = ["tenants", "create", "--instance", INSTANCE, "--name", "Harbour Bakery"];

describe("the message of a refused command: cause, then fix", () => {
  withScope((closeLater) => {
    const refusing = (failure: unknown) =>
      openStub(closeLater, {
        platform: {
          createTenant: async () => {
            throw failure;
          },
        },
      });

    it.each<[string, Failure, number, string]>([
      [
        "each violation on its line, with the flag's name",
        invalidArgument([
          { field: "name", reason: "must have at most 200 characters" },
          { field: "address.iso_country_code", reason: "must be two letters (ISO 3166-1 alpha-2)" },
          { field: "some_new.field", reason: "is missing" },
        ]),
        1,
        [
          "gatehouse: The request was refused:",
          "  --name must have at most 200 characters",
          "  --country must be two letters (ISO 3166-1 alpha-2)",
          "  --some-new-field is missing",
        ].join("\n"),
      ],
      [
        "a name with a line break on one line, as it could pass for another message",
        invalidArgument([{ field: "name", reason: "must not be that of Payroll\ngatehouse: Done." }]),
        1,
        "gatehouse: The request was refused:\n  --name must not be that of Payroll gatehouse: Done.",
      ],
      [
        "a name with a line break in a sentence, too",
        failedPrecondition("not_that", "It has: Owner, Payroll\ngatehouse: Done."),
        1,
        "gatehouse: It has: Owner, Payroll gatehouse: Done.",
      ],
      [
        "flags instead of fields, and where to look",
        notFound(
          "instance_not_found",
          `There is no instance ${INSTANCE}. Correct instance_id, or create the instance first.`,
          { named: ["instance_id"] },
        ),
        1,
        `gatehouse: There is no instance ${INSTANCE}. Correct --instance, or create the instance first.\nSee what there is: gatehouse instances list <where>`,
      ],
      [
        "what has the name of a field, but is none, as it is",
        notFound("access_role_not_found", "The tenant has no access role of that name. It has: instance_id, `name`."),
        2,
        "gatehouse: The tenant has no access role of that name. It has: instance_id, `name`.\nSee what there is: gatehouse roles list --tenant <tenant> <where>",
      ],
      [
        "a reused request id",
        alreadyExists(
          "request_id_reused",
          "This request id was used for another request within the last 24 hours. Send a new one.",
        ),
        1,
        "gatehouse: This request id was used for another request within the last 24 hours. Send a new one.\nOmit --request-id, and a new one is used.",
      ],
      [
        "a sentence that has its fix already",
        failedPrecondition(
          "user_status",
          "The user is deleted for good. Invite the same e-mail address again to make a new user.",
        ),
        1,
        "gatehouse: The user is deleted for good. Invite the same e-mail address again to make a new user.",
      ],
      [
        "a busy service",
        unavailable("The store is busy.", { retryAfterSeconds: 3 }),
        3,
        "gatehouse: The store is busy.\nTry again in 3 s.",
      ],
      [
        "a full store, with what ends it (R-X175)",
        storeUnavailable("full", new Error("SQLITE_FULL")),
        3,
        "gatehouse: The store cannot be used (full: its disk has no space left).\nFree space on the disk. Then run the command again.",
      ],
      [
        "a store that is busy, by the word that the manual has (R-X175)",
        storeUnavailable("busy", new Error("SQLITE_BUSY")),
        3,
        "gatehouse: The store cannot be used (busy: others keep it locked, or use all of its connections).\nTry again in 2 s.",
      ],
      [
        "a store that takes no writes, with what ends it on either kind (R-X175)",
        storeUnavailable("read_only", new Error("cannot execute INSERT in a read-only transaction")),
        3,
        "gatehouse: The store cannot be used (read only: nothing can be written).\nMake the directory and its disk writable; with PostgreSQL: Name the primary in store-url, or set default_transaction_read_only to off for the role, the database or the server. Then run the command again.",
      ],
      [
        "too many at once",
        new Failure("RESOURCE_EXHAUSTED", "hashing_queue_full", "Too many passwords are being checked.", {
          retryAfterSeconds: 2,
        }),
        1,
        "gatehouse: Too many passwords are being checked.\nTry again in 2 s.",
      ],
      [
        "another version",
        new Failure("UNIMPLEMENTED", "unimplemented", "…"),
        1,
        "gatehouse: The running Gatehouse does not support this command.\nRestart it, so that it is of the same version as this command line.",
      ],
    ])("%s", async (_, failure, exitCode, text) => {
      const { run, socketDirectory } = await refusing(failure);
      const stderr = `${text.replace("<where>", `--socket-directory ${socketDirectory}`)}\n`;
      expect(await run(CREATE)).toEqual({ exitCode, stdout: "", stderr });
    });

    it("a command that it advises finds the same Gatehouse, as a next step does", async () => {
      const { socketDirectory } = await openStub(closeLater, {
        platform: {
          readTenant: async () => {
            throw notFound("tenant_not_found", "There is no such tenant.");
          },
        },
        webhooks: { listSubscriptions: async () => ({ subscriptions: [] }) },
      });
      const where = ["--socket-directory", socketDirectory];
      const { stderr } = await gatehouse(["tenants", "show", idOf("client"), ...where]);
      expect(stderr).toContain(`\nSee what there is: gatehouse tenants list ${where.join(" ")}\n`);
      const named = await gatehouse(["subscriptions", "show", "nothing", ...where]);
      expect(named.stderr).toContain(`gatehouse subscriptions list ${where.join(" ")}`);
      const wrong = await gatehouse(["tenants", "shwo", ...where]);
      expect(wrong.stderr).toMatch(/^See: gatehouse tenants --help$/m);
    });

    it("prints of a fault only where its log line is", async () => {
      const { run, received } = await refusing(new Error("SELECT secret FROM somewhere"));
      const { exitCode, stderr } = await run(CREATE);
      expect(exitCode).toBe(1);
      expect(stderr).toBe(
        `gatehouse: Something went wrong inside Gatehouse.\nIts log says more; look for ${received[0]?.requestId}.\n`,
      );
    });

    it("says after silence how to repeat the command without doing it twice (R-G18)", async () => {
      const { run, received } = await refusing(deadlineExceeded());
      const { exitCode, stderr } = await run(CREATE);
      expect(exitCode).toBe(3);
      const [{ request } = { request: {} }] = received;
      const { requestId } = request as { requestId: string };
      expect(requestId).toMatch(/^req_[A-Za-z0-9]{21}$/);
      expect(stderr).toContain(`Repeat the command with --request-id ${requestId}, so that it is made only once.`);
    });

    it("says it with the id of what was found, whose name the change may have ended (R-G18, R-X194)", async () => {
      const id = idOf("user");
      const { run } = await openStub(closeLater, {
        workforce: {
          findNamed: async ({ name }) => ({
            found: [{ id, name, details: [] }],
            more: false,
          }),
        },
        platform: {
          disableUser: async () => {
            throw deadlineExceeded();
          },
        },
      });
      const { stderr } = await run(["users", "disable", "ada@quay.example"]);
      expect(stderr).toMatch(
        new RegExp(
          `Repeat the command with --request-id req_\\w{21} and ${id} in place of ada@quay\\.example, so that`,
        ),
      );
      expect((await run(["users", "disable", id])).stderr).toMatch(/ --request-id req_\w{21}, so that/);
    });

    it("says after silence where to look, and takes no list for a change", async () => {
      const { run } = await openStub(closeLater, {
        platform: {
          listInstances: async () => {
            throw deadlineExceeded();
          },
        },
      });
      expect(await run(["instances", "list"])).toEqual({
        exitCode: 3,
        stdout: "",
        stderr:
          "gatehouse: Gatehouse did not answer in time.\nIts log and /health/ready say what it waits for. If the command makes a change, look whether it was made before you repeat it.\n",
      });
    });

    it("prints the same for programs as one JSON document on standard error", async () => {
      const { run } = await refusing(invalidArgument([{ field: "name", reason: "is missing" }]));
      const { exitCode, stdout, stderr } = await run([...CREATE, "--json"]);
      expect([exitCode, stdout]).toEqual([1, ""]);
      expect(JSON.parse(stderr)).toEqual({
        error: {
          code: "INVALID_ARGUMENT",
          reason: "invalid_argument",
          message: "--name is missing.",
          fix: null,
          violations: [{ flag: "--name", reason: "is missing" }],
        },
      });
    });

    it("names the list that an id is in, of the tenant that the command line names", async () => {
      const { run } = await openStub(closeLater, {
        platform: {
          listUsersOfTenant: async () => {
            throw notFound("user_not_found", "There is no user after this one.");
          },
          readUser: async () => {
            throw notFound("user_not_found", "There is no such user.");
          },
        },
      });
      const { stderr } = await run(["users", "list", "--tenant", idOf("client")]);
      expect(stderr).toContain(
        `See what there is: gatehouse users list --tenant ${idOf("client")} --socket-directory `,
      );
      const { stderr: ofNone } = await run(["users", "show", idOf("user")]);
      expect(ofNone).toContain("See what there is: gatehouse users list --tenant <tenant> --socket-directory ");
    });

    it("counts from one when a flag may be repeated", async () => {
      const { run } = await openStub(closeLater, {
        platform: {
          onboardWorker: async () => {
            throw invalidArgument([
              { field: "job_titles[1]", reason: "must have at most 120 characters" },
              { field: "unit_ids[0]", reason: "must be unit_ followed by 21 letters or digits" },
            ]);
          },
        },
      });
      const words = `workers onboard --tenant ${idOf("client")} --email y --first-name a --last-name b --unit ${idOf("unit")} --job-title p --job-title q`;
      const { stderr } = await run(words.split(" "));
      expect(stderr).toContain(
        "  --job-title (2) must have at most 120 characters\n  --unit (1) must be unit_ followed",
      );
    });

    it("names the flag of a part of a list's entry, and the list's where that part has none", async () => {
      const { run } = await openStub(closeLater, {
        platform: {
          createUnitType: async () => {
            throw invalidArgument([
              { field: "units[1].name", reason: "is missing" },
              { field: "units[0].parent_unit_id", reason: "must be unit_ followed by 21 letters or digits" },
              { field: "units[0].unit_code", reason: "must have at most 64 characters" },
            ]);
          },
        },
      });
      const words = `unit-types create --tenant ${idOf("client")} --name Team --unit Ovens --unit Rye`;
      const { stderr } = await run(words.split(" "));
      expect(stderr.split("\n").slice(1, -1)).toEqual([
        "  --unit (2) is missing",
        "  --parent (1) must be unit_ followed by 21 letters or digits",
        "  --unit (1) must have at most 64 characters",
      ]);
    });
  });
});

describe("the message of a command when no service answers", () => {
  it("names the directory and how to start, with exit code 3", async () => {
    const ran = await gatehouse(["instances", "list", "--data-directory", "/nowhere/at-all"]);
    expect(ran).toEqual({
      exitCode: 3,
      stdout: "",
      stderr:
        "gatehouse: Gatehouse is not running: no process answers in /nowhere/at-all/sockets.\nStart it with “make run” or “gatehouse serve”, or name its --socket-directory.\n",
    });
  });
});

describe("the message when the answer to a change is lost (R-G18)", () => {
  const REPEAT =
    /The change may have been made\. Repeat the command with --request-id req_\w{21}, so that it is made only once\.\n$/;
  const LOOK = /If the command makes a change, look whether it was made before you repeat it\.\n$/;
  const ROTATE = ["applications", "rotate-secret", idOf("app")];

  /** Takes each request, and ends its connection instead of an answer, as a process does that is killed. */
  async function openDying(): Promise<string> {
    const folder = newFolder("gh-dying-");
    const dying = createHttp2Server().on("stream", ({ session }) => session?.destroy());
    await new Promise<void>((resolve) => dying.listen(join(folder, "platform.sock"), resolve));
    after.push(() => dying.close());
    return folder;
  }
  const after: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of after.splice(0)) await close();
  });

  it.each([
    ["a change with a request id", CREATE, REPEAT],
    ["any other command", ["instances", "list"], LOOK],
  ])("says of a process that ended how to repeat %s", async (_, words, advice) => {
    const { exitCode, stdout, stderr } = await gatehouse([...words, "--socket-directory", await openDying()]);
    expect([exitCode, stdout]).toEqual([3, ""]);
    expect(stderr).toMatch(/^gatehouse: The connection to Gatehouse was lost before its answer came\.\n/);
    expect(stderr).toMatch(advice);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "says it of a change that %s interrupts (R-G18)",
    async (signal) => {
      const folder = newFolder("gh-silent-");
      const arrived = Promise.withResolvers<void>();
      const silent = createHttp2Server().on("stream", () => arrived.resolve());
      await new Promise<void>((resolve) => silent.listen(join(folder, "platform.sock"), resolve));
      after.push(() => silent.close());
      const running = spawn(process.execPath, ["src/main.ts", ...CREATE, "--json", "--socket-directory", folder]);
      const ended = new Promise((resolve) => running.once("close", (code, by) => resolve([code, by])));
      const said = text(running.stderr);
      await arrived.promise;
      running.kill(signal);
      expect(await ended).toEqual([null, signal]);
      const fix = expect.stringMatching(
        /^If the change was sent, it may have been made\. Repeat the command with --request-id req_\w{21}, so that it is made only once\.$/,
      );
      expect(JSON.parse(await said)).toEqual({
        error: { code: "CANCELLED", reason: "interrupted", message: "Interrupted.", fix, violations: [] },
      });
    },
  );

  withScope((closeLater) => {
    it.each(["away", "disk", "hangs"] as const)("says it of a store that may have committed: %s", async (trouble) => {
      const failing = async () => {
        throw storeUnavailable(trouble, new Error("Connection terminated"));
      };
      const { run } = await openStub(closeLater, {
        platform: { createTenant: failing },
        signOn: { getApplication: failing },
      });
      expect((await run(CREATE)).stderr).toMatch(REPEAT);
      expect((await run(ROTATE)).stderr).toMatch(LOOK);
    });
  });
});

describe("the message when Gatehouse has too many files open", () => {
  it("says that a process listens, and that it closes each connection", async () => {
    const folder = newFolder("gh-full-");
    // So does a Node.js process that has no file descriptor left for what it accepts.
    const full = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => full.listen(join(folder, "platform.sock"), resolve));
    const ran = await gatehouse(["instances", "list", "--socket-directory", folder]);
    await new Promise((resolve) => full.close(resolve));
    expect(ran).toEqual({
      exitCode: 3,
      stdout: "",
      stderr: `gatehouse: A process listens in ${folder}, but closes each connection at once.\nGatehouse is stopping, or has too many files open. Try again in a moment, or raise its limit (ulimit -n).\n`,
    });
  });
});

describe("the message of a command that is used wrongly, with exit code 2", () => {
  it("says how a flag gets several values, where there are too many words", async () => {
    const { exitCode, stderr } = await gatehouse(["applications", "update", "Paytide", "--scope", "openid", "email"]);
    expect([exitCode, stderr]).toEqual([
      2,
      "gatehouse: Too many arguments for 'update'. Expected 1 argument but got 2: Paytide, email.\n--scope takes one value, and is repeated for more: --scope … --scope …\nSee: gatehouse applications update --help\n",
    ]);
  });

  it.each([
    [["tenants", "show", "Old", "Mill"], "show", "1 argument but got 2: Old, Mill"],
    [["users", "list", "--tenant", "Old", "Mill"], "list", "0 arguments but got 1: Mill"],
    [["applications", "update", "Old", "Mill", "--name", "Mill"], "update", "1 argument but got 2: Old, Mill"],
  ])(
    "says that a name with spaces is put into quotes, where there are too many words: %j",
    async (words, verb, got) => {
      const { exitCode, stderr } = await gatehouse(words);
      expect([exitCode, stderr]).toEqual([
        2,
        `gatehouse: Too many arguments for '${verb}'. Expected ${got}.\nA name with spaces is put into quotes: 'Harbour Bakery'\nSee: gatehouse ${words[0]} ${verb} --help\n`,
      ]);
    },
  );

  it("names the flag that was given, where several may be repeated", async () => {
    const { stderr } = await gatehouse(["applications", "update", "Mill", "--cors-origin", "https://a", "https://b"]);
    expect(stderr).toContain("\n--cors-origin takes one value, and is repeated for more: --cors-origin … ");
  });

  it.each([
    ["tenants create", "--instance <id or name> is missing.", "gatehouse tenants create --help"],
    ["tenant list", "There is no command tenant here. (Did you mean tenants?)", "gatehouse --help"],
    ["start", "There is no command start here. (Did you mean serve?)", "gatehouse --help"],
    ["run", "There is no command run here. (Did you mean serve?)", "gatehouse --help"],
    ["clients list", "There is no command clients here. (Did you mean tenants?)", "gatehouse --help"],
    ["webhooks list", "There is no command webhooks here. (Did you mean subscriptions?)", "gatehouse --help"],
    ["keys list", "There is no command keys here. (Did you mean api-keys or signing-keys?)", "gatehouse --help"],
    ["apps list", "There is no command apps here. (Did you mean applications?)", "gatehouse --help"],
    ["employees list", "There is no command employees here. (Did you mean workers?)", "gatehouse --help"],
    ["person show x", "There is no command person here. (Did you mean people?)", "gatehouse --help"],
    [
      "api-keys rotate",
      "There is no command rotate here. (Did you mean issue, and then revoke?)",
      "gatehouse api-keys --help",
    ],
    ["api-keys create", "There is no command create here. (Did you mean issue?)", "gatehouse api-keys --help"],
    ["users create", "There is no command create here. (Did you mean invite?)", "gatehouse users --help"],
    ["users remove x", "There is no command remove here. (Did you mean delete or erase?)", "gatehouse users --help"],
    ["workers create", "There is no command create here. (Did you mean onboard?)", "gatehouse workers --help"],
    [
      "subscriptions remove x",
      "There is no command remove here. (Did you mean delete or secrets revoke?)",
      "gatehouse subscriptions --help",
    ],
    [
      "subscriptions rotate-secret x",
      "There is no command rotate-secret here. (Did you mean secrets rotate?)",
      "gatehouse subscriptions --help",
    ],
    [
      "subscriptions disable x",
      "There is no command disable here. (Did you mean pause?)",
      "gatehouse subscriptions --help",
    ],
    [
      "applications rotate",
      "There is no command rotate here. (Did you mean rotate-secret?)",
      "gatehouse applications --help",
    ],
    [
      "applications add",
      "There is no command add here. (Did you mean create or redirect-uris add?)",
      "gatehouse applications --help",
    ],
    ["deliveries retry x", "There is no command retry here. (Did you mean resend?)", "gatehouse deliveries --help"],
    ["events get x", "There is no command get here. (Did you mean explain?)", "gatehouse events --help"],
    ["tenants lst", "There is no command lst here. (Did you mean list?)", "gatehouse tenants --help"],
    ["version", "There is no command version here. (Did you mean --version?)", "gatehouse --help"],
    ["verson", "There is no command verson here. (Did you mean --version?)", "gatehouse --help"],
    ["status", "There is no command status here. (Did you mean store status?)", "gatehouse --help"],
    [
      "resume",
      "There is no command resume here. (Did you mean subscriptions resume or recoveries resume?)",
      "gatehouse --help",
    ],
    ["show", "There is no command show here.", "gatehouse --help"],
    ["tenants make", "There is no command make here. (Did you mean create?)", "gatehouse tenants --help"],
    ["tenants paint", "There is no command paint here.", "gatehouse tenants --help"],
    ["tenants creat --help", "There is no command creat here. (Did you mean create?)", "gatehouse tenants --help"],
    ["passwords nonsense -h", "There is no command nonsense here.", "gatehouse passwords --help"],
    ["tenant --help", "There is no command tenant here. (Did you mean tenants?)", "gatehouse --help"],
    ["instances list --colour", "There is no flag --colour here.", "gatehouse instances list --help"],
    ["users enable", "<user> is missing.", "gatehouse users enable --help"],
    ["instances create --name", "--name <text> needs a value.", "gatehouse instances create --help"],
    [
      "deliveries list --limit many",
      "--limit <n> cannot be “many”. It must be a whole number.",
      "gatehouse deliveries list --help",
    ],
    ...["deliveries", "recoveries", "events", "audit"].flatMap((noun): [string, string, string][] => [
      [`${noun} list --limit 0`, "--limit <n> cannot be “0”. It must be 1 to 500.", `gatehouse ${noun} list --help`],
      [
        `${noun} list --limit 501`,
        "--limit <n> cannot be “501”. It must be 1 to 500.",
        `gatehouse ${noun} list --help`,
      ],
    ]),
    [
      "applications list --limit 201",
      "--limit <n> cannot be “201”. It must be 1 to 200.",
      "gatehouse applications list --help",
    ],
    [
      "applications create --name a --redirect-uri b --instance c --kind wep",
      "--kind <kind> cannot be “wep”. Allowed choices are web, browser, native.",
      "gatehouse applications create --help",
    ],
    [
      "completion tcsh",
      "<shell> cannot be “tcsh”. Allowed choices are bash, zsh, fish.",
      "gatehouse completion --help",
    ],
  ])("%s", async (words, cause, help) => {
    expect(await gatehouse(words.split(" "))).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: `gatehouse: ${cause}\nSee: ${help}\n`,
    });
  });

  it("lists a noun's verbs when it is alone", async () => {
    const { exitCode, stdout, stderr } = await gatehouse(["tenants"]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Verbs:\n  create  ");
  });

  it("honours --json", async () => {
    const { stderr } = await gatehouse(["tenants", "create", "--json"]);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "USAGE", reason: "missing_mandatory_option_value" });
  });

  it.each([
    [[], "gatehouse: “B\uFFFDckerei” is not UTF-8. Nothing was changed.\n"],
    [["--json"], '"reason":"not_utf8"'],
  ])("a name that was not UTF-8, %j", (flags, said) => {
    // What a terminal with another encoding passes on; spawnSync passes on UTF-8 alone.
    const name = "$(printf 'B\\344ckerei')";
    const words = ["src/main.ts", "tenants", "create", "--instance", INSTANCE, "--name", `"${name}"`, ...flags];
    const { status, stderr } = spawnSync("sh", ["-c", `"${process.execPath}" ${words.join(" ")}`], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it("names the backup's master key where a directory without a store has none", () => {
    const directory = newFolder("gh-restore-");
    const words = ["store", "restore", "monday.sqlite", "--data-directory", directory];
    const { status, stderr } = spawnSync(process.execPath, ["src/main.ts", ...words], { encoding: "utf8" });
    expect(stderr).toContain(`The master key ${directory}/master.key is missing, and the backup is sealed with it.`);
    expect(status).toBe(78);
  });

  it.each<[readonly string[], number, object]>([
    [
      ["store", "migrate", "--data-directory", "/dev/null/none"],
      1,
      { code: "FAILED_PRECONDITION", reason: "cannot_start", message: expect.stringContaining("There is no store in") },
    ],
    [
      ["store", "restored", "--data-directory", "/dev/null/none"],
      1,
      { code: "FAILED_PRECONDITION", reason: "cannot_start", message: expect.stringContaining("There is no store in") },
    ],
    [
      ["store", "copy", "--to", "postgresql://gatehouse:with#hash@127.0.0.1:1/gatehouse"],
      78,
      { code: "USAGE", reason: "configuration", message: expect.stringContaining("write # as %23") },
    ],
    [
      ["store", "copy"],
      78,
      {
        code: "USAGE",
        reason: "configuration",
        message: expect.stringContaining("store copy --store-url-file <path>"),
      },
    ],
  ])("honours --json for what works without a running Gatehouse: %j", (words, code, error) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["src/main.ts", ...words, "--json"], {
      encoding: "utf8",
    });
    expect([status, stdout, JSON.parse(stderr)]).toEqual([
      code,
      "",
      { error: { fix: null, violations: [], ...error } },
    ]);
  });

  it.each(["GATEHOUSE_DATA_DIRECTORY", "GATEHOUSE_SOCKET_DIRECTORY"])(
    "looks where a Gatehouse is by default when %s is empty, as compose files write “not set”",
    (variable) => {
      // A folder of its own: a demonstration may run in the repository's.
      const folder = realpathSync(newFolder("gatehouse-default-"));
      const { status, stderr } = spawnSync(
        process.execPath,
        [resolve("src/main.ts"), "tenants", "list", "--instance", INSTANCE],
        { encoding: "utf8", cwd: folder, env: { ...process.env, [variable]: "" } },
      );
      expect([status, stderr]).toEqual([
        3,
        expect.stringContaining(`no process answers in ${join(folder, ".gatehouse/sockets")}.\n`),
      ]);
    },
  );

  it.each([
    [
      "this account may not use the sockets",
      "EACCES",
      "This account may not use the sockets in /srv/gatehouse/sockets.",
      "Run the command as the account that runs Gatehouse.",
    ],
    [
      "the command has too many files open",
      "EMFILE",
      "This command cannot open a socket: too many files are open (EMFILE).",
      "Raise the limit (ulimit -n), or close other programs.",
    ],
  ])("says so when %s", (_, code, ...expected) => {
    const failure = new Failure("UNAVAILABLE", "unavailable", "The service cannot be reached.", {
      detail: `No connection established. Last error: Error: connect ${code} /srv/gatehouse/sockets/operator.sock. `,
      cause: new Error("14 UNAVAILABLE"),
    });
    const command = {
      ...{ fields: {}, socketDirectory: "/srv/gatehouse/sockets", requestId: "req_1", repeatable: false },
      found: new Map<string, string>(),
      saidFor: () => undefined,
    };
    const { exitCode, lines } = failedCall(failure, command);
    expect([exitCode, lines]).toEqual([3, expected]);
  });
});

describe("a message that repeats what was typed", () => {
  it.each([["bog\u001b]0;x\u0007us"], ["tenants", "list", "--nn\u001b[31m"], ["seed", "--workers", "7\u001b[31m"]])(
    "does not control the terminal: %j",
    async (...words) => {
      const { exitCode, stderr } = await gatehouse(words);
      expect([exitCode, stderr.replaceAll("\n", "")]).toEqual([2, expect.not.stringMatching(/\p{Cc}/u)]);
    },
  );
});
