// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A file system of the disk on which power failures are simulated.
enum DiskFormat: String, CaseIterable {
  /// One journal for all metadata; data is written before the metadata that refers to it.
  case ext4
  /// One log for all metadata.
  case xfs
  /// Copy-on-write trees, with a log for each synchronized directory and file.
  case btrfs

  /// Returns the share of the failures that are simulated on this file system. XFS and btrfs get fewer,
  /// because mounting them takes longer.
  func share(of failures: Int) -> Int {
    let others = failures * 3 / 10
    return self == .ext4 ? failures - 2 * others : others
  }
}

/// Runs `Tests/Rigs/powerfail.py` in a temporary directory.
final class PowerRig {
  /// The result of a run.
  struct Result {
    /// The number of simulated failures.
    var failures = 0
    /// The number of failures after which the check failed.
    var findings = 0
    /// The output of the rig.
    var text = ""
  }

  /// The directory for bundles, reports and recordings of tests.
  let directory: String
  /// The directory of the built programs.
  let programs: String

  private static var package: String { PackageDirectory.path }

  /// Creates the temporary directory.
  init() throws {
    programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    directory = "/tmp/darkroom-power-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// The number of failures to simulate for each durable work.
  static var failures: Int { number("DARKROOM_POWER_FAILURES") ?? 200 }
  /// The seed for the points of a recording at which failures are simulated.
  static var seed: Int { number("DARKROOM_POWER_SEED") ?? 1 }

  private static func number(_ variable: String) -> Int? {
    getenv(variable).flatMap { Int(String(cString: $0)) }
  }

  /// The path of the program that changes a state root and checks it.
  var worker: String { "\(programs)/darkroom-store-worker" }
  /// The path of the program that skips a system call, or kills at it.
  var injector: String { "\(programs)/darkroom-faults" }
  /// Returns the path of a script in `Tests/Rigs`.
  func script(_ name: String) -> String { "\(Self.package)/Tests/Rigs/\(name)" }

  /// Runs a script of `Tests/Rigs` with arguments that the shell expands. Returns `nil` if the rig cannot run
  /// on this machine; the rig has printed the reason.
  func run(
    _ script: String,
    _ arguments: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result? {
    let output = "\(directory)/output-\(Randomness.hexadecimal(bytes: 6))"
    let command = """
      export LC_ALL=C WORKER='\(worker)' FAULTS='\(injector)' PROGRAMS='\(programs)' PLACE='\(directory)' POWER=1
      unset MARK
      timeout 1000 /usr/bin/python3 '\(self.script(script))' --disk '\(programs)/darkroom-recorded-disk' \
      \(arguments.joined(separator: " ")) >'\(output)' 2>&1 || echo "exit $?" >>'\(output)'
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

  /// Simulates power failures while commands run, and checks the disk with ``worker`` after each of them.
  func simulatePowerFailures(
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
