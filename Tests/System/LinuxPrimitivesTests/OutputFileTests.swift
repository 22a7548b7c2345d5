// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Synchronization
import Testing

@Suite final class OutputFileTests {
  private let directory = "/tmp/darkroom-output-\(Randomness.hexadecimal(bytes: 8))"

  init() throws { try FileSystem.makeDirectory(directory) }

  deinit { try? FileSystem.removeTree(directory) }

  private func write(_ name: String, _ text: String) throws {
    let file = OutputFile("\(directory)/\(name)")
    try file.check()
    try file.write(Array(text.utf8), mode: 0o644)
  }

  private func text(_ name: String) throws -> String? {
    try FileSystem.contents("\(directory)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  private func link(_ name: String, to target: String) { symlink(target, "\(directory)/\(name)") }

  @Test func `creates or replaces a file and leaves no temporary file`() throws {
    try write("a", "first, and long")
    try write("a", "second")
    #expect(try text("a") == "second" && FileSystem.names(in: directory) == ["a"])
  }

  @Test func `replaces a symbolic link and leaves its target unchanged`() throws {
    try write("secret", "not to be overwritten")
    link("a", to: "secret")
    link("b", to: "nowhere")
    try write("a", "1")
    try write("b", "2")
    #expect(try text("secret") == "not to be overwritten" && text("a") == "1" && text("b") == "2")
    #expect(try FileSystem.status("\(directory)/a")?.kind == .regular)
  }

  @Test func `writes to a device without replacing it`() throws {
    // The test uses a link, so that a bug cannot replace the device of the machine.
    link("null", to: "/dev/null")
    try write("null", "gone")
    #expect(try FileSystem.linkTarget("\(directory)/null") == "/dev/null")
    #expect(try FileSystem.open("/dev/null", [.path]).status().kind == .characterDevice)
    if geteuid() == 0 {
      // Root can create a device (null is 1:3). If this is not permitted, the link above suffices.
      guard mknod("\(directory)/own", S_IFCHR | 0o666, 1 << 8 | 3) == 0 else { return }
      try write("own", "gone")
      #expect(try FileSystem.status("\(directory)/own")?.kind == .characterDevice)
    }
  }

  @Test func `writes to a named pipe with a reader and fails without one`() throws {
    #expect(mkfifo("\(directory)/pipe", 0o600) == 0)
    #expect(throws: OutputFileError.noReader("\(directory)/pipe")) { try self.write("pipe", "x") }
    let reader = try FileSystem.open("\(directory)/pipe", [.read, .nonBlocking])
    try write("pipe", "to whom it may concern")
    var bytes = [UInt8](repeating: 0, count: 64)
    let outcome = try bytes.withUnsafeMutableBytes { room throws(SystemCallError) in
      try reader.read(into: room)
    }
    #expect(outcome == .bytes(22))
    #expect(try FileSystem.status("\(directory)/pipe")?.kind == .fifo)
  }

  @Test func `appends to a descriptor path, including through links`() throws {
    let file = try FileSystem.open("\(directory)/a", [.write, .create])
    try file.writeAll(Array("before ".utf8))
    link("first", to: "/proc/self/fd/\(file.rawValue)")
    link("second", to: "first")
    try OutputFile("/proc/self/fd/\(file.rawValue)").write(Array("1".utf8), mode: 0o644)
    try write("first", "2")
    try write("second", "3")
    // Another holder of the descriptor continues after the written text.
    try file.writeAll(Array(" after".utf8))
    #expect(try text("a") == "before 123 after")
    #expect(try FileSystem.names(in: directory) == ["a", "first", "second"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `refuses a pipe of another user and replaces a link of another user`() throws {
    #expect(mkfifo("\(directory)/pipe", 0o666) == 0 && lchown("\(directory)/pipe", 65534, 65534) == 0)
    let reader = try FileSystem.open("\(directory)/pipe", [.read, .nonBlocking])
    #expect(throws: OutputFileError.foreignPipe("\(directory)/pipe", owner: 65534)) {
      try self.write("pipe", "private")
    }
    _ = consume reader
    for target in ["/dev/null", "pipe"] {
      link("link", to: target)
      #expect(lchown("\(directory)/link", 65534, 65534) == 0)
      try write("link", "private")
      #expect(try FileSystem.status("\(directory)/link")?.kind == .regular)
      try FileSystem.unlink("\(directory)/link")
    }
  }

  /// A link may replace the name of a pipe between the check and the open.
  @Test func `does not write through a link that replaces a pipe during the open`() throws {
    try write("secret", "as it was")
    let directory = directory
    #expect(mkfifo("\(directory)/pipe", 0o600) == 0)
    let reader = try FileSystem.open("\(directory)/pipe", [.read, .nonBlocking])
    let isOver = Mutex(false)
    let swapping = try PlainThread.start(name: "swapping") {
      while !isOver.withLock(\.self) {
        Glibc.link("\(directory)/pipe", "\(directory)/next")
        rename("\(directory)/next", "\(directory)/results")
        symlink("secret", "\(directory)/next")
        rename("\(directory)/next", "\(directory)/results")
      }
    }
    for _ in 0..<3000 { try? write("results", "x") }
    isOver.withLock { $0 = true }
    swapping.join()
    _ = consume reader
    #expect(try text("secret") == "as it was")
  }

  @Test func `reports an unwritable path in advance and leaves nothing`() throws {
    try FileSystem.makeDirectory("\(directory)/d")
    link("to-d", to: "d")
    #expect(mknod("\(directory)/socket", S_IFSOCK | 0o600, 0) == 0)
    for (name, words) in [
      ("d", "d is a directory, "), ("to-d", "to-d is a directory, "), ("socket", "socket is a socket, "),
      ("none/a", "(ENOENT); name a file in an existing directory"),
    ] {
      let file = OutputFile("\(directory)/\(name)")
      let checked = #expect(throws: OutputFileError.self) { try file.check() }
      let written = #expect(throws: OutputFileError.self) { try file.write([1], mode: 0o644) }
      for error in [checked, written] {
        #expect(error?.description.contains(words) == true, "\(name): \(error as Any)")
      }
    }
    #expect(try FileSystem.names(in: directory) == ["d", "socket", "to-d"])
  }
}
