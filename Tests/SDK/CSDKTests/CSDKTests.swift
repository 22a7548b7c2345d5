// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// The C library for extensions, with a host that implements only the written protocol, without a sandbox.
@Suite(.timeLimit(.minutes(20)), .waiting) struct CSDKTests {
  /// The directory of the tests.
  private static let directory = "\(PackageDirectory.path)/Tests/SDK/CSDKTests"

  /// Runs a scenario of the test program with the Python host.
  private func play(_ scenario: String, _ program: String) throws {
    try runShell("/usr/bin/python3 -I '\(Self.directory)/host.py' \(scenario) '\(program)'")
  }

  @Test(
    arguments: [
      "requests", "events", "frames", "sound", "errors", "closed", "garbage", "long", "version", "ring",
    ]
  )
  func `the library and the host exchange the documented messages, frames and sound`(scenario: String) throws
  {
    try play(scenario, try BuiltLibrary.shared.get().sanitizedProgram)
  }

  @Test func `a program with the shared library receives the same`() throws {
    try play("frames", try BuiltLibrary.shared.get().sharedProgram)
  }

  @Test func `mutated messages and rings of the host cause no undefined behavior`() throws {
    let library = try BuiltLibrary.shared.get()
    try runShell(
      """
      cd '\(library.directory)'
      # The examples of all messages; the first one is session/start.
      sed -n '/^## From the host to the extension/,/^## Frame ring/p' \\
        '\(PackageDirectory.path)/Sources/Darkroom.docc/Reference/Protocol.md' | grep '^{"jsonrpc"' >corpus
      [ "$(wc -l <corpus)" -ge 60 ]
      [ "$('\(library.sanitizedProgram)' fuzz corpus 4000)" = 'opened 1' ]
      """
    )
  }

  @Test func `JSON values are found by their path, independent of the locale`() throws {
    let library = try BuiltLibrary.shared.get()
    try runShell(
      """
      LC_ALL=C.UTF-8 '\(library.sanitizedProgram)' json >'\(library.directory)/json'
      diff - '\(library.directory)/json' <<'END'
      0 xé😀
      -9
      -6
      -6
      0 -25
      -6
      0 1
      -6 -6
      0 -6
      -6 -6
      -6
      END
      """
    )
  }

  @Test func `a program that no host has started receives an error with a fix`() throws {
    let library = try BuiltLibrary.shared.get()
    try runShell(
      """
      cd '\(library.directory)'
      wanted="-1 0 'the program must be started by a host; install its app and use 'darkroom run''"
      [ "$(env -u LISTEN_PID '\(library.sanitizedProgram)' requests)" = "$wanted" ]
      # A child of an extension inherits the variables, which are not meant for it.
      variables='LISTEN_PID=1 LISTEN_FDS=2 LISTEN_FDNAMES=host-in:host-out'
      [ "$(env $variables '\(library.sanitizedProgram)' requests)" = "$wanted" ]
      """
    )
  }

  @Test func `the shared library has the recorded functions and sizes, and needs only the C library`() throws
  {
    let library = try BuiltLibrary.shared.get()
    try runShell(
      """
      cd '\(library.directory)'
      nm -D --defined-only --with-symbol-versions libdarkroom.so.0 | awk '$2 == "T" {print "function", $3}' | sort >abi
      '\(library.sanitizedProgram)' sizes >>abi
      grep -v '^#' '\(Self.directory)/abi.txt' | diff - abi
      readelf -d libdarkroom.so.0 | sed -nE 's/.*\\((NEEDED|SONAME)\\).*\\[(.*)\\]/\\1 \\2/p' >dynamic
      printf '%s\\n' 'NEEDED libc.so.6' 'SONAME libdarkroom.so.0' | diff - dynamic
      """
    )
  }

  @Test func `the manual page, the reference and the symbol map name all functions of the header`() throws {
    let library = try BuiltLibrary.shared.get()
    try runShell(
      """
      cd '\(PackageDirectory.path)/Sources/SDK/CDarkroom'
      declared='\(library.directory)/declared'
      sed -nE 's/^DARKROOM_API .*[ *](darkroom_[a-z_]+)\\(.*/\\1/p' include/darkroom.h | sort >"$declared"
      sed -nE 's/^ +(darkroom_[a-z_]+);$/\\1/p' libdarkroom.map | diff "$declared" -
      sed -nE 's/^\\.Nm (darkroom_[a-z_]+)( ,)?$/\\1/p' darkroom.3 | sort | diff "$declared" -
      sed -nE 's/^\\.Fn (darkroom_[a-z_]+) ".*/\\1/p' darkroom.3 | sort | diff "$declared" -
      sed -n '/^## Session/,$p' '\(PackageDirectory.path)/Sources/Darkroom.docc/Reference/CSDK.md' \\
        | grep -oE 'darkroom_[a-z_]+\\(' | tr -d '(' | sort -u | diff "$declared" -
      # The example is the program of the template.
      template='\(PackageDirectory.path)/Sources/Workshop/ExtensionTemplates/Files/capture.c.template'
      sed -n '/^#include/,$p' "$template" >'\(library.directory)/example'
      sed -n '/^```c$/,/^```$/p' '\(PackageDirectory.path)/Sources/Darkroom.docc/Reference/CSDK.md' | grep -v '^```' \\
        | diff '\(library.directory)/example' -
      sed -n '/^\\.Bd/,/^\\.Ed/p' darkroom.3 | grep -v '^\\.' | sed 's/\\\\e/\\\\/g' | diff '\(library.directory)/example' -
      """
    )
  }

  @Test func `the header is valid C11 and C++11`() throws {
    try runShell(
      """
      cd '\(PackageDirectory.path)/Sources/SDK/CDarkroom'
      cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c include/darkroom.h
      program='#include "darkroom.h"
      int main() { darkroom_event event = DARKROOM_EVENT_INIT; darkroom_frame frame = DARKROOM_FRAME_INIT;
        darkroom_error error = DARKROOM_ERROR_INIT; return event.size + frame.size + error.size == 0; }'
      for compiler in c++ clang++; do
        command -v $compiler >/dev/null || continue
        echo "$program" | $compiler -std=c++11 -Wall -Wpedantic -Werror -Iinclude -fsyntax-only -x c++ -
      done
      """
    )
  }
}

/// The C library and its test program, compiled once for all tests.
private struct BuiltLibrary {
  /// The programs of this test run.
  static let shared = Result { try BuiltLibrary() }

  /// The directory of the results.
  let directory: String
  /// The test program, with the library and the sanitizers of the compiler, if it has any.
  var sanitizedProgram: String { "\(directory)/sanitized" }
  /// The test program that loads the shared library.
  var sharedProgram: String { "\(directory)/shared" }

  private init() throws {
    directory = "/tmp/darkroom-c-sdk-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory, mode: 0o755)
    atexit {
      if case .success(let library) = BuiltLibrary.shared { try? FileSystem.removeTree(library.directory) }
    }
    let tests = "\(PackageDirectory.path)/Tests/SDK/CSDKTests"
    try runShell(
      """
      cd '\(directory)'
      sources='\(PackageDirectory.path)/Sources/SDK/CDarkroom'
      "$sources/build-library" . "$PWD" "$PWD"
      mkdir include && cp "$sources/include/darkroom.h" include
      flags=$(PKG_CONFIG_PATH=. pkg-config --cflags --libs darkroom)
      cc -std=c11 -Wall -Wextra -Werror -o shared '\(tests)/program.c' $flags "-Wl,-rpath,$PWD"
      sanitizers='-g -fsanitize=address,undefined -fno-sanitize-recover=all'
      echo 'int main(void) { return 0; }' | cc $sanitizers -x c -o probe - && ./probe || sanitizers=
      mkdir objects
      for source in "$sources"/*.c '\(tests)/program.c'; do
        cc -std=c11 -D_GNU_SOURCE -O1 $sanitizers -Wall -Wextra -Werror -Iinclude -c -o "objects/${source##*/}.o" "$source"
      done
      cc $sanitizers -o sanitized objects/*.o
      """
    )
  }
}
