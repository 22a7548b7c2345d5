// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// The C library's side of extensions, with a host that implements only the written protocol, without a
/// sandbox.
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

  @Test func `waits for events continue after signals, and end if interrupted`() throws {
    try play("signals", "\(try BuiltLibrary.shared.get().directory)/sanitized/signals")
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
      nm -D --defined-only --with-symbol-versions libdarkroom.so.0 | awk '$2 == "T" {print "function", $3}' \\
        | LC_ALL=C sort >abi
      '\(library.sanitizedProgram)' sizes >>abi
      '\(library.sanitizedClient)' sizes >>abi
      sanitized/manage sizes >>abi
      grep -v '^#' '\(Self.directory)/abi.txt' | diff - abi
      readelf -d libdarkroom.so.0 | sed -nE 's/.*\\((NEEDED|SONAME)\\).*\\[(.*)\\]/\\1 \\2/p' >dynamic
      printf '%s\\n' 'NEEDED libc.so.6' 'SONAME libdarkroom.so.0' | diff - dynamic
      """
    )
  }

  @Test func `the manual pages, the documents and the symbol map name all functions of the headers`() throws {
    let library = try BuiltLibrary.shared.get()
    try runShell(
      """
      cd '\(PackageDirectory.path)/Sources/SDK/CDarkroom'
      export LC_ALL=C
      for part in darkroom darkroom-host darkroom-manage; do
        declared='\(library.directory)'/declared-$part
        sed -nE 's/^DARKROOM_API .*[ *](darkroom_[a-z_]+)\\(.*/\\1/p' include/$part.h | sort >"$declared"
        sed -nE 's/^\\.Nm (darkroom_[a-z_]+)( ,)?$/\\1/p' $part.3 | sort | diff "$declared" -
        sed -nE 's/^\\.Fn (darkroom_[a-z_]+) ".*/\\1/p' $part.3 | sort | diff "$declared" -
      done
      sort '\(library.directory)'/declared-* >'\(library.directory)/declared'
      sed -nE 's/^ +(darkroom_[a-z_]+);$/\\1/p' libdarkroom.map | sort | diff '\(library.directory)/declared' -
      cd '\(PackageDirectory.path)/Sources/Darkroom.docc'
      # The documents describe the functions after the examples.
      sed -n '/^## Session/,$p' Reference/CSDK.md | grep -oE 'darkroom_[a-z_]+\\(' | tr -d '(' | sort -u \\
        | diff '\(library.directory)/declared-darkroom' -
      sed -n '/^## Functions/,$p' Guides/HostFromC.md | grep -oE 'darkroom_host[a-z_]+\\(' | tr -d '(' \\
        | sort -u >'\(library.directory)/described'
      sort '\(library.directory)/declared-darkroom-host' '\(library.directory)/declared-darkroom-manage' \\
        | diff - '\(library.directory)/described'
      """
    )
  }

  @Test func `the library has a function for each method of the server`() throws {
    try runShell(
      """
      cd '\(PackageDirectory.path)/Sources/SDK/CDarkroom'
      unused=$(sed -nE 's/^#define (DK_METHOD_[A-Z_]+) .*/\\1/p' host_interface.h | while read -r method; do
        grep -qw "$method" *.c || echo "$method"
      done)
      # Only darkroom_host_call() returns the description of the server.
      [ "$unused" = DK_METHOD_RPC_DISCOVER ]
      """
    )
  }

  @Test func `the examples of the manual pages and documents are the template and HostDemo`() throws {
    let library = try BuiltLibrary.shared.get()
    try runShell(
      """
      cd '\(PackageDirectory.path)'
      # Compares the code of a manual page and of a document with a source after its first comments.
      compare() {
        sed -n '/^#include/,$p' "$1" >'\(library.directory)/example'
        sed -n '/^\\.Bd/,/^\\.Ed/p' Sources/SDK/CDarkroom/$2 | grep -v '^\\.' | sed 's/\\\\e/\\\\/g' \\
          | diff '\(library.directory)/example' -
        sed -n '/^```c$/,/^```$/p' Sources/Darkroom.docc/$3 | grep -v '^```' \\
          | diff '\(library.directory)/example' -
      }
      compare Sources/Workshop/ExtensionTemplates/Files/capture.c.template darkroom.3 Reference/CSDK.md
      compare Plugins/HostDemo/host.c darkroom-host.3 Guides/HostFromC.md
      """
    )
  }

  @Test func `the headers are valid C11 and C++11`() throws {
    try runShell(
      """
      cd '\(PackageDirectory.path)/Sources/SDK/CDarkroom'
      for header in include/*.h; do
        cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c $header
      done
      program='#include "darkroom-manage.h"
      int main() { darkroom_event event = DARKROOM_EVENT_INIT; darkroom_frame frame = DARKROOM_FRAME_INIT;
        darkroom_error error = DARKROOM_ERROR_INIT; darkroom_host_event next = DARKROOM_HOST_EVENT_INIT;
        darkroom_host_launch_options options = DARKROOM_HOST_LAUNCH_OPTIONS_INIT;
        darkroom_host_storage_limits limits = DARKROOM_HOST_STORAGE_LIMITS_INIT;
        return event.size + frame.size + error.size + next.size + options.size + limits.size == 0; }'
      for compiler in c++ clang++; do
        command -v $compiler >/dev/null || continue
        echo "$program" | $compiler -std=c++11 -Wall -Wpedantic -Werror -Iinclude -fsyntax-only -x c++ -
      done
      """
    )
  }
}
