// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the modules that are linked into `darkroom`, which determine its startup time.
@Suite struct LinkedModulesTests {
  private let executable: [UInt8]

  init() throws {
    // The program in the build directory: the copies of other tests are stripped.
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    executable = try FileSystem.contents("\(built)/darkroom", limit: 1 << 30) ?? []
  }

  /// Returns whether the program contains a text.
  private func contains(_ text: String) -> Bool { ByteSearch.first(Array(text.utf8), in: executable) != nil }

  /// The sample extension is built in the same package, and its modules must not be linked into the command.
  /// Mangled Swift symbols contain the module name after its length.
  @Test(arguments: [
    "19LockedCameraCapture", "12CaptureImage", "20FoundationEssentials", "_dispatch_root_queues",
  ])
  func `the command does not contain modules and libraries that only extensions need`(name: String) {
    #expect(!contains(name))
  }

  @Test(arguments: ["libstdc++.so.6", "libgcc_s.so.1", "libseccomp.so.2", "libcap.so.2"])
  func `the command does not need shared libraries that are linked statically`(library: String) {
    #expect(!contains("\0\(library)\0"))
  }

  @Test(.enabled(if: TestPrograms.has("readelf")))
  func `the client of the command loads only the C library`() throws {
    try runShell(
      """
      cd '\(FileSystem.directoryName(try CurrentProcess.executablePath()))'
      needed=$(LC_ALL=C readelf --dynamic darkroom-client | sed -n 's/.*(NEEDED).*\\[\\(.*\\)\\]/\\1/p')
      [ "$needed" = libc.so.6 ]
      """
    )
  }

  @Test(arguments: ["16DarkroomCommands", "11CaptureHost", "\0libgcrypt.so.20\0"])
  func `the search finds modules that the command contains (control)`(name: String) {
    #expect(contains(name))
  }
}
