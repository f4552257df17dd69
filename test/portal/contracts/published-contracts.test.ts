import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { call } from "../../support/http.ts";
import { startPortalEdge } from "../../support/portal-edge.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "..", "generated", "contracts");
const files = readdirSync(FOLDER);
const published = (file: string): Buffer => readFileSync(join(FOLDER, file));

describe("the published contracts", () => {
  let portal: Awaited<ReturnType<typeof startPortalEdge>>;
  beforeAll(async () => {
    portal = await startPortalEdge();
  });
  afterAll(() => portal.stop(0));

  it.each(files)("%s is the bundle, byte for byte, with version and digest", async (file) => {
    const answer = await call(portal.url, `/contracts/${file}`);
    expect(answer.status).toBe(200);
    expect(Buffer.from(answer.text).equals(published(file))).toBe(true);
    expect(answer.headers.get("x-contract-sha256")).toBe(createHash("sha256").update(published(file)).digest("hex"));
    expect(answer.headers.get("x-contract-version")).toBe("1.3.1");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  it.each(files)("%s is not sent again to who has it", async (file) => {
    const { headers } = await call(portal.url, `/contracts/${file}`);
    const again = await call(portal.url, `/contracts/${file}`, {
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  it("lists every other file with its size and digest", async () => {
    const { files: listed } = (await call(portal.url, "/contracts/index.json")).json<{
      files: { file: string; bytes: number; sha256: string; version: string }[];
    }>();
    const wanted = files
      .filter((file) => file !== "index.json")
      .map((file) => ({
        file,
        bytes: published(file).length,
        sha256: createHash("sha256").update(published(file)).digest("hex"),
      }));
    const told = listed.map(({ file, bytes, sha256 }) => ({ file, bytes, sha256 }));
    expect(told.toSorted((a, b) => a.file.localeCompare(b.file))).toEqual(
      wanted.toSorted((a, b) => a.file.localeCompare(b.file)),
    );
  });

  it.each(["gateway.txt", "..%2fpackage.json", "index.yaml"])("offers nothing at %s", async (file) => {
    expect((await call(portal.url, `/contracts/${file}`)).status).toBe(404);
  });
});
