// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

@testable import CaptureHost

@Suite struct NamelessCensusTests {
  /// A process below a shell that keeps a file without a name; its bytes.
  private func withFile(_ check: (ShellTree, FileSystemMark, Int) throws -> Void) throws {
    let directory = try ScratchDirectory()
    let file = "\(directory.path)/gone"
    let tree = try ShellTree(
      "(exec 3>\(file); head -c 65536 /dev/zero >&3; rm \(file); echo there; exec sleep 1000) & wait"
    )
    try check(tree, try FileSystemMark(of: directory.path), 65536)
  }

  @Test func `a file that a process of the session keeps is counted`() throws {
    try withFile { tree, mark, bytes in
      let census = NamelessCensus.take(below: tree.process, on: mark)
      #expect(census.files.bytes.values.map(Int.init) == [bytes] && !census.isHidden)
    }
  }

  @Test func `a number that has become somebody else's is not counted`() throws {
    try withFile { tree, mark, bytes in
      let children = ProcessFacts(tree.process)?.children(of: tree.process)
      let child = try #require(children?.first)
      var census = NamelessCensus()
      // Its parent has a number that was one of the session's, but that is not below the session's init.
      census.look(at: [child], below: Int32.max, by: [Int32.max, tree.process], on: mark)
      #expect(census.files == NamelessFiles() && census.missed)
      census.look(at: [child], below: tree.process, by: [], on: mark)
      #expect(census.files.bytes.values.map(Int.init) == [bytes])
    }
  }
}
