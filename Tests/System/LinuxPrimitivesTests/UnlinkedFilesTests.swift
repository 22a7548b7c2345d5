// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@Suite struct UnlinkedFilesTests {
  @Test func `recognizes a mapped unlinked file in a maps line`() throws {
    let line =
      "7f21b40a8000-7f21b40a9000 r--p 00000000 fe:00 4718610                    /session/a b (deleted)"
    let mapping = try #require(DeletedMapping(line: Array(line.utf8)[...]))
    #expect(mapping.device == "fe:00")
    #expect(mapping.inode == 4_718_610)
    #expect(mapping.name == "7f21b40a8000-7f21b40a9000")
  }

  @Test func `omits leading zeros of the address from the name of a mapping`() throws {
    let line = "00400000-00401000 r--p 00000000 00:2a 7 /x (deleted)"
    #expect(try #require(DeletedMapping(line: Array(line.utf8)[...])).name == "400000-401000")
  }

  @Test(arguments: [
    "", " (deleted)", "7f21b40a8000-7f21b40a9000 r--p 00000000 fe:00 4718610 /session/a",
    "7f21b40a8000-7f21b40a9000 rw-p 00000000 00:00 0", "7f21b40a8000 r--p 00000000 fe:00 4 /a (deleted)",
    "7f21b40a8000-7f21b40a9000 rw-p 00000000 00:00 0 /a (deleted)", "a-b r--p 0 fe:00 x /a (deleted)",
  ])
  func `rejects maps lines of other memory`(line: String) {
    #expect(DeletedMapping(line: Array(line.utf8)[...]) == nil)
  }

  @Test func `counts an open file from its unlinking on, and while it is mapped`() throws {
    // tmpfs does not reuse inode numbers. On a disk, a file of a concurrent test can reuse the number of a
    // removed file.
    let path = "/dev/shm/darkroom-nameless-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(path)
    defer { try? FileSystem.removeTree(path) }
    let mark = try FileSystemIdentity(of: path)
    #expect(try FileSystem.open(path, [.directory]).entryNames() == [])

    let file = try FileSystem.open("\(path)/file", [.readWrite, .create])
    try file.writeAll([UInt8](repeating: 1, count: 100_000))
    let inode = try file.status().inode
    #expect(scan(mark).bytes[inode] == nil)
    try FileSystem.unlink("\(path)/file")
    #expect(try scan(mark).bytes[inode] == file.status().allocated)
    #expect(try file.status().allocated >= 100_000)
    let keeper = try #require(scan(mark).holders[inode])
    #expect(keeper.process == CurrentProcess.processID && keeper.path(of: inode) == "\(path)/file")
    // The descriptor number may then refer to another file.
    #expect(keeper.path(of: inode + 1) == nil)

    let mapping = try Mapping(file, length: 4096, .read)
    let allocated = try file.status().allocated
    _ = consume file
    let mapped = scan(mark)
    // An unprivileged user can see the mapped file, but not its size.
    #expect(mapped.bytes[inode] == allocated || mapped.unsized.contains(inode))
    if CurrentProcess.effectiveUserID != 0 { #expect(mapped.unsized.contains(inode)) }
    #expect(mapped.holders[inode]?.path(of: inode) == (mapped.bytes[inode] == nil ? nil : "\(path)/file"))
    _ = consume mapping
    let end = scan(mark)
    #expect(end.bytes[inode] == nil && !end.unsized.contains(inode))
  }

  @Test func `caches the identity of a file system for all of its directories`() throws {
    let path = "/tmp/darkroom-nameless-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(path)/deeper")
    defer { try? FileSystem.removeTree(path) }
    let mark = try FileSystemIdentity(of: path)
    #expect(try FileSystemIdentity.cached(of: path) == mark)
    #expect(try FileSystemIdentity.cached(of: "\(path)/deeper") == mark)
    #expect(throws: SystemCallError.self) { try FileSystemIdentity.cached(of: "\(path)/nowhere") }
    // A tmpfs has a different identity.
    let other = try FileSystemIdentity.cached(of: "/dev/shm")
    #expect(try other == FileSystemIdentity(of: "/dev/shm"))
    #expect(other != mark)
  }

  private func scan(_ mark: FileSystemIdentity) -> UnlinkedFiles {
    var files = UnlinkedFiles()
    guard let facts = ProcessFacts(CurrentProcess.processID) else {
      Issue.record("this process is not in /proc")
      return files
    }
    #expect(facts.addOpenFiles(on: mark, to: &files) == .complete)
    #expect(facts.addMappedFiles(on: mark, to: &files) == .complete)
    return files
  }

  @Test func `a file open in one process and mapped in another has the observed size`() {
    var one = UnlinkedFiles()
    one.unsized = [1, 2]
    var other = UnlinkedFiles()
    other.bytes = [2: 5, 3: 7]
    one.add(other)
    #expect(one.unsized == [1])
    other.bytes = [3: 6]
    one.add(other)
    #expect(one.bytes == [2: 5, 3: 7])
  }
}
