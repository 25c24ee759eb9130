#!/bin/sh
# Installs Paywatch on a bare Debian 12 or 13: brings the pinned Node, builds a release from this folder, and starts `paywatch install`,
# which sets up everything else. Run it as root; running it again changes nothing.
#   sh install.sh                        asks five questions
#   sh install.sh --answers FILE         asks nothing; `--help` shows an example
#   sh install.sh --dry-run              prints what would change
#   sh install.sh upgrade                changes an installed machine to the release in this folder
#   sh install.sh uninstall              removes the programs, keeps all data
#   sh install.sh --node FILE-OR-URL …   Node from a mirror; its checksum is still that of package-lock.json
# NPM_CONFIG_REGISTRY names another registry than npm's.
set -eu
umask 022

# Of packageManager in package.json; a test compares both.
NPM_VERSION=11.19.1
NPM_INTEGRITY=sha512-ztsxKxt/kkIaAs+2i0GU6I+DRmUdrNasxTZKJe9TCdSjKxlhah/4r/hl5ygMD6XAg1qZ9c2TNomR4qgOydp10g==
PROGRAMS=/opt/paywatch

say() { echo "paywatch: $*" >&2; }
fail() {
  say "$*"
  exit 1
}

source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
registry=${NPM_CONFIG_REGISTRY:-https://registry.npmjs.org}
registry=${registry%/}
command=install
node_from=
dry_run=
case ${1:-} in
  install | upgrade | uninstall)
    command=$1
    shift
    ;;
esac
if [ "${1:-}" = --node ]; then
  node_from=${2:?--node needs a file or a URL}
  shift 2
fi
for argument in "$@"; do
  if [ "$argument" = --dry-run ]; then dry_run=yes; fi
done

case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) fail "no Node is pinned for $(uname -m): only x86_64 and aarch64 are supported" ;;
esac
[ -e /etc/debian_version ] || fail 'only Debian 12 and 13 are supported'
[ "$(id -u)" -eq 0 ] || fail 'run this script as root'

if [ "$command" = uninstall ]; then
  exec "$PROGRAMS/current/node/bin/node" "$PROGRAMS/current/bundles/cli.mjs" uninstall "$@"
fi

# lock_field PACKAGE FIELD: a field of a package in package-lock.json, which npm writes one to a line.
lock_field() {
  sed -n "/^    \"node_modules\/$1\": {/,/^    }/s/^      \"$2\": \"\(.*\)\",*$/\1/p" "$source/package-lock.json"
}

# fetch FILE-OR-URL TARGET
fetch() {
  case $1 in
    http://* | https://*) curl --fail --silent --show-error --location --retry 3 --output "$2" "$1" ;;
    *) cp -- "$1" "$2" ;;
  esac
}

# verify FILE INTEGRITY: the form of package-lock.json, sha512-BASE64.
verify() {
  wanted=$(printf '%s' "${2#sha512-}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
  found=$(sha512sum "$1" | cut -d' ' -f1)
  [ "$wanted" = "$found" ] || fail "the checksum of $1 is wrong; it is deleted with its folder"
}

# What a bare Debian lacks: curl to download, certificates to trust, and a library of Node.
missing=
for package in ca-certificates curl libatomic1; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)" = installed ] || missing="$missing $package"
done
if [ -n "$missing" ]; then
  if [ -n "$dry_run" ]; then
    say "would install$missing with apt-get, then download Node; run it without --dry-run, or install these, to see the rest"
    exit 0
  fi
  say "installing$missing"
  apt-get update -q > /dev/null
  # shellcheck disable=SC2086 # a list of names
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing > /dev/null
fi

# A dry run puts Node and the release into a folder of its own, which it deletes.
work=$(mktemp -d)
# shellcheck disable=SC2154 # set when it runs
trap 'status=$?; rm -rf "$work"; exit $status' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if [ -n "$dry_run" ]; then target=$work/target; else target=$PROGRAMS; fi
mkdir -p "$target/node" "$target/releases"

node_version=$(lock_field "node-linux-$arch" version)
node=$PROGRAMS/node/$node_version
if [ ! -x "$node/bin/node" ]; then
  node=$target/node/$node_version
  say "bringing Node $node_version"
  fetch "${node_from:-$registry/node-linux-$arch/-/node-linux-$arch-$node_version.tgz}" "$work/node.tgz"
  verify "$work/node.tgz" "$(lock_field "node-linux-$arch" integrity)"
  mkdir "$work/node"
  tar -xzf "$work/node.tgz" -C "$work/node" --strip-components=1 --no-same-owner
  mkdir -p "$node.partial/bin"
  cp "$work/node/bin/node" "$work/node/LICENSE" "$node.partial/"
  mv "$node.partial/node" "$node.partial/bin/node"
  chmod 755 "$node.partial/bin/node"
  mv "$node.partial" "$node"
fi

# The name of a release contains a hash of its files, so the same files are built once.
files() {
  (cd "$source" && find . \( -name node_modules -o -name .git -o -name dist -o -name .paywatch -o -name .turbo -o -name secrets \) \
    -prune -o -type f ! -name '.env*' -print)
}
hash=$(files | LC_ALL=C sort | (cd "$source" && tr '\n' '\0' | xargs -0 sha256sum) | sha256sum | cut -c1-12)
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$source/package.json")
release=$version-$hash
if [ ! -e "$PROGRAMS/releases/$release" ]; then
  say "building release $release, which takes a few minutes"
  fetch "$registry/npm/-/npm-$NPM_VERSION.tgz" "$work/npm.tgz"
  verify "$work/npm.tgz" "$NPM_INTEGRITY"
  mkdir "$work/npm" "$work/source"
  tar -xzf "$work/npm.tgz" -C "$work/npm" --strip-components=1 --no-same-owner
  files | (cd "$source" && tar -cf - --no-recursion -T -) | tar -xf - -C "$work/source" --no-same-owner
  (
    cd "$work/source"
    PATH=$node/bin:$PATH
    export PATH npm_config_cache="$work/cache" npm_config_registry="$registry"
    # No install script of a package runs: only our patches are applied.
    node "$work/npm/bin/npm-cli.js" ci --ignore-scripts --no-audit --no-fund --loglevel=error > /dev/null
    node node_modules/patch-package/index.js --patch-dir infra/patches --error-on-fail > /dev/null
    node services/web/build/build.ts > /dev/null
    node infra/dev/src/image/image-tree.ts "$target/releases/$release.partial"
  )
  chmod -R go-w "$target/releases/$release.partial"
  # One link changes program and Node together.
  ln -s "$PROGRAMS/node/$node_version" "$target/releases/$release.partial/node"
  mv "$target/releases/$release.partial" "$target/releases/$release"
  rm -rf "$work/source" "$work/npm" "$work/cache"
else
  target=$PROGRAMS
fi

"$node/bin/node" "$target/releases/$release/bundles/cli.mjs" "$command" "$@"
