#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Creates the root of a minimal Debian system and installs a package there.
#
#   clean_root.sh DIRECTORY PACKAGE.deb [NAME…]
#
# The system contains the files of the direct and indirect dependencies of PACKAGE, of the essential shell and tools, and of
# the packages NAME…. The files and their dpkg records are copied from this machine. dpkg refuses the package if it needs
# anything else, and its programs do not find files of undeclared dependencies. Requires root.

set -euo pipefail
exec </dev/null
if (($# < 2)) || [[ ! -f $2 ]]; then
  echo "clean_root.sh: give a directory and the file of a package: clean_root.sh DIRECTORY PACKAGE.deb [NAME…]" >&2
  exit 2
fi
root=$1 package=$2
shift 2
readonly root package

mkdir -p "$root"
# Replaces dependency lists with package names: the first of alternatives, without versions.
names() { sed -E 's/[|(][^,]*//g; s/:[a-z]+//g; s/[, ]+/ /g'; }

# The direct dependencies of each installed package, and its name for dpkg-query. Packages for other architectures, which can
# have the same names, are left out.
declare -A needs full
native=$(dpkg --print-architecture)
# shellcheck disable=SC2016 # dpkg-query expands these names, not the shell
while IFS=$'\t' read -r architecture name kind list; do
  [[ $architecture == "$native" || $architecture == all ]] || continue
  needs[$name]=$list full[$name]=$name
  # dpkg(1) adds the architecture to the names of these packages.
  if [[ $kind == kind-same ]]; then full[$name]=$name:$architecture; fi
done < <(dpkg-query -W -f '${Architecture}\t${Package}\tkind-${Multi-Arch}\t${Pre-Depends},${Depends}\n' | names)

# Prints the names of the given packages and of all their installed dependencies.
closure() {
  local -A seen=()
  local -a todo=("$@") next
  local name
  while ((${#todo[@]})); do
    name=${todo[-1]}
    unset 'todo[-1]'
    # A name can be a virtual package that other packages provide.
    if [[ -v seen[$name] || ! -v needs[$name] ]]; then continue; fi
    seen[$name]=yes
    read -ra next <<<"${needs[$name]}"
    todo+=("${next[@]}")
  done
  for name in "${!seen[@]}"; do printf '%s\n' "${full[$name]}"; done
}

read -rd '' -a wanted < <(dpkg-deb -f "$package" Pre-Depends Depends | sed -E 's/^[A-Za-z-]+: //' | names) || true
mapfile -t installed < <(closure "${wanted[@]}" base-files dash coreutils "$@" | sort)

# Symbolic links to directories come first, so that files are placed in the target directories.
for name in bin lib lib64 sbin; do
  if [[ -L /$name ]]; then mkdir -p "$root/usr/$name" && ln -sfn "usr/$name" "$root/$name"; fi
done
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/root"
dpkg-query -s "${installed[@]}" >"$root/var/lib/dpkg/status"
# Directories are not copied, because tar creates them for their files.
dpkg-query -L "${installed[@]}" | while IFS= read -r file; do
  if [[ -f $file || -L $file ]] && [[ ! -d $file || -L $file ]]; then printf '%s\n' "${file#/}"; fi
done | { grep -vE '^usr/share/(doc|man|locale|info)/' || true; } | sort -u \
  | tar -C / --no-recursion -cf - -T - | tar -C "$root" -xf -
for name in "${installed[@]}"; do
  cp /var/lib/dpkg/info/"$name".list /var/lib/dpkg/info/"$name":*.list "$root/var/lib/dpkg/info/" 2>/dev/null || true
done
printf 'root:x:0:0::/root:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\n' >"$root/etc/group"
ldconfig -r "$root"
dpkg --root="$root" --no-triggers --install "$package"
