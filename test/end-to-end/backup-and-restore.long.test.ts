import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { PasswordLinkPurpose } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { gatehouse as commandLine } from "../cli/command-line.ts";
import { authorizePath, Browser, exchange, redeem, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { newFolder } from "../support/folder.ts";
import { TEST_MASTER_KEY } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { eachStore } from "../support/stores.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { invitation, makeWorld, PASSWORD, present, type World } from "../support/world.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SCOPE = "openid profile email offline_access";

/** The blocks of the drill, in order. */
const DRILL: readonly string[] = [
  ...readFileSync(join(ROOT, "docs/operations/backup-and-restore.md"), "utf8").matchAll(/^```sh\n(.*?)^```$/gms),
].map(([, block = ""]) => block);

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a block as a shell does, with `gatehouse` on its path. */
async function shell(block: string, environment: Readonly<Record<string, string>>): Promise<Ran> {
  const { PATH = "", HOME = "" } = process.env;
  const env = { HOME, PATH: [join(ROOT, "bin"), PATH].join(delimiter), ...environment };
  return promisify(execFile)("sh", ["-euc", block], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe("the drill of docs/operations/backup-and-restore.md (S25, F46)", () => {
  withScope((closeLater) => {
    let gatehouse: ProcessGatehouse;
    let world: World;
    let receiver: WebhookReceiver;
    let backedUp: Ran;
    let restored: Ran;
    let before: Issued;
    let since: Awaited<ReturnType<typeof use>>;
    let backup: string;
    let environment: Readonly<Record<string, string>>;
    let postsBeforeRelease: number;

    /** What people, applications and integrators have at the moment of the backup. */
    interface Issued {
      readonly browser: Browser;
      readonly refreshToken: string;
      readonly accessToken: string;
      readonly code: string;
      readonly unusedCode: string;
      readonly link: string;
      readonly interaction: string;
    }

    beforeAll(async () => {
      const folder = newFolder("gh-backup-");
      const dataDirectory = join(folder, "data");
      const backups = join(folder, "backups");
      backup = join(backups, "monday.sqlite");
      await mkdir(dataDirectory, { mode: 0o700 });
      await mkdir(backups);
      environment = { GATEHOUSE_DATA_DIRECTORY: dataDirectory, BACKUPS: backups };
      receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      // What fails once waits for a day.
      const flags = { "webhook-attempt-delays": "24h,24h" };
      gatehouse = await openProcesses(closeLater, { dataDirectory, flags });
      world = await makeWorld(gatehouse);
      receiver.answerNext({ status: 500 });
      await subscribe(gatehouse, world, receiver, { eventTypes: ["client.created"] });
      before = await issue();
      await tenant("Waiting Bakery");
      await receiver.next();
      await eventually(pendingReasons, (reasons) => reasons.length === 1);

      const [backUp = "", keepKey = "", putBack = ""] = DRILL;
      backedUp = await shell(backUp, environment);
      await shell(keepKey, environment);
      since = await use(before);
      await gatehouse.stop();
      restored = await shell(putBack, environment);
      await gatehouse.restart("all");
      postsBeforeRelease = receiver.received.length;
    }, 120_000);

    const tenant = (name: string) =>
      gatehouse.platform.createTenant({ requestId: "", instanceId: world.instanceId, name, address: null });
    const refresh = (refresh_token: string) =>
      exchange(gatehouse.url, world, { grant_type: "refresh_token", refresh_token });
    const clients = (headers: Readonly<Record<string, string>> = {}) =>
      call(gatehouse.url, `/v1/instance-integrations/${world.instanceIntegrationId}/clients`, {
        headers: { "x-api-key": world.apiKey, ...headers },
      });
    const pendingReasons = async () =>
      (await gatehouse.webhooks.listDeliveries({ states: [], limit: 50 })).deliveries
        .filter(({ state, attempts }) => state === "DELIVERY_STATE_PENDING" && Boolean(attempts[0]?.finishedAt))
        .map(({ reason }) => reason ?? null);

    async function issue(): Promise<Issued> {
      const browser = new Browser(gatehouse.url);
      const path = authorizePath(world, { scope: SCOPE });
      const codeOf = async () => present((await browser.follow(path)).left?.searchParams.get("code"));
      const first = await signIn(browser, path, { email: world.email });
      const tokens = (await redeem(gatehouse.url, world, present(first.searchParams.get("code")))).json<{
        refresh_token: string;
        access_token: string;
      }>();
      const { user } = await gatehouse.platform.inviteUser(invitation(world.tenantId, "ines@harbour.example"));
      const key = { $case: "personId", value: present(present(user).person).id } as const;
      const { link } = await gatehouse.people.createPasswordLink({ key, purpose: PasswordLinkPurpose.INVITATION });
      const login = await browser.follow(authorizePath(world, { prompt: "login" }));
      return {
        browser,
        refreshToken: tokens.refresh_token,
        accessToken: tokens.access_token,
        code: await codeOf(),
        unusedCode: await codeOf(),
        link: `${new URL(link).pathname}${new URL(link).search}`,
        interaction: login.path,
      };
    }

    /** Uses what was issued, after the backup. */
    async function use({ refreshToken, code, link }: Issued) {
      const tokens = await redeem(gatehouse.url, world, code);
      const refreshed = await refresh(refreshToken);
      const browser = new Browser(gatehouse.url);
      const page = await browser.follow(link);
      const password = `${PASSWORD} of Ines`;
      await browser.submit(page.answer, { password, password_again: password });
      await tenant("Bakery of the lost time");
      const tag = present((await clients()).headers.get("etag"));
      return { tokens, refreshed, tag };
    }

    it("made a checked copy that only its owner can read, without the master key (R-X246)", () => {
      expect([backedUp.code, backedUp.stderr]).toEqual([0, expect.stringContaining("written and checked")]);
      expect(statSync(backup).mode & 0o777).toBe(0o600);
      const copy = new BetterSqlite3(backup, { readonly: true });
      const tenants = copy.prepare("select name from workforce_tenants order by created_at").pluck().all();
      copy.close();
      expect(tenants).toEqual(["Harbour Bakery", "Waiting Bakery"]);
      expect([`${backup}-wal`, `${backup}-shm`].map((path) => existsSync(path))).toEqual([false, false]);
    });

    it("says what was ended and suspended", () => {
      expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining("gatehouse deliveries release")]);
      expect(restored.stdout).toMatch(/^restored {2,}.*monday\.sqlite; this is epoch 2$/m);
      expect(restored.stdout).toMatch(
        /^ended {2,}1 session, 1 token family, 2 codes, 1 password link, 1 consent, \d+ sign-ins? under way$/m,
      );
      expect(restored.stdout).toMatch(/^suspended {2,}1 delivery,/m);
    });

    it("makes nothing good again that was used since: code, refresh token, password link (R-X247)", async () => {
      expect([since.tokens.status, since.refreshed.status]).toEqual([200, 200]);
      const answers = [
        await redeem(gatehouse.url, world, before.code),
        await redeem(gatehouse.url, world, before.unusedCode),
        await refresh(before.refreshToken),
        await refresh(since.refreshed.json<{ refresh_token: string }>().refresh_token),
      ];
      expect(answers.map((answer) => [answer.status, answer.json<{ error: string }>().error])).toEqual(
        answers.map(() => [400, "invalid_grant"]),
      );
      const { answer } = await new Browser(gatehouse.url).follow(before.link);
      expect([answer.status, answer.text.includes('name="password"')]).toEqual([400, false]);
    });

    it("ends sessions, sign-ins under way and access tokens of the backup (R-X247)", async () => {
      const { left, path } = await before.browser.follow(authorizePath(world));
      expect([left, path]).toEqual([undefined, expect.stringMatching(/^\/auth\/login/)]);
      const interaction = await before.browser.open(before.interaction);
      expect(interaction.status).toBe(400);
      const headers = { authorization: `Bearer ${before.accessToken}` };
      expect((await call(gatehouse.url, "/auth/userinfo", { headers })).status).toBe(401);
    });

    it("asks people for their consent again, which they may have withdrawn since (R-X247)", async () => {
      const browser = new Browser(gatehouse.url);
      const login = await browser.follow(authorizePath(world));
      const { left, path } = await browser.submit(login.answer, { email: world.email, password: PASSWORD });
      expect([left, path]).toEqual([undefined, expect.stringMatching(/^\/auth\/consent/)]);
    });

    it("lets no entity tag match other content (R-X247)", async () => {
      await tenant("Bakery after the restore");
      const answer = await clients({ "if-none-match": since.tag });
      expect([answer.status, answer.headers.get("etag") === since.tag]).toEqual([200, false]);
      expect(answer.text).toContain("Bakery after the restore");
      const again = await clients({ "if-none-match": present(answer.headers.get("etag")) });
      expect(again.status).toBe(304);
    });

    it("sends what waited only once it is released (R-X248)", async () => {
      expect(await pendingReasons()).toEqual(["store_restored"]);
      const names = () => Promise.resolve(receiver.received.map(({ event }) => event.data.name));
      // The new tenant's event passes by the delivery that is suspended.
      await eventually(names, (all) => all.includes("Bakery after the restore"));
      expect((await names()).slice(postsBeforeRelease)).toEqual(["Bakery after the restore"]);
      const released = await shell(DRILL.at(-1) ?? "", environment);
      expect([released.code, released.stderr]).toEqual([0, expect.stringContaining("1 delivery is released.")]);
      await eventually(names, (all) => all.length === postsBeforeRelease + 2);
      const waited = receiver.received.filter(({ event }) => event.data.name === "Waiting Bakery");
      expect(waited.map(({ webhookId }) => webhookId)).toEqual([waited[0]?.webhookId, waited[0]?.webhookId]);
      expect(waited.at(-1)?.nth).toBe(2);
    });

    it("people and integrators go on: a new sign-in, the same key, the same signing keys", async () => {
      const left = await signIn(new Browser(gatehouse.url), authorizePath(world), { email: world.email });
      const answer = await redeem(gatehouse.url, world, present(left.searchParams.get("code")));
      expect([answer.status, (await clients()).status]).toEqual([200, 200]);
    });

    it("wrote down the backup's restore and the release", async () => {
      const { stdout } = await commandLine(["audit", "list", "--json", "--data-directory", gatehouse.dataDirectory]);
      const { entries } = JSON.parse(stdout) as { entries: { action: string; facts: object }[] };
      const of = (action: string) => entries.filter((entry) => entry.action === action);
      expect(of("store.restore").map(({ facts }) => facts)).toEqual([
        expect.objectContaining({ epoch: 2, sessions: 1, families: 1, deliveriesSuspended: 1 }),
      ]);
      expect(of("delivery.release").map(({ facts }) => facts)).toEqual([{ count: 1 }]);
    });
  });
});

describe("gatehouse store backup and restore", () => {
  withScope((closeLater) => {
    let gatehouse: ProcessGatehouse;
    let folder: string;
    let backup: string;

    beforeAll(async () => {
      folder = newFolder("gh-backup-");
      backup = join(folder, "backup.sqlite");
      gatehouse = await openProcesses(closeLater);
      await makeWorld(gatehouse);
      await backUp(backup);
    });

    const backUp = (path: string) =>
      commandLine(["store", "backup", path, "--data-directory", gatehouse.dataDirectory]);
    const restore = (file: string, directory: string, before = "") =>
      shell(`${before} gatehouse store restore "$FILE" --data-directory "$DIRECTORY"`, {
        FILE: file,
        DIRECTORY: directory,
      });
    /** An empty data directory, with the master key of the backup. */
    const newDirectory = async (masterKey = readFileSync(join(gatehouse.dataDirectory, "master.key"), "utf8")) => {
      const directory = join(newFolder("gh-backup-"), "data");
      await mkdir(directory, { mode: 0o700 });
      await writeFile(join(directory, "master.key"), masterKey, { mode: 0o600 });
      return directory;
    };

    it("says in the metrics when the last backup was made", async () => {
      const { managementUrl } = present(gatehouse.programs.all);
      const text = await (await fetch(`${managementUrl}/metrics`)).text();
      const made = Number(/^gatehouse_store_last_backup_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
      const { stdout } = await commandLine(["store", "status", "--json", "--data-directory", gatehouse.dataDirectory]);
      const { backedUpAt } = JSON.parse(stdout) as { readonly backedUpAt: string };
      expect(made).toBe(Date.parse(backedUpAt) / 1000);
    });

    it("never replaces a file that exists (R-X246)", async () => {
      const path = join(folder, "taken.sqlite");
      await writeFile(path, "something else");
      const { exitCode, stderr } = await backUp(path);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("exists already")]);
      expect(readFileSync(path, "utf8")).toBe("something else");
    });

    it("says in one line why a backup was not written, and leaves nothing", async () => {
      const path = join(folder, "no-such-folder", "backup.sqlite");
      const { exitCode, stderr } = await backUp(path);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("was not written (ENOENT)")]);
      expect(existsSync(path)).toBe(false);
    });

    it("refuses to restore while a Gatehouse runs (R-X247)", async () => {
      const { code, stderr } = await restore(backup, gatehouse.dataDirectory);
      expect([code, stderr]).toEqual([1, expect.stringContaining("Another Gatehouse is running")]);
    });

    it.each<[string, (file: string) => Promise<unknown>, RegExp, number]>([
      ["a damaged backup", (file) => overwrite(file, 5_000, 20_000), /damaged/, 65],
      ["half a backup", (file) => cut(file), /damaged/, 65],
      ["a file that is no store", (file) => writeFile(file, "a letter to the bakery"), /damaged|no store/, 65],
      ["another SQLite database", (file) => otherDatabase(file), /is no store of Gatehouse/, 65],
      [
        "a store of a newer program",
        (file) => statement(file, "update migration_ledger set number = 999 where owner = 'runtime' and number = 1"),
        /newer than this program/,
        65,
      ],
      [
        "a copy of a store in use",
        (file) => statement(file, "pragma user_version = 1"),
        /lacks what was in its log/,
        65,
      ],
      ["a folder", (file) => rm(file).then(() => mkdir(file)), /it is not a file/, 1],
      ["a pipe", (file) => rm(file).then(() => promisify(execFile)("mkfifo", [file])), /it is not a file/, 1],
    ])("refuses %s and changes nothing (R-X247, R-X417)", async (_, spoil, words, exitCode) => {
      const file = join(newFolder("gh-backup-"), "backup.sqlite");
      await cp(backup, file);
      await spoil(file);
      const directory = await newDirectory();
      const { code, stderr } = await restore(file, directory);
      expect([code, stderr]).toEqual([exitCode, expect.stringMatching(words)]);
      expect([stderr, stderr]).toEqual([
        expect.stringContaining(`${file} was not restored`),
        expect.stringMatching(/ Nothing was changed\.\n$/),
      ]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(existsSync(join(directory, "gatehouse.sqlite"))).toBe(false);
      expect(existsSync(join(directory, "gatehouse.sqlite.restoring"))).toBe(false);
    });

    /** The text of a cell, so that SQLite finds nothing wrong in what is left. */
    const withOtherLabel = async (file: string) => {
      const bytes = readFileSync(file);
      const at = bytes.indexOf("Harbour Bakery");
      if (at < 0) throw new Error("The backup has no such tenant.");
      bytes.write("Harbour Bakerz", at);
      await writeFile(file, bytes);
    };

    it("says the backup's SHA-256, also in a file beside it that sha256sum can check (R-X347)", async () => {
      const path = join(folder, "with digest.sqlite");
      const options = ["--json", "--data-directory", gatehouse.dataDirectory];
      const { stdout } = await commandLine(["store", "backup", path, ...options]);
      const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
      expect(JSON.parse(stdout)).toMatchObject({ path, sha256: digest });
      expect(readFileSync(`${path}.sha256`, "utf8")).toBe(`${digest}  with digest.sqlite\n`);
      const checked = await shell('cd "$FOLDER" && sha256sum --check "with digest.sqlite.sha256"', { FOLDER: folder });
      expect([checked.code, checked.stdout]).toEqual([0, "with digest.sqlite: OK\n"]);
      const { exitCode, stderr } = await backUp(path);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("exists already")]);
      await rm(path);
      expect((await backUp(path)).stderr).toContain(`${path}.sha256 is there, and ${path} is not`);
    });

    it("refuses a backup of which one byte is not what was written (R-X347)", async () => {
      const file = join(newFolder("gh-backup-"), "backup.sqlite");
      await cp(backup, file);
      await cp(`${backup}.sha256`, `${file}.sha256`);
      await withOtherLabel(file);
      const directory = await newDirectory();
      const { code, stderr } = await restore(file, directory);
      expect([code, stderr]).toEqual([
        65,
        expect.stringContaining("its bytes are not those that its .sha256 file names"),
      ]);
      expect(existsSync(join(directory, "gatehouse.sqlite"))).toBe(false);
      await writeFile(`${file}.sha256`, "a letter\n");
      expect((await restore(file, directory)).stderr).toContain(`${file}.sha256 has no SHA-256 in it`);
      await rm(`${file}.sha256`);
      await mkdir(`${file}.sha256`);
      expect((await restore(file, directory)).stderr).toContain(
        "or remove the file to have its structure checked alone",
      );
    });

    it("finds the digest beside what a symbolic link leads to (R-X347)", async () => {
      const link = join(newFolder("gh-backup-"), "latest.sqlite");
      await symlink(backup, link);
      const { code, stdout } = await restore(link, await newDirectory());
      expect([code, stdout]).toEqual([0, expect.stringContaining("byte for byte")]);
    });

    it.each([
      ["with", true, /^digest {2,}the backup is, byte for byte, what was written$/m],
      ["without", false, /^digest {2,}no \.sha256 file is beside the backup, so its structure alone was checked$/m],
    ])("restores a backup %s a digest beside it, and says so (R-X347)", async (_, hasDigest, words) => {
      const file = join(newFolder("gh-backup-"), "backup.sqlite");
      await cp(backup, file);
      await cp(`${backup}.sha256`, hasDigest ? `${file}.sha256` : `${file}.other`);
      const { code, stdout } = await restore(file, await newDirectory());
      expect([code, stdout]).toEqual([0, expect.stringMatching(words)]);
    });

    it("never destroys a backup that has the name of its own copy", async () => {
      const directory = await newDirectory();
      const file = join(directory, "gatehouse.sqlite.restoring");
      await cp(backup, file);
      const { code, stderr } = await restore(file, directory);
      expect([code, stderr]).toEqual([1, expect.stringContaining("Give the backup another name first")]);
      expect(readFileSync(file).equals(readFileSync(backup))).toBe(true);
    });

    it("ends well when its reader left", async () => {
      const { stderr } = await shell(
        '{ gatehouse store restore "$FILE" --data-directory "$DIRECTORY" && echo "it ended with 0" >&2; } | sh -c "exec <&-; sleep 3"',
        { FILE: backup, DIRECTORY: await newDirectory() },
      );
      expect(stderr).toMatch(/Next: gatehouse serve.*it ended with 0/s);
      expect(stderr).not.toContain("EPIPE");
    });

    it("asks for a name of the backup", async () => {
      const { exitCode, stderr } = await backUp("");
      expect([exitCode, stderr]).toEqual([
        expect.any(Number),
        expect.stringMatching(/<file>.*must be an absolute path/),
      ]);
      expect(exitCode).not.toBe(0);
    });

    it("refuses a backup of another installation, by its master key (R-X247, R-X417)", async () => {
      const directory = await newDirectory(Buffer.alloc(32, 3).toString("base64"));
      const { code, stderr } = await restore(backup, directory);
      expect([code, stderr]).toEqual([65, expect.stringContaining("belongs to another installation")]);
      expect(existsSync(join(directory, "gatehouse.sqlite"))).toBe(false);
    });

    it("leaves the store as it was when the disk is full", async () => {
      const directory = await newDirectory();
      const { code, stderr } = await restore(backup, directory, "trap '' XFSZ; ulimit -f 100;");
      expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
      expect(existsSync(join(directory, "gatehouse.sqlite"))).toBe(false);
    });

    it("a start refuses a backup that was put in place by hand (R-X246)", async () => {
      const directory = await newDirectory();
      await cp(backup, join(directory, "gatehouse.sqlite"));
      const start = openProcesses(closeLater, { dataDirectory: directory });
      await expect(start).rejects.toThrow("is a backup that was put in place by hand");
    });

    it("keeps the store that it replaces, and names what it has undone, erasures one by one (R-X247, R-X266)", async () => {
      const other = await openProcesses(closeLater);
      const world = await makeWorld(other);
      const file = join(newFolder("gh-backup-"), "first.sqlite");
      await commandLine(["store", "backup", file, "--data-directory", other.dataDirectory]);
      const { apiKeys } = await other.workforce.listApiKeys({ integrationId: world.integrationId, after: null });
      await other.workforce.revokeApiKey({ apiKeyId: present(apiKeys[0]).id });
      // Of a person that the backup does not have, nothing is back.
      const later = await makeWorld(other, { email: "later@harbour.example" });
      for (const personId of [world.personId, later.personId])
        await commandLine(["people", "erase", personId, "--yes", "--data-directory", other.dataDirectory]);
      await other.stop();
      const { code, stdout } = await restore(file, other.dataDirectory);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^undone {2,}.*apiKey\.revoke 1, .*person\.erase 2/m);
      expect(stdout.match(/^erase again .*$/gm)).toEqual([
        expect.stringMatching(new RegExp(` gatehouse people erase ${world.personId} --data-directory \\S+$`)),
      ]);
      const replaced = /^before .* is in (\S+)$/m.exec(stdout)?.[1] ?? "";
      expect(existsSync(join(replaced, "gatehouse.sqlite"))).toBe(true);
      await other.restart("all");
      const again = await other.workforce.listApiKeys({ integrationId: world.integrationId, after: null });
      expect(again.apiKeys[0]?.revokedAt ?? null).toBeNull();
    });

    it.each([
      // The mark, the store and the two files beside it, and the other store in its place; then it is done.
      ["SIGKILL", 5],
      ["SIGTERM", 3],
    ] as const)(
      "is repeated after kill -9 at any of its renames, and at another: it names the store that %s ended, and what it has undone (R-X247)",
      async (signal, renames) => {
        const other = await openProcesses(closeLater);
        await makeWorld(other);
        const kept = newFolder("gh-backup-");
        const file = join(kept, "first.sqlite");
        await commandLine(["store", "backup", file, "--data-directory", other.dataDirectory]);
        await makeWorld(other, { email: "later@harbour.example" });
        await other.programs.all?.end(signal);
        const hook = pathToFileURL(join(ROOT, "test", "support", "kill-at-rename.mjs")).href;

        const restoredAfter = async (...kills: readonly number[]) => {
          const directory = join(kept, kills.join("-"));
          await cp(other.dataDirectory, directory, {
            recursive: true,
            filter: (path) => !path.startsWith(join(other.dataDirectory, "sockets")),
          });
          const codes: number[] = [];
          for (const kill of kills)
            codes.push((await restore(file, directory, `KILL_AT=${kill} NODE_OPTIONS='--import ${hook}'`)).code);
          const { stdout } = await restore(file, directory);
          expect(stdout).toMatch(/^then remove {2,}rm -r \S+replaced-\S+: it keeps people whom no erasure reaches$/m);
          const folder = /^before .* is in (\S+)$/m.exec(stdout)?.[1] ?? "";
          const store = new BetterSqlite3(join(folder, "gatehouse.sqlite"), { readonly: true });
          const instances = store.prepare("select count(*) from workforce_instances").pluck().get();
          store.close();
          const folders = readdirSync(directory).filter((name) => name.startsWith("replaced-"));
          return { codes, instances, undone: /^undone {2,}(.*)$/m.exec(stdout)?.[1] ?? "", folders: folders.length };
        };

        const undone = expect.stringContaining("instance.create 1");
        for (let kill = 1; kill <= renames; kill++)
          expect(await restoredAfter(kill)).toEqual({ codes: [137], instances: 2, undone, folders: 1 });
        for (let kill = 1; kill <= 4; kill++)
          expect(await restoredAfter(renames, kill)).toEqual({ codes: [137, 137], instances: 2, undone, folders: 1 });
      },
      180_000,
    );

    it("restores one backup twice: no tag and no number is given again, and erasures are named again (R-X336, R-X337)", async () => {
      const other = await openProcesses(closeLater);
      const world = await makeWorld(other);
      const file = join(newFolder("gh-backup-"), "first.sqlite");
      await commandLine(["store", "backup", file, "--data-directory", other.dataDirectory]);
      await commandLine(["people", "erase", world.personId, "--yes", "--data-directory", other.dataDirectory]);
      await other.stop();
      const path = `/v1/instance-integrations/${world.instanceIntegrationId}/clients`;
      const lives = async (name: string) => {
        const { stdout } = await restore(file, other.dataDirectory);
        await other.restart("all");
        await other.platform.createTenant({ requestId: "", instanceId: world.instanceId, name, address: null });
        const answer = await call(other.url, path, { headers: { "x-api-key": world.apiKey } });
        await other.stop();
        const store = new BetterSqlite3(join(other.dataDirectory, "gatehouse.sqlite"), { readonly: true });
        const given = store
          .prepare("select seq from sqlite_sequence where name = 'outbox_entries'")
          .pluck()
          .get() as number;
        store.close();
        return { stdout, tag: present(answer.headers.get("etag")), given };
      };
      const first = await lives("Bakery of the first life");
      const second = await lives("Bakery of the second life");
      expect(first.stdout).toContain("this is epoch 2");
      expect(second.stdout).toContain("this is epoch 3");
      expect(second.tag).not.toBe(first.tag);
      expect(second.given).toBeGreaterThan(first.given);
      const again = new RegExp(`^erase again {2,}gatehouse people erase ${world.personId} --data-directory \\S+$`, "m");
      expect([first.stdout, second.stdout]).toEqual([expect.stringMatching(again), expect.stringMatching(again)]);
      expect(second.stdout).toMatch(/^then remove {2,}rm -r \S+replaced-\S+: it keeps people who were erased since$/m);
    }, 180_000);
  });
});

eachStore((name, open) => {
  describe("gatehouse store restored, after other tools have set the store back (R-X247)", () => {
    withScope((closeLater) => {
      it("ends what may have been used since, but not while a Gatehouse has the store open", async () => {
        const { location, store, wake } = await open();
        // Only the product has it open from here on.
        await wake.close();
        await store.close();
        const flags: Readonly<Record<string, string>> =
          name === "postgres" ? { "store-url": location, "master-keys": TEST_MASTER_KEY } : {};
        const gatehouse = await openProcesses(closeLater, { flags });
        const world = await makeWorld(gatehouse);
        const path = authorizePath(world, { scope: SCOPE });
        const left = await signIn(new Browser(gatehouse.url), path, { email: world.email });
        const tokens = await redeem(gatehouse.url, world, present(left.searchParams.get("code")));
        const { refresh_token } = tokens.json<{ refresh_token: string }>();
        const words = Object.entries(flags).map(([setting, value]) => `--${setting} '${value}'`);
        const command = `gatehouse store restored --json --data-directory '${gatehouse.dataDirectory}' ${words.join(" ")}`;

        const refused = await shell(command, {});
        await gatehouse.stop();
        const done = await shell(command, {});
        await gatehouse.restart("all");

        const inUse = name === "postgres" ? "has the store open" : "Another Gatehouse is running";
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(inUse)]);
        expect(JSON.parse(done.stdout)).toMatchObject({ epoch: 2, ended: { sessions: 1, families: 1 } });
        const again = await exchange(gatehouse.url, world, { grant_type: "refresh_token", refresh_token });
        expect([again.status, again.json<{ error: string }>().error]).toEqual([400, "invalid_grant"]);
      });
    });
  });
});

async function overwrite(file: string, from: number, to: number): Promise<void> {
  const bytes = readFileSync(file);
  await writeFile(file, bytes.fill(0xff, from, to));
}

const cut = async (file: string) => writeFile(file, readFileSync(file).subarray(0, 100_000));

async function otherDatabase(file: string): Promise<void> {
  await rm(file);
  const handle = new BetterSqlite3(file);
  handle.exec("create table letters (number integer)");
  handle.close();
}

async function statement(file: string, sql: string): Promise<void> {
  const handle = new BetterSqlite3(file);
  handle.exec(sql);
  handle.close();
}
