// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import LinuxPrimitives
import SandboxEnforcement
import SandboxLaunch
import SandboxPolicy
import SessionStore
import TestSupport
import Testing

/// Verification of filters before they are loaded.
@Suite struct FilterProofCacheTests {
  /// Returns the compiled filter of the base policy.
  private static func compiled() throws -> (policy: ResolvedPolicy, filter: [UInt8]) {
    let policy = try PolicyFinder.find("base").policy
    return (policy, try SeccompCompiler.compile(policy).instructions)
  }

  /// Returns a new state root.
  private static func root(_ directory: ScratchDirectory) throws -> StateRoot {
    let root = try StateRoot.resolve(option: "\(directory.path)/state") { _ in nil }
    try root.prepare()
    return root
  }

  /// Returns the program with the first occurrence of a constant replaced.
  private static func replacingConstant(_ filter: [UInt8], _ from: UInt32, to: UInt32) throws -> [UInt8] {
    var filter = filter
    func bytes(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    let offset = try #require(
      stride(from: 4, to: filter.count, by: 8).first { filter[$0..<$0 + 4].elementsEqual(bytes(from)) }
    )
    filter.replaceSubrange(offset..<offset + 4, with: bytes(to))
    return filter
  }

  @Test func `caches the proof of a filter for later hosts and for this filter only`() throws {
    let directory = try ScratchDirectory()
    let root = try Self.root(directory)
    let (policy, filter) = try Self.compiled()
    try FilterProofCache(stateRoot: root.path).require(filter, .reported, of: policy)
    let names = try FileSystem.names(in: "\(root.path)/proofs")
    #expect(names.count == 1)
    try FilterProofCache(stateRoot: root.path).require(filter, .reported, of: policy)
    #expect(try FileSystem.names(in: "\(root.path)/proofs") == names)
    // Without reports, the filter is a different pair of programs with its own proof.
    try FilterProofCache(stateRoot: root.path).require(filter, .silent, of: policy)
    #expect(try FileSystem.names(in: "\(root.path)/proofs").count == 2)
  }

  @Test(
    arguments: [
      // Swapped socket and openat numbers; EPERM replaced by ALLOW; the i386 architecture.
      (41, 257), (0x0005_0001, 0x7FFF_0000), (0xC000_003E, 0x4000_0003), (0x7E02_0080, 0x6E02_0080),
    ] as [(UInt32, UInt32)]
  )
  func `rejects a filter with one wrong constant and does not cache it`(from: UInt32, to: UInt32) throws {
    let directory = try ScratchDirectory()
    let root = try Self.root(directory)
    let (policy, filter) = try Self.compiled()
    let wrong = try Self.replacingConstant(filter, from, to: to)
    let proofs = FilterProofCache(stateRoot: root.path)
    let error = #expect(throws: PlanError.self) { try proofs.require(wrong, .reported, of: policy) }
    guard case .unproved("base", let failures) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!failures.isEmpty)
    #expect(try FileSystem.names(in: "\(root.path)/proofs").isEmpty)
  }

  @Test func `keeps at most the allowed number of proofs and proves evicted filters again`() throws {
    let directory = try ScratchDirectory()
    let (policy, filter) = try Self.compiled()
    let proofs = FilterProofCache(stateRoot: directory.path, capacity: 1)
    for _ in 0..<2 {
      for reports in [LaunchPlan.RefusalReports.reported, .silent] {
        try proofs.require(filter, reports, of: policy)
        #expect(proofs.count == 1)
      }
    }
  }

  @Test func `writes no proof to a directory that is not a state root`() throws {
    let directory = try ScratchDirectory()
    let (policy, filter) = try Self.compiled()
    try FilterProofCache(stateRoot: directory.path).require(filter, .reported, of: policy)
    #expect(try FileSystem.names(in: directory.path).isEmpty)
  }

  @Test func `rejects bytes that are not a filter program`() throws {
    let (policy, filter) = try Self.compiled()
    let proofs = FilterProofCache(stateRoot: "/nonexistent")
    #expect(throws: PlanError.self) { try proofs.require(Array(filter.prefix(9)), .silent, of: policy) }
  }
}
