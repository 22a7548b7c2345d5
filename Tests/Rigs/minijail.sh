#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# minijail.sh FOLDER: makes a folder with the libminijail of Debian's unstable distribution, and with the libraries that it
# needs, from the mirror that apt uses here; Debian 12 has no minijail. Quick when the folder is there. Nothing is installed
# on this machine. Takes some seconds and 30 MB; needs apt-get and dpkg-deb, and no rights.
set -euo pipefail
folder=${1:?usage: minijail.sh FOLDER}
[[ -e $folder/libminijail.so.1 ]] && exit 0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2016 # apt fills it in
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Created-By: Packages' | head -n 1)
[[ -n $mirror ]] || { echo "minijail.sh: apt knows no mirror of Debian here" >&2; exit 69; }
mkdir -p "$scratch"/{lists,archives}/partial "$scratch"/{packages,tree}
echo "deb $mirror sid main" >"$scratch/sources.list"
# The lists of another distribution, apart from those of this machine; their signature is checked as ever.
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
# A whole folder at once: a run that is interrupted leaves none.
chmod 755 "$libraries"
cp -a "$libraries" "$folder.new"
mv "$folder.new" "$folder"
