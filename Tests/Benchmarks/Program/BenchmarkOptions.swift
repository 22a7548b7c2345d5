// SPDX-License-Identifier: Apache-2.0

import CommandGrammar

/// The options of `darkroom-benchmark`.
enum BenchmarkOptions {
  /// The number of repetitions.
  static let runs = OptionSpec.value(
    "runs",
    "N",
    .integer(5...100_000),
    help: "How often each thing is measured (200; with --quick 40)"
  )
  /// The number of files of large content.
  static let files = OptionSpec.value(
    "files",
    "N",
    .integer(1000...10_000_000),
    help: "How many files the large content of the group 'content' has (100000; with --quick 10000)"
  )
  /// Requests a shorter run.
  static let quick = OptionSpec.flag("quick", help: "Measure all of it, but each thing less often")
  /// Returns the option that selects groups.
  static func only(_ groups: [String]) -> OptionSpec {
    .value("only", "NAME", .choice(groups), .repeated, help: "Measure this group only")
  }
  /// The directory with the built commands.
  static let products = OptionSpec.value(
    "products",
    "DIR",
    .directory,
    help: "A directory with release builds of darkroom and Snapshot, for 'command' and 'first-frame'"
  )
  /// The directory for all files of a run.
  static let directory = OptionSpec.value(
    "directory",
    "DIR",
    .directory,
    default: "/tmp",
    help: "Where the state root is made; its file system decides what 'hand-over' costs"
  )
  /// The file for the saved report.
  static let save = OptionSpec.value("save", "FILE", .file, help: "Write the report as JSON to FILE, too")
  /// The saved report for a comparison.
  static let compare = OptionSpec.value(
    "compare",
    "FILE",
    .file,
    help: "Say what became slower or faster than in the saved FILE, and by how much, if it is no noise"
  )
  /// Requests JSON output.
  static let json = OptionSpec.flag("json", help: "Print JSON")

  /// Returns the spec of the command.
  static func spec(_ groups: [String]) -> CommandSpec {
    CommandSpec(
      "darkroom-benchmark",
      summary: "Measure launches, frames and hand-overs as ratios within one run",
      options: [quick, runs, files, only(groups), products, directory, save, compare, json]
    )
  }
}
