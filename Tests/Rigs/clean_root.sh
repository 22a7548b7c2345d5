#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the root of a Debian system on which hardly anything is installed, and installs a package there.
#
#   clean_root.sh DIRECTORY PACKAGE.deb [NAME…]
#
# What is there before are the files of the packages that PACKAGE depends on, directly or not, of the essential shell and
# tools, and of the packages NAME…; they are copied from this machine, with what its dpkg knows of them. So dpkg refuses
# the package if it needs anything else, and its programs do not find what it does not name. Root alone can do it.

set -euo pipefail
exec </dev/null
root=$1 package=$2
shift 2
readonly root package

mkdir -p "$root"
# dpkg wants the packages of a name, alternatives and versions aside.
names() { tr ',' '\n' | sed -E 's/\|.*//; s/\(.*//; s/:[a-z]+//; s/[[:space:]]//g; /^$/d'; }

# The names of all that these packages need, themselves included, as far as they are installed.
closure() {
  local -A seen=()
  local -a todo=("$@")
  local name
  while ((${#todo[@]} > 0)); do
    name=${todo[0]}
    todo=("${todo[@]:1}")
    [[ -z ${seen[$name]-} ]] || continue
    seen[$name]=yes
    # A name may be one that others provide.
    # shellcheck disable=SC2016 # dpkg-query expands these names, not the shell
    mapfile -t -O "${#todo[@]}" todo < <(dpkg-query -W -f '${Pre-Depends},${Depends}\n' "$name" 2>/dev/null | names)
  done
  printf '%s\n' "${!seen[@]}"
}

mapfile -t wanted < <(dpkg-deb -f "$package" Pre-Depends Depends | sed -E 's/^[A-Za-z-]+: //' | names)
mapfile -t installed < <(closure "${wanted[@]}" base-files dash coreutils "$@" | sort)

# The names of directories that are links first, so that files go where they belong.
for name in bin lib lib64 sbin; do
  if [[ -L /$name ]]; then mkdir -p "$root/usr/$name" && ln -sfn "usr/$name" "$root/$name"; fi
done
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/root"
for name in "${installed[@]}"; do
  dpkg-query -s "$name" >>"$root/var/lib/dpkg/status" 2>/dev/null || continue
  echo >>"$root/var/lib/dpkg/status"
  # What is a directory is made by what lies in it.
  dpkg-query -L "$name" | while IFS= read -r file; do
    if [[ -f $file || -L $file ]] && [[ ! -d $file || -L $file ]]; then printf '%s\n' "${file#/}"; fi
  done | { grep -vE '^usr/share/(doc|man|locale|info)/' || true; } \
    | tar -C / --no-recursion -cf - -T - | tar -C "$root" -xf -
  cp /var/lib/dpkg/info/"$name".list /var/lib/dpkg/info/"$name":*.list "$root/var/lib/dpkg/info/" 2>/dev/null || true
done
printf 'root:x:0:0::/root:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\n' >"$root/etc/group"
ldconfig -r "$root"
dpkg --root="$root" --no-triggers --install "$package"
