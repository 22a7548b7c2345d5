// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@Suite struct DescriptorTests {
  @Test func `a pipe delivers pending bytes and then the end of file`() throws {
    var pipe: Pipe? = try Pipe.make()
    let reader = try pipe?.readEnd.duplicate()
    try pipe?.writeEnd.writeAll(Array("hello".utf8))
    pipe = nil
    #expect(try reader?.readAll(limit: 100) == Array("hello".utf8))
  }

  @Test func `the error of a failed call contains its name, path and errno`() {
    let error = #expect(throws: SystemCallError.self) {
      try FileSystem.open("/nowhere/at/all", .read).release()
    }
    #expect(error?.description == "openat /nowhere/at/all: No such file or directory (ENOENT)")
  }

  @Test func `a counter returns the added value and is empty afterwards`() throws {
    let counter = try EventCounter.make()
    try EventCounter.add(3, to: counter)
    #expect(try EventCounter.take(counter) == 3)
    #expect(try EventCounter.take(counter) == 0)
  }

  @Test func `a sealed memory file cannot be written`() throws {
    let file = try MemoryFile.makeSealed(name: "sealed", bytes: [1, 2, 3])
    let error = #expect(throws: SystemCallError.self) { try file.writeAll([4]) }
    #expect(error?.errno == .notPermitted)
    #expect(try file.readAll(limit: 10) == [1, 2, 3])
  }

  @Test func `waiting stops at the deadline`() throws {
    let pipe = try Pipe.make()
    let found = try Poller.wait([(pipe.readEnd.rawValue, .readable)], until: MonotonicClock.now + 1_000_000)
    #expect(found == [[]])
  }

  @Test func `formats timestamps according to RFC 3339`() {
    #expect(WallClock.text(milliseconds: 951_782_400_250) == "2000-02-29T00:00:00.250Z")
    #expect(WallClock.text(milliseconds: -1) == "1969-12-31T23:59:59.999Z")
    #expect(WallClock.text(milliseconds: -1000) == "1969-12-31T23:59:59.000Z")
    #expect(WallClock.text(milliseconds: .min) == "0000-01-01T00:00:00.000Z")
    #expect(WallClock.text(milliseconds: .max) == "9999-12-31T23:59:59.999Z")
  }
}
