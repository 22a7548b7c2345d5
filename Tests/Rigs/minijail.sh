#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# minijail.sh FOLDER: creates a folder with libminijail of Debian unstable and the libraries that it needs, from the mirror
# that apt uses; Debian 12 has no minijail. Does nothing if the folder exists. Nothing is installed on this machine. Takes
# some seconds and 30 MB; requires apt-get and dpkg-deb, but no privileges.
set -euo pipefail
folder=${1:?usage: minijail.sh FOLDER}
[[ -e $folder/libminijail.so.1 ]] && exit 0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2016 # apt expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Created-By: Packages' | head -n 1)
[[ -n $mirror ]] || { echo "minijail.sh: no mirror of Debian in apt's sources" >&2; exit 69; }
mkdir -p "$scratch"/{lists,archives}/partial "$scratch"/{packages,tree}
echo "deb $mirror sid main" >"$scratch/sources.list"
# The package lists of unstable, separate from those of this machine; apt verifies their signature as usual.
apt=(
  apt-get -qq -o Dir::Etc::sourcelist="$scratch/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o Dir::State::lists="$scratch/lists" -o Dir::Cache="$scratch" -o Acquire::Check-Valid-Until=false
  -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3
)
"${apt[@]}" update
(cd "$scratch/packages" && "${apt[@]}" download libminijail1 libcap2 libc6)
for package in "$scratch"/packages/*.deb; do dpkg-deb -x "$package" "$scratch/tree"; done
libraries=$(dirname "$(find "$scratch/tree" -name libminijail.so.1 | head -n 1)")
mkdir -p "$(dirname "$folder")"
# The folder is renamed when it is complete, so that an interrupted run leaves none.
chmod 755 "$libraries"
cp -a "$libraries" "$folder.new"
mv "$folder.new" "$folder"
