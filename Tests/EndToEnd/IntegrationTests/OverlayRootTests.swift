// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of a state root on an overlay of several file systems, as on live media and in some containers:
/// files there have other device numbers than their directories.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestUser.hasRoot), .waiting) struct OverlayRootTests {
  @Test func `migrates content completely from an overlay file system`() throws {
    let home = try TestHome(.root)
    // The mounts disappear with their namespace.
    let script = """
      set -e
      mkdir low high whole
      mount -t tmpfs tmpfs low
      mount -t tmpfs tmpfs high
      mkdir high/up high/work
      mount -t overlay overlay -o lowerdir=low,upperdir=high/up,workdir=high/work whole
      touch whole/probe
      test "$(stat -c %d whole)" != "$(stat -c %d whole/probe)" || { echo 'the numbers are one' >&2; exit 99; }
      "$@"
      cat whole/root/apps/*/container/SessionContent/*/deep/kept
      find whole/root/apps/*/quarantine -type f 2>/dev/null || true
      ls whole/root/sessions whole/root/trash
      """
    let arguments = [
      "/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "sh", home.programs.darkroom, "exec", "--root",
      home.file("whole/root"), "--app", TestHome.app, "--", "sh", "-c",
      "mkdir /session/deep; echo whole >/session/deep/kept",
    ]
    let result = try home.start(arguments).end()
    #expect(result.code == 0, "\(result.errors)")
    #expect(!result.errors.contains("quarantined"), "\(result.errors)")
    #expect(result.text.hasPrefix("whole\n"), "\(result.text)")
  }
}
