// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import PolicyInterchange
import SandboxEnforcement
import SandboxPolicy
import TestSupport
import Testing

/// Runs the exported bwrap(1) script.
@Suite(.timeLimit(.minutes(20))) struct BubblewrapScriptTests {
  /// Whether bubblewrap is installed and can create its namespaces.
  static let isBubblewrapUsable = system("bwrap --unshare-all --ro-bind / / true >/dev/null 2>&1") == 0

  @Test(.enabled(if: isBubblewrapUsable, "bubblewrap cannot make its namespaces here"))
  func `an exported script runs a program that sees only the paths of the policy`() throws {
    let policy = try shipped("base")
    let directory = "/tmp/darkroom-bwrap-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(directory)/session")
    defer { try? FileSystem.removeTree(directory) }
    let filter = try SeccompCompiler.compile(policy).instructions
    let script = try PolicyExport(policy, as: .bwrap, filter: filter, merging: .fixture).contents
    try FileSystem.replaceContents("\(directory)/base.bpf", with: filter)
    try FileSystem.replaceContents("\(directory)/base.sh", with: script)
    try FileSystem.replaceContents("\(directory)/secret", with: Array("secret".utf8))
    let run = "cd \(directory) && sh base.sh session"
    try runShell(
      "\(run) /bin/sh -c 'echo kept >/session/file && echo tmp >/tmp/file && test ! -e \(directory)'"
    )
    try runShell("test \"$(cat \(directory)/session/file)\" = kept")
    try runShell(
      "\(run) /bin/sh -c 'test \"$(ulimit -n)\" = 1024 && test -z \"$PWNED\" && test ! -e /etc/passwd'"
    )
    // unshare(2) fails with EPERM only if the filter is loaded.
    try runShell(
      "\(run) /bin/sh -c '! unshare --user true 2>/session/error' && grep -q permitted session/error"
    )
    try runShell(
      "\(run) /bin/sh -c '! echo x >/usr/file && ! echo x >/file && ! echo x >/etc/file' 2>/dev/null"
    )
  }

  @Test func `reports what bubblewrap lacks and a policy whose program cannot start`() throws {
    let base = try PolicyExport(shipped("base"), as: .bwrap, filter: [], merging: .fixture)
    #expect(base.losses.map(\.location).contains("landlock"))
    #expect(!base.losses.contains { $0.location == "execute" })
    let strict = try PolicyExport(shipped("strict"), as: .bwrap, filter: [], merging: .fixture)
    #expect(strict.losses.contains { $0.location == "execute" && $0.consequence == .stricter })
  }
}
