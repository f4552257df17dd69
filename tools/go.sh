#!/bin/sh
# Prints the directory of a Go that builds tools/temporal: the machine's own when it is new enough, otherwise one that is fetched once into
# .tools/ as the Go command itself would: from Go's module proxy, proven by Go's checksum database. Any Go can fetch it, Debian's too.
# Ends with 69 and one message when there is none.
set -eu

pinned=1.26.4

root=$(cd "$(dirname "$0")/.." && pwd)
target=$root/.tools/go-$pinned

fail() {
  printf 'gatehouse: %s\n' "$1" >&2
  exit 69
}

version_of() { GOTOOLCHAIN=local "$1" version 2>/dev/null | sed -n 's/^go version go\([0-9][0-9.]*\).*/\1/p'; }

is_new_enough() {
  have=$(version_of "$1") && [ -n "$have" ] &&
    [ "$(printf '%s\n%s\n' "$pinned" "$have" | sort -V | head -n 1)" = "$pinned" ]
}

found() {
  printf '%s\n' "$1"
  exit 0
}

needed="Building the Temporal CLI takes Go $pinned or newer"
own=$(command -v go || true)
[ -n "$own" ] && is_new_enough "$own" && found "$(dirname "$own")"
[ -x "$target/bin/go" ] && found "$target/bin"
[ -n "$own" ] || fail "$needed, and there is no Go on PATH: install it (Debian: apt-get install golang-go; any version from 1.16 can fetch the right one)."

mkdir -p "$root/.tools"
# Two at once fetch once.
if command -v flock >/dev/null; then
  exec 9>"$root/.tools/go.lock"
  flock 9
  [ -x "$target/bin/go" ] && found "$target/bin"
fi
printf 'Fetching Go %s into .tools/ (this machine has %s) …\n' "$pinned" "$(version_of "$own")" >&2
work=$(mktemp -d "$root/.tools/fetch-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

module=golang.org/toolchain@v0.0.1-go$pinned.$("$own" env GOOS)-$("$own" env GOARCH)
(cd "$work" && GO111MODULE=on GOTOOLCHAIN=local GOFLAGS=-modcacherw GOPATH="$work/path" GOMODCACHE="$work/modules" "$own" mod download "$module") >&2 ||
  fail "Go $pinned could not be fetched: go mod download $module failed. Is Go's module proxy reachable? ($needed.)"
# A module cannot hold what a distribution has: executable files, and modules within. The Go command mends the same.
cd "$work/modules/$module"
chmod +x bin/* pkg/tool/*/*
find . -name _go.mod | while read -r file; do mv "$file" "${file%_go.mod}go.mod"; done
is_new_enough bin/go || fail "$needed, and the one that was fetched does not run here: install Go and put it on PATH."
cd "$root"
# The last step and one rename: so the directory is never visible in part.
mv "$work/modules/$module" "$target"
found "$target/bin"
