// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of a state root on an overlay of several file systems, as on live media and in some containers:
/// files there have other device numbers than their directories.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Person.hasRoot), .waiting) struct OverlayRootTests {
  @Test func `what is captured is handed over from an overlay, whole`() throws {
    let place = try Place(.root)
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
    let words = [
      "/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "sh", place.programs.darkroom, "exec", "--root",
      place.file("whole/root"), "--app", Place.app, "--", "sh", "-c",
      "mkdir /session/deep; echo whole >/session/deep/kept",
    ]
    let result = try place.start(words).end()
    #expect(result.code == 0, "\(result.errors)")
    #expect(!result.errors.contains("not handed over"), "\(result.errors)")
    #expect(result.text.hasPrefix("whole\n"), "\(result.text)")
  }
}
