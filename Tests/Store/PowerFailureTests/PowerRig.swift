// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A file system of a disk that power is taken away from.
enum DiskFormat: String, CaseIterable {
  /// One journal for all metadata; data before the metadata that names it.
  case ext4
  /// One log for all metadata.
  case xfs
  /// Trees that are never written over, and a log for each directory and file that is made durable.
  case btrfs

  /// How many of so many failures come on this file system, which is mounted so much slower or faster than the others.
  func share(of failures: Int) -> Int {
    let others = failures * 3 / 10
    return self == .ext4 ? failures - 2 * others : others
  }
}

/// Runs the rig of `Tests/Rigs/powerfail.py`, in a directory of its own.
final class PowerRig {
  /// What came of it.
  struct Result {
    /// How many failures were tried.
    var failures = 0
    /// How many of them something was wrong after.
    var findings = 0
    /// Everything that the rig has said.
    var text = ""
  }

  /// Where bundles, reports and recordings of tests are.
  let directory: String
  /// Where the build has put the programs.
  let programs: String

  private static var package: String { PackageDirectory.path }

  /// Makes the directory.
  init() throws {
    programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    directory = "/tmp/darkroom-power-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// How many failures each durable work has to outlast.
  static var failures: Int { number("DARKROOM_POWER_FAILURES") ?? 200 }
  /// Where in a recording they come; another number, other moments.
  static var seed: Int { number("DARKROOM_POWER_SEED") ?? 1 }

  private static func number(_ variable: String) -> Int? {
    getenv(variable).flatMap { Int(String(cString: $0)) }
  }

  /// The program that changes a state root and judges it.
  var worker: String { "\(programs)/darkroom-store-worker" }
  /// The program that leaves out a call, or kills at it.
  var injector: String { "\(programs)/darkroom-faults" }
  /// A script of the rigs.
  func script(_ name: String) -> String { "\(Self.package)/Tests/Rigs/\(name)" }

  /// Runs a script of the rigs with words that the shell reads. Nil: it cannot be done here, and the rig has said so.
  func run(
    _ script: String,
    _ words: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result? {
    let output = "\(directory)/output-\(Randomness.hexadecimal(bytes: 6))"
    let command = """
      export LC_ALL=C WORKER='\(worker)' FAULTS='\(injector)' PROGRAMS='\(programs)' PLACE='\(directory)' POWER=1
      unset MARK
      timeout 1000 /usr/bin/python3 '\(self.script(script))' --disk '\(programs)/darkroom-recorded-disk' \
      \(words.joined(separator: " ")) >'\(output)' 2>&1 || echo "exit $?" >>'\(output)'
      """
    try runShell(command, sourceLocation: sourceLocation)
    let text = String(decoding: try FileSystem.contents(output, limit: 1 << 24) ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n")
    if lines.last == "exit 77" {
      for line in lines where line.hasPrefix("SKIP:") { print(line) }
      return nil
    }
    let summary = try #require(
      lines.last { $0.hasPrefix("{") },
      "the rig has no result: \(text)",
      sourceLocation: sourceLocation
    )
    let value = try JSONNode.parse(Array(summary.utf8)).value
    return Result(
      failures: value["failures"]?.integer.map(Int.init) ?? 0,
      findings: value["findings"]?.integer.map(Int.init) ?? 0,
      text: text
    )
  }

  /// Takes the power away while commands run, and judges what is left with ``worker``.
  func takePower(
    on format: DiskFormat,
    failures: Int,
    prepare: String = "$WORKER $DISK/root session least",
    workload: String,
    options: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result? {
    try run(
      "powerfail.py",
      [
        "--file-system \(format)", "--failures \(failures)", "--prepare '\(prepare)'",
        "--workload 'set -e; \(workload)'", "--check '\(worker) $DISK/root settle'",
      ] + options,
      sourceLocation: sourceLocation
    )
  }
}
