// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// What the command is made of: whatever it is linked with, every start pays for.
@Suite struct LinkedModulesTests {
  private let program: [UInt8]

  init() throws {
    // Beside the tests, because the copies that other tests run have no names in them any more.
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    program = try FileSystem.contents("\(built)/darkroom", limit: 1 << 30) ?? []
  }

  /// Whether a text is somewhere in the program.
  private func has(_ text: String) -> Bool { ByteSearch.first(Array(text.utf8), in: program) != nil }

  /// The sample is built beside the command, and what that is made of must not be linked with both. Names of modules are
  /// preceded by their length in the names of all that is in them.
  @Test(arguments: [
    "19LockedCameraCapture", "12CaptureImage", "20FoundationEssentials", "_dispatch_root_queues",
  ])
  func `nothing that only extensions need is in the command`(name: String) {
    #expect(!has(name))
  }

  @Test(arguments: ["libstdc++.so.6", "libgcc_s.so.1"])
  func `what Swift's runtime needs of C++ is in the command`(library: String) {
    #expect(!has("\0\(library)\0"))
  }

  @Test(arguments: ["16DarkroomCommands", "11CaptureHost", "\0libseccomp.so.2\0"])
  func `what is in the command is found`(name: String) { #expect(has(name)) }
}
