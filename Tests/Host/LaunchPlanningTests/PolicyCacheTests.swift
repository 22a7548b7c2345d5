// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxPolicy
import TestSupport
import Testing

@testable import LaunchPlanning

@Suite struct PolicyCacheTests {
  private func document(_ name: String, processes: Int) -> [UInt8] {
    Array(
      #"{"name": "\#(name)", "extends": "capture", "limits": {"processes": \#(processes)}}"#.utf8
    )
  }

  @Test func `a changed document is a new policy and the original text restores the original policy`()
    throws
  {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/policy.json"
    var found: [FoundPolicy] = []
    for processes in [7, 8, 7] {
      try FileSystem.replaceContents(path, with: document("mine", processes: processes))
      found.append(try PolicyFinder.find(path))
      #expect(found.last?.policy.limits.processes == processes)
      #expect(found.last?.policy.extensibility == .document(path))
    }
    #expect(found[0].digest == found[2].digest && found[0].digest != found[1].digest)
  }

  @Test func `the same text at two paths is two policies`() throws {
    let directory = try ScratchDirectory()
    for name in ["one.json", "other.json"] {
      let path = "\(directory.path)/\(name)"
      try FileSystem.replaceContents(path, with: document("mine", processes: 7))
      #expect(try PolicyFinder.find(path).policy.extensibility == .document(path))
      #expect(
        try PolicyFinder.resolve(document("mine", processes: 7), source: path).policy.extensibility
          != .document(path)
      )
    }
  }

  @Test func `reports the errors of an invalid document each time`() {
    for _ in 0..<2 {
      #expect(throws: PolicyFindingError.self) { try PolicyFinder.resolve(Array("{".utf8), source: "mine") }
    }
  }

  @Test func `caches the most recently used policies`() throws {
    let cache = PolicyCache()
    let found = try PolicyFinder.find("strict")
    for number in 0..<PolicyCache.capacity {
      cache.keep(found, of: [UInt8(number)], source: "x")
      #expect(cache.policy([0], source: "x")?.digest == found.digest)
    }
    cache.keep(found, of: [200], source: "x")
    #expect(cache.count == PolicyCache.capacity)
    #expect(cache.policy([0], source: "x") != nil && cache.policy([200], source: "x") != nil)
    #expect(cache.policy([1], source: "x") == nil)
    #expect(cache.policy([0], source: "y") == nil)
  }
}
