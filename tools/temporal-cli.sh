#!/bin/sh
# Prints the path of a `temporal` binary: development server with UI, and command line. Looks for it in GATEHOUSE_TEMPORAL_CLI, on PATH, in
# .tools/ and in what the Temporal SDK downloaded for itself; otherwise builds the pinned release from tools/temporal/go.mod, which takes
# Go (tools/go.sh), some minutes and about 3 GB of Go's caches once. Ends with 3 and one message when there is none.
# Usage: tools/temporal-cli.sh [--found-only]   (does not build)
set -eu

pinned=1.8.2
# Older servers lack what docs/operations/watching-temporal.md shows.
least_server=1.29

root=$(cd "$(dirname "$0")/.." && pwd)
target=$root/.tools/temporal-$pinned

fail() {
  printf 'gatehouse: %s\n' "$1" >&2
  exit 3
}

# Locally built binaries report the version 0.0.0; the version of their server is checked instead.
server_version() { "$1" --version 2>/dev/null | sed -n 's/.*(Server \([0-9][0-9.]*\).*/\1/p'; }

is_usable() {
  have=$(server_version "$1") && [ -n "$have" ] &&
    [ "$(printf '%s\n%s\n' "$least_server" "$have" | sort -V | head -n 1)" = "$least_server" ]
}

found() {
  printf '%s\n' "$1"
  exit 0
}

if [ -n "${GATEHOUSE_TEMPORAL_CLI:-}" ]; then
  is_usable "$GATEHOUSE_TEMPORAL_CLI" || fail "GATEHOUSE_TEMPORAL_CLI ($GATEHOUSE_TEMPORAL_CLI) is not a temporal binary with a server of $least_server or newer."
  found "$GATEHOUSE_TEMPORAL_CLI"
fi
on_path=$(command -v temporal || true)
[ -n "$on_path" ] && is_usable "$on_path" && found "$on_path"
[ -x "$target" ] && is_usable "$target" && found "$target"
# Others may write into /tmp too: what is not a file of ours alone is not run, not even for its version.
for downloaded in "${TMPDIR:-/tmp}"/temporal-sdk-typescript-*; do
  ours=$(find "$downloaded" -prune -type f -user "$(id -u)" ! -perm -020 ! -perm -002 2>/dev/null) || continue
  [ -n "$ours" ] && [ -x "$downloaded" ] && is_usable "$downloaded" && found "$downloaded"
done

missing="There is no temporal binary. Install the Temporal CLI (https://docs.temporal.io/cli), or put its path into GATEHOUSE_TEMPORAL_CLI"
[ "${1:-}" != --found-only ] || fail "$missing, or run make temporal-cli, which builds it with Go."
go_directory=$(sh "$root/tools/go.sh") || fail "$missing; for building it, see above."

mkdir -p "$root/.tools"
# Two at once build once.
if command -v flock >/dev/null; then
  exec 9>"$root/.tools/temporal.lock"
  flock 9
  [ -x "$target" ] && is_usable "$target" && found "$target"
fi
printf 'Building the Temporal CLI %s into .tools/ (some minutes, once) …\n' "$pinned" >&2
partial=$target.partial.$$
trap 'rm -f "$partial"' EXIT
(cd "$root/tools/temporal" && CGO_ENABLED=0 GOTOOLCHAIN=local GOWORK=off GOFLAGS=-mod=readonly "$go_directory/go" build -trimpath -buildvcs=false \
  -ldflags "-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=$pinned" \
  -o "$partial" github.com/temporalio/cli/cmd/temporal) >&2 || fail "$missing; building it failed, see above."
mv "$partial" "$target"
found "$target"
