import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** The program of an earlier commit, in a directory of its own. */
export interface OlderCheckout {
  readonly directory: string;
  remove(): void;
}

/**
 * Checks the commit out and installs its packages; ours serve where the lock file is the same.
 * @throws Error when this checkout has no such commit.
 */
export function checkOutOlder(commit: string): OlderCheckout {
  const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: ROOT, stdio: "ignore" });
  if (spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: ROOT }).status !== 0)
    throw new Error(`There is no commit ${commit} in this checkout.`);
  // Registrations whose directories are gone.
  git("worktree", "prune");
  const parent = mkdtempSync(join(tmpdir(), "gh-older-"));
  const directory = join(parent, "checkout");
  const remove = () => {
    spawnSync("git", ["worktree", "remove", "--force", directory], { cwd: ROOT, stdio: "ignore" });
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    git("worktree", "add", "--detach", directory, commit);
    const lockOf = (root: string) => readFileSync(join(root, "package-lock.json"), "utf8");
    if (lockOf(directory) === lockOf(ROOT)) symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
    else execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: directory, stdio: "inherit" });
    return { directory, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
