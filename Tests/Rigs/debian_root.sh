#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs a package in a new Debian system of another release, and runs the programs there as root and as a user: the demo,
# the doctor and all attacks.
#
#   debian_root.sh DIRECTORY PACKAGE.deb [RELEASE]    RELEASE is trixie (Debian 13) if not given
#
# The system contains the dependencies of the package in the versions of that release, so apt fails if one is missing or too
# old. The kernel is that of this machine. DIRECTORY must not exist; the script does not delete it. Prints the exit code of
# each command, and exits with 1 if a demo or an attack failed. Requires root and mmdebstrap.

set -euo pipefail
exec </dev/null
if (($# < 2)) || [[ ! -f $2 || -e $1 ]]; then
  echo "debian_root.sh: give a new directory and the file of a package: debian_root.sh DIRECTORY PACKAGE.deb [RELEASE]" >&2
  exit 2
fi
root=$1 package=$(realpath "$2") release=${3-trixie}
readonly package release

# The Debian mirror that the apt configuration of this machine uses.
# shellcheck disable=SC2016 # apt expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | head -n 1)
if [[ -z $mirror ]]; then
  echo "debian_root.sh: no Debian mirror in the configuration of apt; run apt-get update" >&2
  exit 1
fi
mmdebstrap --quiet --variant=apt --include="$package,python3" \
  --hook-dir=/usr/share/mmdebstrap/hooks/file-mirror-automount "$release" "$root" "$mirror"
root=$(realpath "$root")
readonly root

# Runs a command in the system. The root is changed by pivot_root(8), because the kernel refuses user namespaces to processes
# in a chroot (user_namespaces(7)).
inside() {
  # shellcheck disable=SC2016 # the inner shell expands these variables
  unshare --mount --pid --fork --kill-child --propagation private bash -euc '
    root=$1
    shift
    mount --bind "$root" "$root"
    cd "$root"
    mount --rbind /dev dev
    mount --rbind /sys sys
    mount -t tmpfs -o mode=1777 tmp tmp
    mount -t proc proc proc
    pivot_root . mnt
    umount --lazy /mnt
    cd /
    exec env -i LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb "$@"
  ' inside "$root" "$@"
}

failures=0
# Runs a command of darkroom and prints its exit code. An exit code other than 0 counts as a failure, unless it is the second
# argument.
check() {
  local user=$1 accepted=$2 code=0
  local -a prefix=(HOME=/root)
  shift 2
  if [[ $user != root ]]; then
    prefix=(HOME=/tmp setpriv --reuid 1000 --regid 1000 --clear-groups)
  fi
  inside "${prefix[@]}" darkroom "$@" || code=$?
  printf '== %s: darkroom %s: exit code %d\n' "$user" "$*" "$code"
  if ((code != 0 && code != accepted)); then failures=$((failures + 1)); fi
}

inside cat /etc/debian_version
for user in root user; do
  # The doctor exits with 71 if a policy is unavailable or only partly enforced.
  check "$user" 71 doctor
  check "$user" 0 demo
  check "$user" 0 attack
done
((failures == 0))
