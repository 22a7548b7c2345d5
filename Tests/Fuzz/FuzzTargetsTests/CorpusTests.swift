// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import LinuxPrimitives
import TestSupport
import Testing

/// Replays the fuzzing corpus and past findings in every test run.
@Suite struct CorpusTests {
  /// The fuzzing directory.
  private static let folder = "\(PackageDirectory.path)/Tests/Fuzz"

  /// Returns the inputs of a target: its corpus, and inputs that caused a crash or a contradiction in the
  /// past.
  private func inputs(_ target: FuzzTarget) throws -> [String] {
    try ["Corpus", "Regressions"].flatMap { kind -> [String] in
      let directory = "\(Self.folder)/\(kind)/\(target.rawValue)"
      guard try FileSystem.status(directory) != nil else { return [] }
      return try FileSystem.names(in: directory).map { "\(directory)/\($0)" }
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `parses every corpus input without a contradiction`(target: FuzzTarget) throws {
    let inputs = try inputs(target)
    try #require(!inputs.isEmpty, "there is no corpus of \(target.rawValue)")
    for path in inputs {
      let bytes = try #require(try FileSystem.contents(path, limit: 1 << 24))
      do { try target.check(bytes) } catch { Issue.record("\(path): \(error)") }
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `parses truncated corpus inputs without a crash`(target: FuzzTarget) throws {
    // The fuzzer truncates inputs as well; a few of each kind also cover builds with all runtime checks.
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

  @Test func `every corpus directory belongs to a fuzz target`() throws {
    let known = Set(FuzzTarget.allCases.map(\.rawValue))
    for kind in ["Corpus", "Regressions"] {
      let folders = (try? FileSystem.names(in: "\(Self.folder)/\(kind)")) ?? []
      #expect(Set(folders).subtracting(known).isEmpty)
    }
  }
}
