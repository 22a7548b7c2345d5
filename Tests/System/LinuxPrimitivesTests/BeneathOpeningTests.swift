// SPDX-License-Identifier: Apache-2.0

import CLinux
import Synchronization
import TestSupport
import Testing

@testable import LinuxPrimitives

/// Path resolution below a directory without openat2(2); the kernel's resolution is the oracle.
@Suite(.timeLimit(.minutes(5))) struct BeneathOpeningTests {
  /// The result of opening a path: a file, or an error.
  private enum Outcome: Equatable {
    case file(inode: UInt64, access: Int32)
    case error(Errno)
  }

  /// Runs a check with a temporary directory that contains files, links and other kinds of entries.
  private func withTree(_ body: (String, Int32) throws -> Void) throws {
    let top = "/tmp/darkroom-beneath-\(Randomness.hexadecimal(bytes: 8))"
    defer { try? FileSystem.removeTree(top) }
    try FileSystem.makeDirectories("\(top)/inside/a/b")
    try FileSystem.makeDirectory("\(top)/outside")
    for path in ["outside/secret", "inside/file", "inside/a/file", "inside/a/b/file"] {
      try FileSystem.replaceContents("\(top)/\(path)", with: Array(path.utf8))
    }
    for (path, target) in [
      ("inside/link", "file"), ("inside/way", "a"), ("inside/out", "../outside"), ("inside/nowhere", "none"),
      ("inside/a/up", ".."), ("inside/absolute", "\(top)/inside/file"), ("inside/loop", "loop"),
      ("inside/escape", "a/../../outside/secret"),
    ] { try FileSystem.makeSymbolicLink("\(top)/\(path)", to: target) }
    try #require(mkfifo("\(top)/inside/fifo", 0o600) == 0)
    let directory = try FileSystem.open("\(top)/inside", [.directory])
    try body(top, directory.rawValue)
  }

  private static let paths = [
    "", ".", "./", "/", "..", "../outside/secret", "file", "file/", "file/x", "./file", "a", "a/", "a//file",
    "a/b/file",
    "a/./b/file", "a/../file", "none", "a/none", "none/x", "link", "link/", "way", "way/", "way/file", "a/up",
    "a/up/file",
    "out", "out/secret", "nowhere", "absolute", "loop", "fifo", "/etc/passwd",
    String(repeating: "x", count: 300),
    String(repeating: "a/../", count: 4),
  ]

  private static let flags: [OpenFlags] = [
    [.nonBlocking], [.nonBlocking, .noFollow], [.path], [.path, .noFollow], [.directory],
    [.directory, .noFollow],
    [.path, .directory], [.path, .directory, .noFollow], [.readWrite, .nonBlocking, .noFollow],
  ]

  private func outcome(_ open: () throws(SystemCallError) -> Descriptor) throws -> Outcome {
    do {
      let file = try open()
      let access = darkroom_fcntl(file.rawValue, F_GETFL, 0) & (O_ACCMODE | O_PATH)
      return .file(inode: try file.status().inode, access: access)
    } catch { return .error(error.errno) }
  }

  @Test func `resolves paths with the same results and errors as openat2`() throws {
    try withTree { _, directory in
      for path in Self.paths {
        let text = Array(path.utf8CString)
        for flags in Self.flags {
          let expected = try outcome { () throws(SystemCallError) in
            try BeneathOpening.open(text, below: directory, flags)
          }
          let found = try outcome { () throws(SystemCallError) in
            try BeneathOpening.walk(text, below: directory, flags)
          }
          // The kernel permits `..` below the directory; this implementation rejects it because no caller
          // needs it.
          let leadsUp = path.split(separator: "/").contains("..")
          #expect(found == (leadsUp ? .error(.crossDevice) : expected), "\(path.prefix(40)) \(flags)")
        }
      }
    }
  }

  @Test func `does not enter another mount`() throws {
    // /proc is on a different device on every machine.
    let top = try FileSystem.open("/", [.directory])
    let path = Array("proc/version".utf8CString)
    let error = #expect(throws: SystemCallError.self) {
      try BeneathOpening.walk(path, below: top.rawValue, [.nonBlocking]).release()
    }
    #expect(error?.errno == .crossDevice)
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can mount"), arguments: ["a", "file"])
  func `does not enter a bind mount of the same file system, like openat2`(covered: String) throws {
    try withTree { top, directory in
      try FileSystem.makeDirectory("\(top)/outside/a")
      try FileSystem.replaceContents("\(top)/outside/file", with: [1])
      try runShell("mount --bind '\(top)/outside/\(covered)' '\(top)/inside/\(covered)'")
      defer { try? runShell("umount --lazy '\(top)/inside/\(covered)'") }
      for path in ["a", "a/file", "file"] {
        for flags in Self.flags {
          let text = Array(path.utf8CString)
          let expected = try outcome { () throws(SystemCallError) in
            try BeneathOpening.open(text, below: directory, flags)
          }
          let found = try outcome { () throws(SystemCallError) in
            try BeneathOpening.walk(text, below: directory, flags)
          }
          #expect(found == expected, "\(path) \(flags)")
          #expect((found == .error(.crossDevice)) == path.hasPrefix(covered), "\(path) \(flags)")
        }
      }
    }
  }

  /// Exchanges two names repeatedly until stopped, and counts the exchanges.
  private final class Exchanger: Sendable {
    private let isStopped = Mutex(false)
    let count = Mutex(0)

    func start(_ one: String, _ other: String) throws -> PlainThread {
      try PlainThread.start(name: "exchanger") {
        while !self.isStopped.withLock({ $0 }) {
          guard (try? FileSystem.rename(one, to: other, .exchange)) != nil else { return }
          self.count.withLock { $0 += 1 }
        }
      }
    }

    func stop() { isStopped.withLock { $0 = true } }
  }

  @Test(arguments: [
    // A directory and a link that leads outside, in the middle and at the end of a path; a file and such a
    // link.
    ("a", "out", "a/file"), ("a", "out", "a"), ("file", "escape", "file"), ("a/b", "out", "a/b/file"),
  ])
  func `never opens a file outside while names are exchanged during the lookup`(
    one: String,
    other: String,
    path: String
  ) throws {
    try withTree { top, directory in
      // The target of the link has files with the opened names.
      try FileSystem.replaceContents("\(top)/outside/file", with: Array("secret".utf8))
      let text = Array(path.utf8CString)
      let exchanger = Exchanger()
      let thread = try exchanger.start("\(top)/inside/\(one)", "\(top)/inside/\(other)")
      var (opened, refused) = (0, 0)
      let deadline = MonotonicClock.now + 10_000_000_000
      while (opened < 300 || refused < 100) && MonotonicClock.now < deadline {
        do {
          let file = try BeneathOpening.walk(text, below: directory, [.nonBlocking])
          let place = try FileSystem.linkTarget("/proc/self/fd/\(file.rawValue)")
          #expect(place.hasPrefix("\(top)/inside/"), "\(place)")
          if try file.status().kind == .regular {
            #expect(try file.readAll(limit: 64) != Array("secret".utf8))
          }
          opened += 1
        } catch let error as SystemCallError {
          #expect([Errno.tooManyLinks, .notADirectory, .noSuchFile].contains(error.errno), "\(error)")
          refused += 1
        }
      }
      exchanger.stop()
      thread.join()
      // Both outcomes of the race occurred.
      #expect(opened > 0 && refused > 0 && exchanger.count.withLock { $0 } > 100)
    }
  }
}
