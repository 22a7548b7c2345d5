// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// Files that are written over reserved space.
@Suite final class ReservedWriteTests {
  private let directory = "/tmp/darkroom-reserved-\(Randomness.hexadecimal(bytes: 8))"
  private var reserved: String { "\(directory)/reserved" }
  private var file: String { "\(directory)/file" }

  init() throws { try FileSystem.makeDirectory(directory) }

  deinit { try? FileSystem.removeTree(directory) }

  private func setAside() throws {
    try FileSystem.open(reserved, [.write, .create]).allocate(bytes: 1 << 16, path: reserved)
  }

  private func write(_ text: String, _ use: FileSystem.ReservedUse) throws {
    try FileSystem.replaceContents(file, writtenOver: reserved, use) { (file) throws(SystemCallError) in
      try file.writeAll(Array(text.utf8))
    }
  }

  @Test func `exchanges the old file with the reserved one if freeing its space would block`() throws {
    try setAside()
    // No file existed before.
    try write("first", .exchanged)
    #expect(try FileSystem.names(in: directory) == ["file"])
    try setAside()
    try write("second", .exchanged)
    #expect(try FileSystem.contents(file) == Array("second".utf8))
    #expect(try FileSystem.contents(reserved) == Array("first".utf8))
  }

  @Test(arguments: [FileSystem.ReservedUse.durable, .exchanged, .temporary])
  func `writes the content over the reserved space without leftovers of an earlier attempt`(
    _ use: FileSystem.ReservedUse
  ) throws {
    try setAside()
    // An attempt that failed before the rename.
    try FileSystem.open(reserved, [.write]).writeAll(Array("something longer".utf8))
    try write("short", use)
    #expect(try FileSystem.contents(file) == Array("short".utf8))
    #expect(try FileSystem.names(in: directory) == ["file"])
  }

  @Test(arguments: [FileSystem.ReservedUse.durable, .temporary])
  func `a file releases the reserved space that it does not use`(_ use: FileSystem.ReservedUse) throws {
    try setAside()
    try write("short", use)
    #expect(try #require(try FileSystem.status(file)).allocated < 1 << 16)
  }
}
