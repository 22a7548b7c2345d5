// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@Suite struct FileSystemTests {
  /// Runs a check with a temporary directory.
  private func withDirectory(_ body: (String) throws -> Void) throws {
    let path = "/tmp/darkroom-files-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(path)
    defer { try? FileSystem.removeTree(path) }
    try body(path)
  }

  @Test func `removes a directory tree`() throws {
    try withDirectory { root in
      try FileSystem.makeDirectories("\(root)/a/b/c")
      try FileSystem.replaceContents("\(root)/a/b/file", with: [1])
      try FileSystem.removeTree("\(root)/a")
      #expect(try FileSystem.status("\(root)/a") == nil)
    }
  }

  @Test func `does not open a path above the directory`() throws {
    try withDirectory { root in
      try FileSystem.makeDirectory("\(root)/inside")
      try FileSystem.replaceContents("\(root)/secret", with: [1])
      let inside = try FileSystem.open("\(root)/inside", [.directory])
      let error = #expect(throws: SystemCallError.self) {
        try FileSystem.openBeneath(inside, "../secret", .read).release()
      }
      #expect(error?.errno == .crossDevice)
    }
  }

  @Test func `reads at most the requested number of names of a large directory`() throws {
    try withDirectory { directory in
      for number in 0..<20 { try FileSystem.makeDirectory("\(directory)/\(number)") }
      let open = try FileSystem.open(directory, [.directory])
      #expect(try open.entryNames(atMost: 7).count == 7)
      #expect(try open.entryNames(atMost: 0).isEmpty)
      #expect(try open.entryNames().count == 20)
    }
  }

  @Test func `a rename without replacement fails if the target exists`() throws {
    try withDirectory { root in
      try FileSystem.replaceContents("\(root)/old", with: [1])
      try FileSystem.replaceContents("\(root)/new", with: [2])
      let error = #expect(throws: SystemCallError.self) {
        try FileSystem.rename("\(root)/old", to: "\(root)/new", .noReplace)
      }
      #expect(error?.errno == .fileExists)
      #expect(try FileSystem.contents("\(root)/new") == [2])
    }
  }

  @Test func `a lock excludes others until its holder releases it`() throws {
    try withDirectory { root in
      /// Whether the lock is available.
      func isFree() throws -> Bool {
        switch try FileLock.tryLock("\(root)/lock") {
        case .some: true
        case .none: false
        }
      }
      do {
        let held = try FileLock.lock("\(root)/lock")
        #expect(try !isFree())
        _ = held
      }
      #expect(try isFree())
    }
  }

  @Test func `a watched directory reports created and removed names`() throws {
    try withDirectory { root in
      let watch = try DirectoryWatch(root)
      try FileSystem.makeDirectory("\(root)/x")
      try FileSystem.removeDirectory("\(root)/x")
      #expect(try watch.changes() == [.appeared("x"), .disappeared("x")])
    }
  }
}
