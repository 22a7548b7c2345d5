// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxPolicy
import TestSupport
import Testing

@testable import LaunchPlanning

@Suite struct KnownPoliciesTests {
  private func document(_ name: String, processes: Int) -> [UInt8] {
    Array(
      #"{"name": "\#(name)", "extends": "capture", "limits": {"processes": \#(processes)}}"#.utf8
    )
  }

  @Test func `a document that has changed is another policy, and the old one again when it is as it was`()
    throws
  {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/policy.json"
    var found: [FoundPolicy] = []
    for processes in [7, 8, 7] {
      try FileSystem.replaceContents(path, with: document("mine", processes: processes))
      found.append(try PolicyFinder.find(path))
      #expect(found.last?.policy.limits.processes == processes)
      #expect(found.last?.policy.standing == .document(path))
    }
    #expect(found[0].digest == found[2].digest && found[0].digest != found[1].digest)
  }

  @Test func `one text in two places is two policies`() throws {
    let directory = try ScratchDirectory()
    for name in ["one.json", "other.json"] {
      let path = "\(directory.path)/\(name)"
      try FileSystem.replaceContents(path, with: document("mine", processes: 7))
      #expect(try PolicyFinder.find(path).policy.standing == .document(path))
      #expect(
        try PolicyFinder.resolve(document("mine", processes: 7), source: path).policy.standing
          != .document(path)
      )
    }
  }

  @Test func `a document with mistakes has them each time`() {
    for _ in 0..<2 {
      #expect(throws: PolicyFindingError.self) { try PolicyFinder.resolve(Array("{".utf8), source: "mine") }
    }
  }

  @Test func `the latest are kept, and those that are asked for`() throws {
    let known = KnownPolicies()
    let found = try PolicyFinder.find("strict")
    for number in 0..<KnownPolicies.most {
      known.keep(found, of: [UInt8(number)], source: "x")
      #expect(known.policy([0], source: "x")?.digest == found.digest)
    }
    known.keep(found, of: [200], source: "x")
    #expect(known.count == KnownPolicies.most)
    #expect(known.policy([0], source: "x") != nil && known.policy([200], source: "x") != nil)
    #expect(known.policy([1], source: "x") == nil)
    #expect(known.policy([0], source: "y") == nil)
  }
}
