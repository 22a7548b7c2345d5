// SPDX-License-Identifier: Apache-2.0

import CLinux
import Testing

@testable import LinuxPrimitives

/// Renames without replacement that do not use the flags of renameat2(2).
@Suite struct RenamingTests {
  private func withDirectory(_ body: (String) throws -> Void) throws {
    let path = "/tmp/darkroom-renaming-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(path)
    defer { try? FileSystem.removeTree(path) }
    try body(path)
  }

  /// The names of the two methods.
  private static let methods = ["unused", "contended"]

  private func move(_ old: String, to new: String, _ method: String) throws(SystemCallError) {
    let renaming = Renaming(
      from: Array(old.utf8CString),
      in: AT_FDCWD,
      to: Array(new.utf8CString),
      in: AT_FDCWD
    )
    if method == "unused" { try renaming.moveToUnusedName() } else { try renaming.moveToContendedName() }
  }

  @Test(arguments: methods)
  func `moves a file, a link and a directory to an unused name`(method: String) throws {
    try withDirectory { root in
      try FileSystem.replaceContents("\(root)/file", with: [1])
      try FileSystem.makeSymbolicLink("\(root)/link", to: "nowhere")
      try FileSystem.makeDirectories("\(root)/directory/inside")
      for name in ["file", "link", "directory"] {
        let before = try FileSystem.status("\(root)/\(name)")
        try move("\(root)/\(name)", to: "\(root)/new-\(name)", method)
        let after = try FileSystem.status("\(root)/new-\(name)")
        #expect(before?.inode == after?.inode && after?.kind == before?.kind && after?.links == before?.links)
        #expect(try FileSystem.status("\(root)/\(name)") == nil)
      }
    }
  }

  @Test(arguments: methods, ["file", "directory", "empty", "link", "fifo"])
  func `moves nothing if the target exists`(method: String, taken: String) throws {
    try withDirectory { root in
      switch taken {
      case "file": try FileSystem.replaceContents("\(root)/new", with: [2])
      case "directory": try FileSystem.makeDirectories("\(root)/new/inside")
      case "empty": try FileSystem.makeDirectory("\(root)/new")
      case "link": try FileSystem.makeSymbolicLink("\(root)/new", to: "nowhere")
      default: try #require(mkfifo("\(root)/new", 0o600) == 0)
      }
      let before = try FileSystem.status("\(root)/new")
      try FileSystem.replaceContents("\(root)/file", with: [1])
      try FileSystem.makeDirectory("\(root)/directory")
      for old in ["file", "directory"] {
        let error = #expect(throws: SystemCallError.self) {
          try move("\(root)/\(old)", to: "\(root)/new", method)
        }
        #expect(error?.errno == .fileExists)
        #expect(try FileSystem.status("\(root)/\(old)") != nil)
      }
      #expect(try FileSystem.status("\(root)/new")?.inode == before?.inode)
    }
  }

  @Test(arguments: methods)
  func `rejects a missing source and a move of a directory into itself`(method: String) throws {
    try withDirectory { root in
      try FileSystem.makeDirectory("\(root)/directory")
      for (old, new, expected) in [
        ("none", "new", Errno.noSuchFile), ("directory", "none/new", .noSuchFile),
        ("directory", "directory/new", .invalidArgument),
      ] {
        let error = #expect(throws: SystemCallError.self) {
          try move("\(root)/\(old)", to: "\(root)/\(new)", method)
        }
        #expect(error?.errno == expected, "\(old) -> \(new)")
      }
    }
  }

  @Test func `does not replace a contended name that another process takes first`() throws {
    try withDirectory { root in
      // Both threads race for the same name; each round has one winner, and both contents survive.
      for round in 0..<200 {
        let (mine, other) = ("\(root)/mine-\(round)", "\(root)/other-\(round)")
        try FileSystem.replaceContents(mine, with: [1])
        try FileSystem.replaceContents(other, with: [2])
        let target = "\(root)/target-\(round)"
        let thread = try PlainThread.start(name: "rival") {
          try? FileSystem.rename(other, to: target, .noReplace)
        }
        try? move(mine, to: target, "contended")
        thread.join()
        let left = [mine, other].filter { ((try? FileSystem.status($0)) ?? nil) != nil }
        #expect(left.count == 1, "round \(round): \(left)")
        #expect(try FileSystem.contents(target) == (left == [mine] ? [2] : [1]))
      }
    }
  }
}
