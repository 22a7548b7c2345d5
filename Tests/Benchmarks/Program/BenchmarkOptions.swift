// SPDX-License-Identifier: Apache-2.0

import CommandGrammar

/// What `darkroom-benchmark` can be told.
enum BenchmarkOptions {
  /// How often each thing is measured.
  static let runs = OptionSpec.value(
    "runs",
    "N",
    .integer(5...100_000),
    help: "How often each thing is measured (200; with --quick 40)"
  )
  /// How many files large content has.
  static let files = OptionSpec.value(
    "files",
    "N",
    .integer(1000...10_000_000),
    help: "How many files the large content of the group 'content' has (100000; with --quick 10000)"
  )
  /// A shorter run.
  static let quick = OptionSpec.flag("quick", help: "Measure all of it, but each thing less often")
  /// Which group is measured.
  static func only(_ groups: [String]) -> OptionSpec {
    .value("only", "NAME", .choice(groups), .repeated, help: "Measure this group only")
  }
  /// Where the commands are.
  static let products = OptionSpec.value(
    "products",
    "DIR",
    .directory,
    help: "A directory with release builds of darkroom and Snapshot, for 'command' and 'first-frame'"
  )
  /// Where everything is made.
  static let directory = OptionSpec.value(
    "directory",
    "DIR",
    .directory,
    default: "/tmp",
    help: "Where the state root is made; its file system decides what 'hand-over' costs"
  )
  /// Where the report goes for later runs.
  static let save = OptionSpec.value("save", "FILE", .file, help: "Write the report as JSON to FILE, too")
  /// What the report is compared with.
  static let compare = OptionSpec.value(
    "compare",
    "FILE",
    .file,
    help: "Say what became slower or faster than in the saved FILE, and by how much, if it is no noise"
  )
  /// For programs.
  static let json = OptionSpec.flag("json", help: "Print JSON")

  /// The command.
  static func spec(_ groups: [String]) -> CommandSpec {
    CommandSpec(
      "darkroom-benchmark",
      summary: "Measure launches, frames and hand-overs as ratios within one run",
      options: [quick, runs, files, only(groups), products, directory, save, compare, json]
    )
  }
}
