import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The generator of all SDKs, pinned to the reviewed version. */
export const GENERATOR = {
  name: "openapi-generator",
  version: "7.25.0",
  sha256: "41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae",
} as const;

const JAVA_MIN = 11;

/** Something that this machine lacks; the sentence says how to get it. */
export class Missing extends Error {
  override readonly name = "Missing";
}

const digestOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

/** @throws Missing without a Java that is new enough. */
export function assertJava(): void {
  const { status, stderr } = spawnSync("java", ["-version"], { encoding: "utf8" });
  const version = Number(/version "(?:1\.)?(\d+)/.exec(stderr ?? "")?.[1] ?? 0);
  if (status !== 0 || version < JAVA_MIN)
    throw new Missing(
      `Java ${JAVA_MIN} or newer is not on PATH, and the generator runs on it (Debian: apt-get install default-jdk-headless)`,
    );
}

/**
 * The generator's jar, fetched once into .cache/ by its own wrapper (openapitools.json), and checked against the
 * reviewed digest.
 * @throws Missing when it cannot be fetched; Error when its digest differs.
 */
export function generatorJar(): string {
  const jar = join(".cache", "openapi-generator", `${GENERATOR.version}.jar`);
  if (!existsSync(jar)) {
    const wrapper = join("node_modules", ".bin", "openapi-generator-cli");
    const { stderr } = spawnSync(wrapper, ["version"], { encoding: "utf8" });
    if (!existsSync(jar))
      throw new Missing(`${GENERATOR.name} ${GENERATOR.version} cannot be fetched: ${stderr.trim()}`);
  }
  const digest = digestOf(jar);
  if (digest !== GENERATOR.sha256)
    throw new Error(`${jar} has the SHA-256 ${digest}, not ${GENERATOR.sha256}: remove it and check what was fetched`);
  return jar;
}
