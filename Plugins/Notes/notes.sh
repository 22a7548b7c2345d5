#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Appends the time to a file at each press of the shutter button. It uses the protocol with read and printf.
set -u

# The names of the inherited descriptors, in order from 3 (sd_listen_fds(3)).
host_in='' host_out='' number=3
IFS=:
for name in ${LISTEN_FDNAMES:-}; do
  case $name in
  host-in) host_in=$number ;;
  host-out) host_out=$number ;;
  esac
  number=$((number + 1))
done
unset IFS
if [ "${LISTEN_PID:-}" != $$ ] || [ -z "$host_in" ] || [ -z "$host_out" ]; then
  echo "notes.sh: this program must be started by a host; install it and use darkroom run" >&2
  exit 2
fi

say() {
  printf '%s\n' "$1" >&"$host_out"
}

# The ID of a request: the text between the first "id": and the next comma.
id_of() {
  id=${1#*\"id\":}
  id=${id%%,*}
}

start() {
  id_of "$1"
  versions=${1#*\"protocolVersions\":\[}
  case ",${versions%%\]*}," in
  *,1,*) ;;
  *)
    say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":4004,\"message\":\"only version 1 is supported\",\"data\":{\"spoken\":[1]}}}"
    exit 1
    ;;
  esac
  session=${1#*\"sessionDirectory\":\"}
  session=${session%%\"*}
  say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":1}}"
  say '{"jsonrpc":"2.0","id":1,"method":"capture/subscribe","params":{}}'
}

note() {
  printf '%s a press of the shutter\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >>"$session/notes.txt" &&
    say '{"jsonrpc":"2.0","method":"log","params":{"level":"info","message":"noted"}}'
}

# The loop ends at the end of the input from the host.
while IFS= read -r line <&"$host_in"; do
  case $line in
  '{"jsonrpc":"2.0","id":'*',"method":"session/start","params":{"protocolVersions":'*) start "$line" ;;
  '{"jsonrpc":"2.0","method":"capture/event","params":{"button":"primary","phase":"began"'*) note ;;
  '{"jsonrpc":"2.0","method":"session/willDismiss"'*) exit 0 ;;
  '{"jsonrpc":"2.0","id":'*',"method":"'*)
    id_of "$line"
    say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32601,\"message\":\"unknown method\"}}"
    ;;
  '{"jsonrpc":"2.0","id":'*',"error":'*) printf 'notes.sh: the host refused a request: %s\n' "$line" >&2 ;;
  esac
done
