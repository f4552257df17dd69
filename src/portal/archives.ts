import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { packTar } from "modern-tar";

/** Everything about a file but its name and content is the same for all: the bytes follow from the files alone. */
const SAME = {
  type: "file",
  mode: 0o644,
  uid: 0,
  gid: 0,
  uname: "",
  gname: "",
  // Some packagers refuse what is from before 1980.
  mtime: new Date(Date.UTC(2020, 0, 1)),
} as const;

/** A file of an archive: its path below the archive's one folder, and where its content is. */
interface ArchivedFile {
  readonly path: string;
  readonly source: string;
}

/** Every file below the folder, in the order of the paths. */
export async function filesBelow(folder: string): Promise<readonly ArchivedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((source) => ({ path: source.slice(folder.length + 1), source }));
}

/**
 * A tar archive (POSIX.1), compressed. The same files give the same bytes.
 * @param top name of the one folder that everything is below.
 */
export async function packArchive(top: string, files: readonly ArchivedFile[]): Promise<Buffer> {
  const entries = await Promise.all(
    files.map(async ({ path, source }) => {
      const body = await readFile(source);
      return { header: { ...SAME, name: `${top}/${path}`, size: body.length }, body };
    }),
  );
  return promisify(gzip)(await packTar(entries), { level: 9 });
}

/** Answers with archives, each packed when first asked for: most processes never are. Their names come from a closed list. */
export function archiveReplies<N extends string>(pack: (name: N) => Promise<Buffer>) {
  const packed = new Map<N, Promise<Buffer>>();
  return async (name: N) => {
    const archive = packed.get(name) ?? pack(name);
    packed.set(name, archive);
    // A failed reading is tried again by the next request.
    archive.catch(() => packed.delete(name));
    return {
      status: 200,
      type: "application/gzip",
      headers: { "cache-control": "public, max-age=300" },
      // Bytes, which the contract calls a string.
      body: (await archive) as unknown as string,
    } as const;
  };
}
