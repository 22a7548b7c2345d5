// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@Suite struct UnfinishedFileTests {
  private let directory = "/tmp/darkroom-unfinished-\(Randomness.hexadecimal(bytes: 8))"

  init() throws { try FileSystem.makeDirectory(directory) }

  private func end() { try? FileSystem.removeTree(directory) }

  @Test func `removes only files that an exited writer has left`() throws {
    defer { end() }
    for name in ["a.json.new.0123456789ab", ".new-0123456789ab", "a.json", "a.new.json", ".new.0123456789ab"]
    {
      _ = try FileSystem.open("\(directory)/\(name)", [.write, .create])
    }
    try UnfinishedFile.removeAbandoned(in: directory)
    #expect(try FileSystem.names(in: directory) == [".new.0123456789ab", "a.json", "a.new.json"])
    try UnfinishedFile.removeAbandoned(in: "\(directory)/not-there")
  }

  @Test func `keeps a file that is being written`() throws {
    defer { end() }
    let path = UnfinishedFile.path(replacing: "\(directory)/a.json")
    guard let file = try UnfinishedFile.make(path) else {
      Issue.record("the unfinished file already exists")
      return
    }
    try UnfinishedFile.removeAbandoned(in: directory)
    #expect(try FileSystem.names(in: directory) == [FileSystem.lastComponent(path)])
    _ = consume file
    try UnfinishedFile.removeAbandoned(in: directory)
    #expect(try FileSystem.names(in: directory) == [])
  }

  @Test func `a renamed file is unlocked even if another process shares its open file`() throws {
    defer { end() }
    let path = "\(directory)/a.json"
    // A descriptor that a concurrently forked process still has before execve(2).
    var shared: Descriptor?
    try FileSystem.replaceContents(path) { (file) throws(SystemCallError) in
      try file.writeAll([1, 2, 3])
      shared = try file.duplicate()
    }
    let isShared = shared != nil
    let isFree = try FileLock.claimExisting(path) != nil
    _ = consume shared
    #expect(isShared && isFree)
  }

  @Test func `concurrent cleanup does not disturb writers`() async throws {
    defer { end() }
    let directory = directory
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          #expect(throws: Never.self) {
            for _ in 0..<200 { try FileSystem.replaceContents("\(directory)/\(writer)", with: [1, 2, 3]) }
          }
        }
      }
      group.addTask {
        #expect(throws: Never.self) {
          for _ in 0..<600 { try UnfinishedFile.removeAbandoned(in: directory) }
        }
      }
    }
    #expect(try FileSystem.names(in: directory) == ["0", "1", "2"])
  }
}
