// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxPolicy
import TestSupport
import Testing

@testable import CaptureHost

@Suite struct UnlinkedFileCensusTests {
  /// Runs a check with a process that keeps an unlinked file, and with the size of the file in bytes.
  private func withUnlinkedFile(_ check: (ShellTree, FileSystemIdentity, Int) throws -> Void) throws {
    let directory = try ScratchDirectory()
    let file = "\(directory.path)/gone"
    let tree = try ShellTree(
      "(exec 3>\(file); head -c 65536 /dev/zero >&3; rm \(file); echo there; exec sleep 1000) & wait"
    )
    try check(tree, try FileSystemIdentity(of: directory.path), 65536)
  }

  @Test func `counts an unlinked file that a session process keeps open`() throws {
    try withUnlinkedFile { tree, mark, bytes in
      let census = UnlinkedFileCensus.take(below: tree.process, on: mark, longest: 10_000_000_000)
      #expect(census.files.bytes.values.map(Int.init) == [bytes] && !census.hasInaccessibleProcesses)
    }
  }

  @Test(arguments: [true, false])
  func `does not count an unlinked file that the host passed to the session`(_ isGiven: Bool) throws {
    let directory = try ScratchDirectory()
    let file = try FileSystem.open("\(directory.path)/output", [.write, .create])
    try file.writeAll([UInt8](repeating: 1, count: 65536))
    let given = [0, 1, 2] + (isGiven ? [file.rawValue] : [])
    let meter = UnlinkedFileMeter(directory: directory.path, given: given, limits: PolicyLimits())
    // The file is also excluded if it is unlinked later.
    try FileSystem.unlink("\(directory.path)/output")
    let tree = try ShellTree("(echo there; exec sleep 1000) & wait", inheriting: [file.rawValue])
    _ = meter.measure(below: tree.process, named: 0)
    #expect(!meter.use.hasInaccessibleProcesses)
    #expect((meter.use.measuredBytes == 0) == isGiven)
  }

  /// On a virtual machine, time of other guests counts as time of this thread.
  @Test func `reports hidden files only if two censuses in a row are cut short`() throws {
    let directory = try ScratchDirectory()
    let tree = try ShellTree("echo there; exec sleep 1000")
    let meter = UnlinkedFileMeter(
      directory: directory.path,
      given: [],
      limits: PolicyLimits(),
      longestLook: 0
    )
    #expect(meter.measure(below: tree.process, named: 0) == 0 && !meter.use.hasInaccessibleProcesses)
    let isHidden = TestTimeout.waitUntil {
      _ = meter.measure(below: tree.process, named: 0)
      return meter.use.hasInaccessibleProcesses
    }
    #expect(isHidden && meter.use.inaccessible == .timedOut)
    let patient = UnlinkedFileMeter(
      directory: directory.path,
      given: [],
      limits: PolicyLimits(),
      longestLook: .max / 2
    )
    for _ in 0..<3 {
      #expect(patient.measure(below: tree.process, named: 0) == 0 && !patient.use.hasInaccessibleProcesses)
    }
  }

  @Test
  func
    `reports a census as cut short only if no pass was completed`()
    throws
  {
    let directory = try ScratchDirectory()
    let mark = try FileSystemIdentity(of: directory.path)
    var passes: Set<Int> = []
    var longest: UInt64 = 1
    while longest < 10_000_000_000, !passes.contains(UnlinkedFileCensus.attempts) {
      // A nonexistent process counts as exited during each pass.
      let census = UnlinkedFileCensus.take(below: .max, on: mark, longest: longest)
      #expect(census.isIncomplete == (census.passes == 0) && census.hasMissedProcesses == (census.passes > 0))
      passes.insert(census.passes)
      longest += max(1, longest / 8)
    }
    #expect(passes.contains(0) && passes.contains { (1..<UnlinkedFileCensus.attempts).contains($0) })
    #expect(passes.contains(UnlinkedFileCensus.attempts))
  }

  @Test func `does not count a process whose PID was reused`() throws {
    try withUnlinkedFile { tree, mark, bytes in
      let children = ProcessFacts(tree.process)?.children(of: tree.process)
      let child = try #require(children?.first)
      var census = UnlinkedFileCensus()
      // The parent's PID was one of the session, but the parent is not a descendant of the session init.
      census.scan(at: [child], below: Int32.max, by: [Int32.max, tree.process], on: mark)
      #expect(census.files == UnlinkedFiles() && census.hasMissedProcesses)
      census.scan(at: [child], below: tree.process, by: [], on: mark)
      #expect(census.files.bytes.values.map(Int.init) == [bytes])
    }
  }

  @Test func `does not count a process whose parent PID was reused by the session`() throws {
    try withUnlinkedFile { other, _, _ in
      let tree = try ShellTree("(echo there; exec sleep 1000) & wait")
      let inside = try #require(ProcessFacts(tree.process)?.children(of: tree.process).first)
      let stranger = try #require(ProcessFacts(other.process)?.children(of: other.process).first)
      defer { kill(stranger, SIGKILL) }
      guard let facts = ProcessFacts(stranger), let own = ProcessFacts(inside) else {
        Issue.record("the processes do not exist")
        return
      }
      let isTaken = ProcessAncestry.leads(from: facts, to: tree.process, by: []) { number in
        guard number == other.process else { return ProcessFacts(number) }
        // The parent exits between reading and opening its PID, and the session reuses the PID at once.
        kill(number, SIGKILL)
        #expect(TestTimeout.waitUntil { ProcessFacts(stranger)?.parent != number })
        return ProcessFacts(inside)
      }
      let isOwn = ProcessAncestry.leads(from: own, to: tree.process, by: [])
      #expect(isOwn && !isTaken)
    }
  }
}
