// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import LinuxPrimitives
import TestSupport
import Testing

/// What the fuzzer has found, and what it began with, in every ordinary run of the tests.
@Suite struct CorpusTests {
  /// The folder of the fuzzer.
  private static let folder = "\(PackageDirectory.path)/Tests/Fuzz"

  /// The inputs of a target: the corpus, and what once crashed or contradicted itself.
  private func inputs(_ target: FuzzTarget) throws -> [String] {
    try ["Corpus", "Regressions"].flatMap { kind -> [String] in
      let directory = "\(Self.folder)/\(kind)/\(target.rawValue)"
      guard try FileSystem.status(directory) != nil else { return [] }
      return try FileSystem.names(in: directory).map { "\(directory)/\($0)" }
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `no input of the corpus is read wrongly`(target: FuzzTarget) throws {
    let inputs = try inputs(target)
    try #require(!inputs.isEmpty, "there is no corpus of \(target.rawValue)")
    for path in inputs {
      let bytes = try #require(try FileSystem.contents(path, limit: 1 << 24))
      do { try target.check(bytes) } catch { Issue.record("\(path): \(error)") }
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `the beginnings of inputs are read without a crash`(target: FuzzTarget) throws {
    // The fuzzer cuts, too; a few of each kind show that the readers bear it in a build with all checks.
    for path in try inputs(target).prefix(16) {
      let bytes = try #require(try FileSystem.contents(path, limit: 1 << 24))
      let step = max(1, bytes.count / 8)
      for end in stride(from: 0, to: bytes.count, by: step) {
        do { try target.check(Array(bytes[..<end])) } catch {
          Issue.record("\(path), \(end) bytes: \(error)")
        }
      }
    }
  }

  @Test func `every folder of the corpus belongs to a target`() throws {
    let known = Set(FuzzTarget.allCases.map(\.rawValue))
    for kind in ["Corpus", "Regressions"] {
      let folders = (try? FileSystem.names(in: "\(Self.folder)/\(kind)")) ?? []
      #expect(Set(folders).subtracting(known).isEmpty)
    }
  }
}
