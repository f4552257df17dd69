import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { newFolder } from "../support/folder.ts";
import { describeWith } from "../support/optional-part.ts";
import { makeFixtures } from "./disk/fixtures.ts";
import type { Finding } from "./disk/laboratory.ts";

const HERE = join(import.meta.dirname, "disk");
const compiler = spawnSync("cc", ["--version"]).error && "cc is not installed";

/** What may be there after a case was refused, and after it was done. */
interface Expected {
  readonly refused: RegExp;
  readonly done: RegExp;
  /** How a refusal ends that the last flush of all brought about, when what was done could not be undone. */
  readonly standing?: string;
  /** Names of files that stay on a disk that lets nothing be removed. No program takes them for a store. */
  readonly unfinished: RegExp;
}

/** SQLite's own, which belong to a file beside them. */
const COMPANION = /gatehouse\.(lock(-journal)?|store(\.new)?|sqlite-(wal|shm))$/;

describeWith(
  { name: "a C compiler", missing: compiler },
  "a disk that is full, fails or becomes read-only (R-X330)",
  () => {
    let folder: string;

    beforeAll(async () => {
      folder = newFolder("gh-disk-");
      mkdirSync(join(folder, "fixtures"));
      await makeFixtures(join(folder, "fixtures"));
      execFileSync("cc", ["-shared", "-fPIC", "-o", join(folder, "shim.so"), join(HERE, "disk-shim.c")]);
    });

    /** What each run of the case led to. */
    async function findings(name: string): Promise<readonly Finding[]> {
      const { PATH = "", HOME = "", GATEHOUSE_DISK_FAULTS = "" } = process.env;
      const at = (file: string) => join(folder, `${name}.${file}`);
      await promisify(execFile)(
        process.execPath,
        [join(HERE, "laboratory.ts"), name, join(folder, "fixtures"), at("under"), at("findings")],
        {
          env: {
            ...{ PATH, HOME, GATEHOUSE_DISK_FAULTS, LD_PRELOAD: join(folder, "shim.so") },
            ...{ DISK_UNDER: at("under"), DISK_ORDER: at("order"), DISK_CALLS: at("calls") },
          },
          maxBuffer: 64 * 1024 * 1024,
        },
      );
      return readFileSync(at("findings"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Finding);
    }

    it.each<[string, Expected]>([
      [
        "backup",
        {
          ...{ refused: /^no file$/, done: /^file: ok$/, standing: "do not rely on it" },
          unfinished: /\.unfinished(\.sha256|-journal|-wal|-shm)?$|\.sqlite(\.sha256)?$/,
        },
      ],
      [
        "restore",
        // What a rename left in two places is refused by a start, and the line says where the files are.
        {
          ...{ refused: /^epoch 2$|^A store was here, and /, done: /^epoch 3$/, standing: "or restore again" },
          unfinished: /\.restoring(-\w+)?$/,
        },
      ],
      [
        "put back",
        {
          ...{ refused: /^epoch 2, 0 of the log$|^A store was here, and /, done: /^epoch 3, 1 of the log$/ },
          ...{ standing: "or restore again", unfinished: /\.restoring(-\w+)?$/ },
        },
      ],
      ["restored", { refused: /^epoch 2$/, done: /^epoch 3$/, unfinished: /^$/ }],
      [
        "migrate",
        // Of a commit whose flush failed it is not known whether it counts; the next start takes what is missing.
        {
          ...{ refused: /^30 steps$/, done: /^(?!30 )\d+ steps$/, standing: "Then start again" },
          unfinished: /^$/,
        },
      ],
      ["plan", { refused: /^30 steps$/, done: /^30 steps$/, unfinished: /\.planning(-\w+)?$/ }],
      [
        "sweep",
        { refused: /^[123] batches left, \d+ young, ok$/, done: /^0 batches left, \d+ young, ok$/, unfinished: /^$/ },
      ],
    ])(
      "%s: is done, or says in one line what to do; what it reads is untouched, and nothing half-made is taken for whole",
      async (name, { refused, done, standing, unfinished }) => {
        const all = await findings(name);
        const surprises = all.filter(({ said, isRefusal }) => said !== undefined && !isRefusal);
        const states = all.filter(
          ({ error, said, state }) =>
            !(said === undefined ? done : refused).test(state) &&
            !(standing !== undefined && error !== "ENOSPC" && done.test(state) && said?.includes(standing)),
        );
        const moved = all.filter(
          ({ said, state }) => /^A store was here/.test(state) && !said?.includes("move the files in"),
        );
        const left = all.filter(
          ({ error, said, left: files }) =>
            said !== undefined &&
            files.some(
              (file) =>
                !COMPANION.test(file) && !/\/replaced-/.test(file) && !(error === "EROFS" && unfinished.test(file)),
            ),
        );
        expect({ surprises, states, moved, left }).toEqual({ surprises: [], states: [], moved: [], left: [] });
        expect(all.filter(({ isSourceSame }) => !isSourceSame)).toEqual([]);
        expect(all.filter(({ error }) => error === "none").map(({ said }) => said)).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
        expect(all.filter(({ said }) => said !== undefined).length).toBeGreaterThan(all.length / 4);
      },
      600_000,
    );
  },
);
