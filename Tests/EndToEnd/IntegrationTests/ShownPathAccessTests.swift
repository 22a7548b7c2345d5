// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of shown files that the session's user cannot access. The user of root's sessions owns no files.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ShownPathAccessTests {
  /// Returns the path of a directory and file with the given modes, owned by root.
  private func directory(_ home: TestHome, _ mode: UInt32, file: UInt32 = 0o644) throws -> String {
    let path = home.file("shown-\(String(mode, radix: 8))-\(String(file, radix: 8))")
    try FileSystem.makeDirectory(path)
    try FileSystem.replaceContents("\(path)/file", with: Array("text\n".utf8))
    try #require(chmod("\(path)/file", file) == 0 && chmod(path, mode) == 0)
    return path
  }

  private func exec(_ home: TestHome, _ options: [String], _ words: [String]) throws -> Command.Result {
    try home.darkroom("exec", ["--app", TestHome.app] + options + ["--"] + words)
  }

  @Test(
    .enabled(if: TestUser.hasRoot),
    arguments: [0o700, 0o750, 0o755, 0o711, 0o704, 0o005, 0o775] as [UInt32]
  )
  func `reports a shown directory only if the session cannot read it`(mode: UInt32)
    throws
  {
    let home = try TestHome(.root)
    let path = try directory(home, mode)
    let inside = "/container" + path
    let script = "ls \(inside) >/dev/null 2>&1 && cat \(inside)/file 2>/dev/null; true"
    let result = try exec(home, ["--read-only", path], ["sh", "-c", script])
    // The kernel's decision is the expected result.
    let isReadable = result.text == "text\n"
    #expect(result.code == 0 && isReadable == (mode & 0o5 == 5), "\(result.text)\(result.errors)")
    let notice =
      "darkroom: \(path) (mode \(String(mode, radix: 8))) cannot be read in the session: the session's UID is neither its "
      + "owner nor in its group; run 'chmod o+rx \(path)', or show a copy\n"
    #expect(result.errors == (isReadable ? "" : notice))
  }

  /// The kernel shows a directory of another file system than the host's root by a mount of its own.
  @Test(.enabled(if: TestUser.hasRoot), arguments: ["short", String(repeating: "l", count: 240)])
  func `a session cannot read an inaccessible directory of another file system`(name: String) throws {
    try withSmallDisk(.root) { home in
      let path = "\(home.root)-\(name)"
      let words = ["cat", "/container\(path)/file"]
      try FileSystem.makeDirectory(path)
      try FileSystem.replaceContents("\(path)/file", with: Array("text\n".utf8))
      try #require(chmod("\(path)/file", 0o644) == 0)
      for mode in [0o700, 0o755, 0o701] as [mode_t] {
        try #require(chmod(path, mode) == 0)
        let result = try exec(home, ["--read-only", path], words)
        let text = mode & 0o1 == 0 ? "" : "text\n"
        #expect(result.text == text, "mode \(String(mode, radix: 8)): \(result.text)\(result.errors)")
      }
    }
  }

  @Test(.enabled(if: TestUser.hasRoot))
  func `warns of unreadable files in a shown directory, and names the first`() throws {
    let home = try TestHome(.root)
    let path = try directory(home, 0o755, file: 0o600)
    let once = try exec(home, ["--read-only", path], ["true"])
    #expect(once.code == 0)
    #expect(once.errors.contains("\(path)/file (mode 600) cannot be read in the session"), "\(once.errors)")
    #expect(!once.errors.contains("more in"))
    try FileSystem.makeDirectory("\(path)/closed", mode: 0o700)
    let twice = try exec(home, ["--read-only", path], ["true"])
    #expect(twice.errors.contains("(and 1 more in \(path))"), "\(twice.errors)")
  }

  @Test(.enabled(if: TestUser.hasRoot))
  func `a directory above a shown one may be inaccessible`() throws {
    let home = try TestHome(.root)
    let above = try directory(home, 0o700)
    try FileSystem.makeDirectory("\(above)/shown", mode: 0o755)
    try FileSystem.replaceContents("\(above)/shown/file", with: Array("text\n".utf8), mode: 0o644)
    let words = ["cat", "/container\(above)/shown/file"]
    let result = try exec(home, ["--read-only", "\(above)/shown"], words)
    #expect(result.text == "text\n" && result.errors.isEmpty, "\(result.errors)")
  }

  @Test(.enabled(if: TestUser.hasRoot))
  func `refuses to launch a program that the session cannot execute`() throws {
    let home = try TestHome(.root)
    let program = home.file("program")
    try FileSystem.copyFile("/usr/bin/true", to: program, mode: 0o700)
    let result = try exec(home, [], [program])
    #expect(result.code == 126)
    for words in ["\(program) (mode 700) cannot be executed", "run 'chmod o+x \(program)'"] {
      #expect(result.errors.contains(words), "\(result.errors)")
    }
    try #require(chmod(program, 0o701) == 0)
    #expect(try exec(home, [], [program]).code == 0)
  }

  @Test(.enabled(if: TestUser.hasRoot))
  func `reports a directory that the user cannot read either`() throws {
    let home = try TestHome(.regular)
    let path = try directory(home, 0o700)
    let result = try exec(home, ["--read-only", path], ["true"])
    #expect(result.code == 0)
    #expect(result.errors.contains("\(path) (mode 700) cannot be read in the session or by this user"))
    try home.giveOwnership(path)
    #expect(try exec(home, ["--read-only", path], ["true"]).errors == "")
  }

  @Test(arguments: TestUser.available)
  func `reports nothing about the paths of the shipped policies`(user: TestUser) throws {
    let home = try TestHome(user)
    for policy in ["base", "capture"] {
      #expect(try exec(home, ["--policy", policy], ["true"]).errors == "")
    }
  }
}
