#!/usr/bin/env bash
# Runs a command in a fresh, minimal Debian that holds this working tree and nothing else.
#
#   tools/fresh_machine.sh [--keep] [--in DIR] bookworm|trixie COMMAND…
#
#   tools/fresh_machine.sh trixie ./check
#   tools/fresh_machine.sh --keep bookworm ./play --headless --autoplay --steps 600 --screenshot a.png --json a.json
#
# The pristine systems live in $SPELLPOOL_MACHINES (default /tmp/spellpool-machines) and are made by debootstrap once.
# Each run gets a copy, thrown away at the end; --keep leaves it and names it, --in DIR goes on with one that was kept.
# The tree in it is /spellpool: tracked files and untracked ones that git does not ignore. Needs root, debootstrap, tar.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
machines=${SPELLPOOL_MACHINES:-/tmp/spellpool-machines}

die() { echo "fresh_machine: $*" >&2; exit 2; }

keep=0 machine=
while [[ ${1:-} == --* ]]; do
  case $1 in
    --keep) keep=1; shift ;;
    --in) keep=1; machine=${2:?--in needs a folder}; shift 2 ;;
    *) die "unknown option $1" ;;
  esac
done
[[ $# -ge 2 ]] || die "usage: tools/fresh_machine.sh [--keep] [--in DIR] bookworm|trixie COMMAND…"
suite=$1; shift
[[ $suite == bookworm || $suite == trixie ]] || die "unknown system $suite: bookworm or trixie"
[[ $(id -u) == 0 ]] || die "needs root"

pristine=$machines/$suite
if [[ ! -d $pristine ]]; then
  command -v debootstrap >/dev/null || die "needs debootstrap: apt-get install debootstrap"
  mkdir -p "$machines"
  partial=$(mktemp -d "$machines/$suite.partial.XXXXXX")
  chmod 755 "$partial"
  debootstrap --variant=minbase "$suite" "$partial" >"$machines/$suite.log" 2>&1 ||
    die "debootstrap failed: see $machines/$suite.log"
  mv "$partial" "$pristine"
fi

if [[ -z $machine ]]; then
  machine=$(mktemp -d "$machines/$suite.run.XXXXXX")
  cp -a "$pristine/." "$machine/"
fi
[[ -x $machine/bin/bash ]] || die "$machine holds no system"
if [[ $keep == 0 ]]; then
  trap 'rm -rf --one-file-system "$machine"' EXIT
else
  echo "fresh_machine: $machine stays" >&2
fi

mkdir -p "$machine/spellpool"
cp -L /etc/resolv.conf "$machine/etc/resolv.conf"
(cd "$root" && git ls-files -z --cached --others --exclude-standard | sort -zu |
  while IFS= read -r -d '' file; do if [[ -e $file ]]; then printf '%s\0' "$file"; fi; done |
  tar --null -T - -cf -) | tar -C "$machine/spellpool" -xf -

# The mounts are private to this process and go with it, whatever happens. The command is not process 1 in there: Xvfb,
# for one, never tells a process 1 that it is ready.
status=0
trap 'kill -KILL "$inside" 2>/dev/null' INT TERM
unshare --mount --pid --fork --kill-child bash -c '
  set -e
  mount --make-rprivate /
  mount -t proc proc "$0/proc"
  mount -t sysfs -o ro sysfs "$0/sys"
  mount --rbind /dev "$0/dev"
  exec chroot "$0" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    LANG=C.UTF-8 TERM="${TERM:-dumb}" bash -c "cd /spellpool && \"\$@\"; exit \$?" bash "$@"
' "$machine" "$@" <&0 &
inside=$!
wait "$inside" || status=$?
exit $status
