// SPDX-License-Identifier: Apache-2.0

import CommandGrammar

/// The options of `darkroom-benchmark`.
enum BenchmarkOptions {
  /// The number of repetitions.
  static let runs = OptionSpec.value(
    "runs",
    "N",
    .integer(5...100_000),
    help: "Measure each row N times (200; with --quick 40)"
  )
  /// The number of files of large content.
  static let files = OptionSpec.value(
    "files",
    "N",
    .integer(1000...10_000_000),
    help: "Use N files in the large content of the group 'content' (100000; with --quick 10000)"
  )
  /// Requests a shorter run.
  static let quick = OptionSpec.flag("quick", help: "Measure all groups, but each row less often")
  /// Returns the option that selects groups.
  static func only(_ groups: [String]) -> OptionSpec {
    .value("only", "NAME", .choice(groups), .repeated, help: "Measure only the group NAME")
  }
  /// The directory with the built commands.
  static let products = OptionSpec.value(
    "products",
    "DIR",
    .directory,
    help: "Use the release builds of darkroom and Snapshot in DIR, for 'command' and 'first-frame'"
  )
  /// The directory for all files of a run.
  static let directory = OptionSpec.value(
    "directory",
    "DIR",
    .directory,
    default: "/tmp",
    help: "Create the state root in DIR; its file system determines the results of 'migration'"
  )
  /// The file for the saved report.
  static let save = OptionSpec.value("save", "FILE", .file, help: "Write the report as JSON to FILE, too")
  /// The saved report for a comparison.
  static let compare = OptionSpec.value(
    "compare",
    "FILE",
    .file,
    help: "Report rows that are slower or faster than in the saved report FILE, beyond the noise"
  )
  /// Requests JSON output.
  static let json = OptionSpec.flag("json", help: "Print JSON")

  /// Returns the spec of the command.
  static func spec(_ groups: [String]) -> CommandSpec {
    CommandSpec(
      "darkroom-benchmark",
      summary: "Measure launches, frames and migrations as ratios within one run",
      options: [quick, runs, files, only(groups), products, directory, save, compare, json]
    )
  }
}
