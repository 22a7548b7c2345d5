// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Symbols that the code between clone3(2) and execve(2) links.
@Suite(.waiting) struct ChildObjectTests {
  /// The files whose functions all run in the host's memory.
  static let files = [
    "Broker", "Child", "ExtensionChild", "Filters", "Helper", "InitChild", "MountTable", "Root",
  ]

  /// Two functions that a compiler may call for an assignment; they access no other memory.
  static let allowed: Set = ["memcpy", "memset"]

  @Test(arguments: files)
  func `code that runs in the memory of the host calls nothing of the C library`(file: String) throws {
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    let stream = try #require(popen("nm '\(built)/CSandboxEntry.build/\(file).c.o'", "r"))
    var text: [UInt8] = []
    while case let next = fgetc(stream), next != EOF { text.append(UInt8(next)) }
    try #require(pclose(stream) == 0)
    let symbols = String(decoding: text, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ")
    }
    // Optimized code may have no undefined symbols, but must have its own.
    try #require(symbols.contains { $0.dropFirst().first == "T" && $0.last?.hasPrefix("darkroom_") == true })
    for symbol in symbols where symbol.first == "U" {
      let name = String(symbol.last ?? "")
      #expect(name.hasPrefix("darkroom_") || Self.allowed.contains(name), "\(name)")
    }
  }

  @Test func `the host code calls the C library (control)`() throws {
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    #expect(system("nm -u '\(built)/CSandboxEntry.build/Launch.c.o' | grep -q mmap") == 0)
  }
}
