// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import CaptureHost

/// The process census, on processes of the tests.
@Suite struct TreeCensusTests {
  /// Runs a check on the process tree of a shell; a sandbox is not needed.
  private func withTree(_ line: String, _ body: (Int32) throws -> Void) throws {
    let tree = try ShellTree(line)
    try body(tree.process)
  }

  @Test func `descendants are counted whatever they are called, and so are those without a parent`() throws {
    let name = "a) S 1 (b"
    let line = """
      cd "$(mktemp -d)"; cp /bin/sleep '\(name)'; './\(name)' 100 & ( (exec -a deep sleep 100) & sleep 100 ) & \
      sleep 0.3; echo ready; wait
      """
    try withTree(line) { process in
      let census = TreeCensus.take(below: process)
      #expect(census.missed == 0)
      #expect(census.members.count == 5, "\(census.members)")
      #expect(census.tasks == 5)
      #expect(census.anonymous > 0)
    }
  }

  @Test func `memory that forked processes share is counted once when it matters`() throws {
    // Python allocates 64 MiB and forks four times without writing to the copies.
    let line = """
      python3 -c 'import os,time
      x=bytearray(64<<20)
      for i in range(4):
        if os.fork()==0: time.sleep(100)
      print("ready",flush=True); time.sleep(100)'
      """
    try withTree(line.split(separator: "\n").joined(separator: "\n")) { process in
      var memory = TreeMemory(hasSockets: false)
      let census = TreeCensus.take(below: process)
      #expect(memory.atMost(census) > 5 * 64 << 20)
      let exact = memory.exactly(census)
      #expect(exact > 64 << 20 && exact < 2 * 64 << 20, "\(exact)")
    }
  }

  @Test func `memory files that nobody maps are counted`() throws {
    let line = """
      python3 -c 'import os,time
      f=os.memfd_create("x"); os.write(f, bytes(32<<20))
      g=os.dup(f)
      if os.fork()==0: time.sleep(100)
      print("ready",flush=True); time.sleep(100)'
      """
    var memory = TreeMemory(hasSockets: false)
    try withTree(line) { process in
      let census = TreeCensus.take(below: process)
      let exact = memory.exactly(census)
      #expect(exact > 32 << 20 && exact < 2 * 32 << 20, "\(exact)")
      #expect(memory.atMost(census) > 32 << 20)
    }
  }

  @Test func `a process that does not exist is missed and nothing else happens`() {
    let census = TreeCensus.take(below: Int32.max)
    #expect(census.missed == 1)
    #expect(census.members.isEmpty && census.tasks == 0)
  }
}
