// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the import check of the architecture layers ("floors", `.ci/floors`).
@Suite(.waiting) struct FloorTests {
  /// Imports that the check must reject: a file, the import, and the reported reason.
  private static let refused = [
    (
      "Sources/Store/SessionStore/Files/Trash.swift", "internal import CaptureHost",
      "Store may not import CaptureHost, a module of Host"
    ),
    (
      "Sources/SDK/LockedCameraCapture/Views/State.swift", "@testable import SessionStore",
      "SDK may not import SessionStore, a module of Store"
    ),
    (
      "Sources/Policy/PolicyLint/Planted.swift", "import struct Glibc.stat",
      "Policy holds values only and may not import Glibc"
    ),
    (
      "Sources/Sandbox/SandboxLaunch/Planted.swift", "  package import DarkroomCommands",
      "Sandbox may not import DarkroomCommands, a module of Command"
    ),
  ]

  @Test func `rejects imports from a higher architecture layer with the file, the line and the reason`()
    throws
  {
    let copy = try TemporaryCopy()
    for (file, line, _) in Self.refused {
      try runShell("cd '\(copy.path)' && printf '\\n%s\\n' '\(line)' >>\(file)")
    }
    try runShell("cd '\(copy.path)' && ! .ci/floors >said")
    let output = String(decoding: try #require(try FileSystem.contents("\(copy.path)/said")), as: UTF8.self)
    for (file, _, reason) in Self.refused {
      #expect(output.contains(try Regex("(?m)^\(file):[0-9]+: \(reason)$")), "\(output)")
    }
    #expect(output.split(separator: "\n").count == Self.refused.count, "\(output)")
  }

  @Test func `accepts the current tree, and rejects a stale diagram and an unknown argument`() throws {
    let copy = try TemporaryCopy()
    try runShell(
      """
      cd '\(copy.path)'
      .ci/floors
      ! .ci/floors --drawn 2>said
      grep -F "unknown argument '--drawn'" said
      echo >>Sources/Darkroom.docc/Resources/modules.svg
      ! .ci/floors >said
      grep -F 'run .ci/floors --draw' said
      .ci/floors --draw
      .ci/floors
      """
    )
  }

  /// A temporary copy of the sources that the check reads.
  private final class TemporaryCopy {
    let path = "/tmp/darkroom-floors-\(Randomness.hexadecimal(bytes: 8))"

    init() throws {
      try runShell(
        "mkdir -p '\(path)/.ci' && cd '\(SourceTree.path)' && cp .ci/floors '\(path)/.ci' && cp -r Package.swift Sources '\(path)'"
      )
    }

    deinit { try? FileSystem.removeTree(path) }
  }
}
