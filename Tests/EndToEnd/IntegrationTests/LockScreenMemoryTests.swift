// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Tests for traces of keystrokes in the memory of the lock screen's processes.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: Compositor.canLock && TestPrograms.has("sway", "swaymsg", "grim", "wtype")),
  .waiting
)
struct LockScreenMemoryTests {
  /// An unused character and the name of its key.
  private static let (character, key) = ("\u{1F9FF}", "U1F9FF")

  /// Returns the number of occurrences of the character in the writable memory of a process.
  private static func traces(in process: Int32) throws -> Int {
    let wanted = Array(character.utf8)
    let maps = String(decoding: try #require(try FileSystem.contents("/proc/\(process)/maps")), as: UTF8.self)
    var (count, bytesRead) = (0, 0)
    for line in maps.split(separator: "\n") {
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      // Shared pictures are skipped; all private writable memory is searched.
      guard fields.count >= 5, fields[1].hasPrefix("rw-p") else { continue }
      let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      let bytes = RemoteMemory.read(thread: process, address: ends[0], count: Int(ends[1] - ends[0]))
      bytesRead += bytes.count
      for (index, byte) in bytes.enumerated() where byte == wanted[0] {
        if bytes[index...].starts(with: wanted) { count += 1 }
      }
    }
    try #require(bytesRead > 100_000)
    return count
  }

  @Test func `key presses leave no trace in memory after they are handed on`() throws {
    let compositor = try Compositor(
      width: LockedScreen.width,
      height: LockedScreen.height,
      supportsLocking: true
    )
    let locked = try LockedScreen(TestUser.available[0], compositor)
    try locked.awaitLockScreen()
    // Verifies that the search finds the character in this process.
    let own = Array("k30 \(Self.character)".utf8)
    #expect(try Self.traces(in: getpid()) > 0 && !own.isEmpty)
    let centre = LockedScreen.height * 2 / 5
    try locked.type("-k", Self.key) {
      try locked.compositor.screen().colour(LockedScreen.width / 2, centre) == [0xFF, 0xFF, 0xFF]
    }
    #expect(try Self.traces(in: locked.drawingProcess()) == 0)
    // Only the host keeps the answer, until it is used.
    #expect(try Self.traces(in: locked.command.process) == 1)
    try locked.type("-k", "Escape") {
      try locked.compositor.screen().colour(LockedScreen.width / 2, centre) == [0x48, 0x50, 0x58]
    }
    #expect(try Self.traces(in: locked.command.process) == 0)
  }
}
