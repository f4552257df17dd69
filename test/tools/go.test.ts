import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { newFolder } from "../support/folder.ts";

/** What the script calls; a machine's own Go must not be among it. */
const COMMANDS = ["chmod", "dirname", "find", "head", "mkdir", "mktemp", "mv", "rm", "sed", "sort"];

/** A Go of that version, whose downloads are what Go's module proxy gives: not executable, with modules' files renamed. */
const goOf = (version: string) => `#!/bin/sh
case "$1 $2" in
  version*) echo "go version go${version} linux/amd64" ;;
  'env GOOS') echo linux ;;
  'env GOARCH') echo amd64 ;;
  'mod download')
    at="$GOMODCACHE/$3"
    mkdir -p "$at/bin" "$at/src" "$at/pkg/tool/linux_amd64"
    printf '#!/bin/sh\\necho "go version go1.26.4 linux/amd64"\\n' >"$at/bin/go"
    : >"$at/src/_go.mod"
    : >"$at/pkg/tool/linux_amd64/compile"
    ;;
esac
`;

describe("tools/go.sh", () => {
  let places: readonly string[];
  beforeAll(() => {
    const script = `for name in ${COMMANDS.join(" ")}; do command -v $name; done`;
    places = execFileSync("sh", ["-c", script], { encoding: "utf8" }).trim().split("\n");
    expect(places).toHaveLength(COMMANDS.length);
  });

  let root: string;
  beforeEach(() => {
    root = newFolder("gh-go-");
    for (const folder of ["tools", "bin"]) mkdirSync(join(root, folder));
    cpSync("tools/go.sh", join(root, "tools", "go.sh"));
    for (const path of places) symlinkSync(path, join(root, "bin", basename(path)));
  });

  const putGo = (version: string) => {
    writeFileSync(join(root, "bin", "go"), goOf(version));
    chmodSync(join(root, "bin", "go"), 0o755);
  };
  const run = () =>
    spawnSync("/bin/sh", [join(root, "tools", "go.sh")], { env: { PATH: join(root, "bin") }, encoding: "utf8" });

  it("names the version that tools/temporal/go.mod asks for", () => {
    const [, asked] = /^go (.*)$/m.exec(readFileSync("tools/temporal/go.mod", "utf8")) ?? [];
    expect(readFileSync("tools/go.sh", "utf8")).toContain(`\npinned=${asked}\n`);
  });

  it.each(["1.26.4", "1.26.10", "1.30"])("uses the machine's own when it is %s", (version) => {
    putGo(version);
    expect(run()).toMatchObject({ status: 0, stdout: `${join(root, "bin")}\n`, stderr: "" });
  });

  it.each(["1.19.8", "1.26.3"])("has %s fetch the right one completely, and finds it afterwards", (version) => {
    putGo(version);
    const first = run();
    const second = run();
    const directory = join(root, ".tools", "go-1.26.4", "bin");
    expect(first).toMatchObject({ status: 0, stdout: `${directory}\n` });
    expect(first.stderr).toContain(`Fetching Go 1.26.4 into .tools/ (this machine has ${version})`);
    expect(second).toMatchObject({ status: 0, stdout: `${directory}\n`, stderr: "" });
    expect(readFileSync(join(root, ".tools", "go-1.26.4", "src", "go.mod"), "utf8")).toBe("");
  });

  it("names what is missing in one line", () => {
    const { status, stdout, stderr } = run();
    expect([status, stdout]).toEqual([69, ""]);
    expect(stderr).toMatch(/^gatehouse: .*there is no Go on PATH: install it .*golang-go.*\n$/);
  });
});
