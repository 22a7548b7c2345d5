// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

@testable import CaptureHost

/// The process census, on processes of the tests.
@Suite struct ProcessTreeCensusTests {
  /// Runs a check on the process tree of a shell; a sandbox is not needed.
  private func withProcessTree(_ line: String, _ body: (Int32) throws -> Void) throws {
    let tree = try ShellTree(line)
    try body(tree.process)
  }

  @Test func `counts descendants with unusual names and orphaned descendants`() throws {
    let name = "a) S 1 (b"
    let scratch = try ScratchDirectory()
    let line = """
      cd '\(scratch.path)'; cp /bin/sleep '\(name)'; './\(name)' 100 & ( (exec -a deep sleep 100) & sleep 100 ) & \
      sleep 0.3; echo ready; wait
      """
    try withProcessTree(line) { process in
      let census = ProcessTreeCensus.take(below: process)
      #expect(census.missedProcesses == 0)
      #expect(census.members.count == 5, "\(census.members)")
      #expect(census.tasks == 5)
      #expect(census.anonymous > 0)
    }
  }

  @Test func `counts memory shared by forked processes once in the exact measurement`() throws {
    // Python allocates 64 MiB and forks four times without writing to the copies.
    let line = """
      python3 -c 'import os,time
      x=bytearray(64<<20)
      for i in range(4):
        if os.fork()==0: time.sleep(100)
      print("ready",flush=True); time.sleep(100)'
      """
    try withProcessTree(line.split(separator: "\n").joined(separator: "\n")) { process in
      var memory = ProcessTreeMemory(hasSockets: false)
      let census = ProcessTreeCensus.take(below: process)
      #expect(memory.upperBound(census) > 5 * 64 << 20)
      let exact = memory.exactBytes(census)
      #expect(exact > 64 << 20 && exact < 2 * 64 << 20, "\(exact)")
    }
  }

  @Test func `counts memory files that are not mapped`() throws {
    let line = """
      python3 -c 'import os,time
      f=os.memfd_create("x"); os.write(f, bytes(32<<20))
      g=os.dup(f)
      if os.fork()==0: time.sleep(100)
      print("ready",flush=True); time.sleep(100)'
      """
    var memory = ProcessTreeMemory(hasSockets: false)
    try withProcessTree(line) { process in
      let census = ProcessTreeCensus.take(below: process)
      let exact = memory.exactBytes(census)
      #expect(exact > 32 << 20 && exact < 2 * 32 << 20, "\(exact)")
      #expect(memory.upperBound(census) > 32 << 20)
    }
  }

  @Test func `reports a nonexistent process as missed`() {
    let census = ProcessTreeCensus.take(below: Int32.max)
    #expect(census.missedProcesses == 1)
    #expect(census.members.isEmpty && census.tasks == 0)
  }
}
