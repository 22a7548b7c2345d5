// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxPolicy
import TestSupport
import Testing

@testable import CaptureHost

@Suite struct NamelessCensusTests {
  /// Runs a check with a process that keeps an unlinked file, and with the size of the file in bytes.
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
      let census = NamelessCensus.take(below: tree.process, on: mark, longest: 10_000_000_000)
      #expect(census.files.bytes.values.map(Int.init) == [bytes] && !census.isHidden)
    }
  }

  @Test(arguments: [true, false])
  func `a file that the host has given to the session is not counted as the session's`(_ isGiven: Bool) throws
  {
    let directory = try ScratchDirectory()
    let file = try FileSystem.open("\(directory.path)/output", [.write, .create])
    try file.writeAll([UInt8](repeating: 1, count: 65536))
    let given = [0, 1, 2] + (isGiven ? [file.rawValue] : [])
    let meter = NamelessMeter(directory: directory.path, given: given, limits: PolicyLimits())
    // The file is also excluded if it is unlinked later.
    try FileSystem.unlink("\(directory.path)/output")
    let tree = try ShellTree("(echo there; exec sleep 1000) & wait", inheriting: [file.rawValue])
    _ = meter.measure(below: tree.process, named: 0)
    #expect(!meter.use.isHidden)
    #expect((meter.use.seen == 0) == isGiven)
  }

  /// On a virtual machine, time of other guests counts as time of this thread.
  @Test func `a look that was cut short hides nothing, and the second one in turn does`() throws {
    let directory = try ScratchDirectory()
    let tree = try ShellTree("echo there; exec sleep 1000")
    let meter = NamelessMeter(
      directory: directory.path,
      given: [],
      limits: PolicyLimits(),
      longestLook: 0
    )
    #expect(meter.measure(below: tree.process, named: 0) == 0 && !meter.use.isHidden)
    let isHidden = TestPatience.comes {
      _ = meter.measure(below: tree.process, named: 0)
      return meter.use.isHidden
    }
    #expect(isHidden && meter.use.hidden == .noTime)
    let patient = NamelessMeter(
      directory: directory.path,
      given: [],
      limits: PolicyLimits(),
      longestLook: .max / 2
    )
    for _ in 0..<3 { #expect(patient.measure(below: tree.process, named: 0) == 0 && !patient.use.isHidden) }
  }

  @Test
  func
    `a look is cut short if it had no time for all processes once, and not if it had none for the last time`()
    throws
  {
    let directory = try ScratchDirectory()
    let mark = try FileSystemMark(of: directory.path)
    var passes: Set<Int> = []
    var longest: UInt64 = 1
    while longest < 10_000_000_000, !passes.contains(NamelessCensus.attempts) {
      // A nonexistent process counts as exited during each pass.
      let census = NamelessCensus.take(below: .max, on: mark, longest: longest)
      #expect(census.isCutShort == (census.passes == 0) && census.missed == (census.passes > 0))
      passes.insert(census.passes)
      longest += max(1, longest / 8)
    }
    #expect(passes.contains(0) && passes.contains { (1..<NamelessCensus.attempts).contains($0) })
    #expect(passes.contains(NamelessCensus.attempts))
  }

  @Test func `a number that has become somebody else's is not counted`() throws {
    try withFile { tree, mark, bytes in
      let children = ProcessFacts(tree.process)?.children(of: tree.process)
      let child = try #require(children?.first)
      var census = NamelessCensus()
      // The parent's PID was one of the session, but the parent is not a descendant of the session init.
      census.look(at: [child], below: Int32.max, by: [Int32.max, tree.process], on: mark)
      #expect(census.files == NamelessFiles() && census.missed)
      census.look(at: [child], below: tree.process, by: [], on: mark)
      #expect(census.files.bytes.values.map(Int.init) == [bytes])
    }
  }

  @Test func `nor is what had a parent whose number has become one of the session's`() throws {
    try withFile { other, _, _ in
      let tree = try ShellTree("(echo there; exec sleep 1000) & wait")
      let inside = try #require(ProcessFacts(tree.process)?.children(of: tree.process).first)
      let stranger = try #require(ProcessFacts(other.process)?.children(of: other.process).first)
      defer { kill(stranger, SIGKILL) }
      guard let facts = ProcessFacts(stranger), let own = ProcessFacts(inside) else {
        Issue.record("the processes are not there")
        return
      }
      let isTaken = Descent.leads(from: facts, to: tree.process, by: []) { number in
        guard number == other.process else { return ProcessFacts(number) }
        // The parent exits between reading and opening its PID, and the session reuses the PID at once.
        kill(number, SIGKILL)
        #expect(TestPatience.comes { ProcessFacts(stranger)?.parent != number })
        return ProcessFacts(inside)
      }
      let isOwn = Descent.leads(from: own, to: tree.process, by: [])
      #expect(isOwn && !isTaken)
    }
  }
}
