// SPDX-License-Identifier: Apache-2.0

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

  @Test func `a process that is not below the session's init is a stranger, who has got one of its numbers`()
    throws
  {
    try withFile { tree, mark, _ in
      let found = ProcessFacts(tree.process)?.namespaceDepth
      let depth = try #require(found)
      let census = NamelessCensus.take(below: tree.process, on: mark, depth: depth + 1)
      #expect(census.files == NamelessFiles() && !census.isHidden)
    }
  }
}
