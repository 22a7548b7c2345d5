// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// A command that makes the real host run a sandboxed extension.
enum HostCommand: String, Sendable {
  /// `darkroom exec` with a program that does not use the protocol.
  case exec
  /// `darkroom run` with an installed extension that reads and changes the app context.
  case run

  /// The program of `exec`. It reports after it has written its file.
  private static let programPath = "mkdir /session/in; echo whole >/session/in/a.txt; echo said"

  /// The extension of `run`. It reports each step after it is done.
  private static let `extension` = #"""
    #!/bin/sh
    in='' out='' number=3
    IFS=:
    for name in ${LISTEN_FDNAMES:-}; do
      case $name in host-in) in=$number ;; host-out) out=$number ;; esac
      number=$((number + 1))
    done
    unset IFS
    IFS= read -r line <&"$in" || exit 9
    id=${line#*\"id\":}; id=${id%%,*}
    mkdir /session/in; echo whole >/session/in/a.txt
    case $line in *'"appContext":{"is":"old"}'*) echo told >&2 ;; esac
    printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}\n' "$id" >&"$out"
    printf '{"jsonrpc":"2.0","id":1,"method":"context/update","params":{"context":{"is":"new"}}}\n' >&"$out"
    while IFS= read -r line <&"$in"; do
      case $line in
      *'"id":1,"result"'*) echo set >&2; break ;;
      *'"id":1,"error"'*) echo refused >&2; break ;;
      esac
    done
    echo said >&2

    """#

  /// Shell functions; `$p` is the test directory and `$b` the directory of the programs. `prepare` creates a
  /// root with one delivered session. `host` runs the command with the given prefix.
  var shellFunctions: String {
    switch self {
    case .exec:
      """
      host() { "$@" "$b/darkroom" --root "$p/t/root" exec --app org.example.camera -- sh -c '\(Self.programPath)'; }
      # Two: what the last but one has left is written over by the next.
      prepare() { "$b/darkroom" --root "$p/t/root" exec --app org.example.camera -- true && host; }

      """
    case .run:
      """
      host() { "$@" "$b/darkroom" --root "$p/t/root" run org.example.camera.capture; }
      context() { "$b/darkroom" --root "$p/t/root" context set org.example.camera '{"is":"old"}'; }
      prepare() { "$b/darkroom" --root "$p/t/root" install "$p-bundle" && context && host && context; }

      """
    }
  }

  /// The first call of a migration on the session's library directory. With `run`, the directory is already
  /// open.
  var firstMigrationCall: String {
    switch self {
    case .exec: "openat"
    case .run: "getdents64"
    }
  }

  /// Checks other than those of the content. `$c` is the exit code of the host.
  var checkScript: String {
    switch self {
    case .exec: ""
    case .run:
      """
      is=$("$b/darkroom" --root "$p/t/root" context get org.example.camera | tr -d ' \n')
      case $is in '{"is":"new"}') ;; '{"is":"old"}') ! grep -q '^set$' "$p/said" ;; *) false ;; esac \
        || { echo "the context is $is"; r=1; }
      [ "$c" != 0 ] || grep -q '^told$' "$p/said" || { echo "the extension did not receive the context"; r=1; }
      [ "$c" != 0 ] || grep -qE '^(set|refused)$' "$p/said" || { echo "the request of the extension was not answered"; r=1; }

      """
    }
  }

  /// Writes the bundle that `prepare` installs.
  func writeBundle(_ path: String) throws {
    let inner = "\(path)/Extensions/Capture"
    try FileSystem.makeDirectories(inner, mode: 0o755)
    let manifest =
      #"{"id":"org.example.camera.capture","name":"Capture","executable":"capture.sh","protocol":"1","policy":"capture"}"#
    for (name, text, mode) in [
      ("\(path)/app.json", #"{"id":"org.example.camera","name":"Camera"}"#, UInt32(0o644)),
      ("\(inner)/extension.json", manifest, 0o644), ("\(inner)/capture.sh", Self.extension, 0o755),
    ] {
      try FileSystem.replaceContents(name, with: Array(text.utf8), mode: mode)
    }
  }
}
