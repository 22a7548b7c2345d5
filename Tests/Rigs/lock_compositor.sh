#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lock_compositor.sh FOLDER: creates a folder with the sway of Debian 13, from the mirror that apt uses. It supports
# ext-session-lock-v1, which the sway of Debian 12 does not. Takes half a minute and 500 MB; requires root, mmdebstrap and
# bubblewrap. Then run: DARKROOM_LOCK_COMPOSITOR=FOLDER swift test --filter LockScreen
set -euo pipefail
folder=${1:?usage: lock_compositor.sh FOLDER}
command -v mmdebstrap >/dev/null || { echo "mmdebstrap is missing; install it" >&2; exit 69; }
command -v bwrap >/dev/null || { echo "bwrap is missing; install bubblewrap" >&2; exit 69; }
# shellcheck disable=SC2016 # apt expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Created-By: Packages' | head -n 1)
[[ -n $mirror ]] || { echo "lock_compositor.sh: no mirror of Debian in apt's sources" >&2; exit 69; }
mmdebstrap --quiet --variant=apt --include=sway trixie "$folder" "$mirror"
chmod 755 "$folder"
