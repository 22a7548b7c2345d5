// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import JSONText
import LinuxPrimitives

/// `darkroom-benchmark`: measures what design and README promise, as ratios within one run. It asserts nothing: a time
/// that a busy machine makes is no fault of the code.
@main
enum BenchmarkProgram {
  /// The groups of measurements in the order in which they run.
  private static var groups: [any MeasurementGroup.Type] {
    [
      LaunchMeasurements.self, ThroughputMeasurements.self, PreparationMeasurements.self,
      FrameMeasurements.self, HandOverMeasurements.self, ContentMeasurements.self, CommandMeasurements.self,
    ]
  }

  private static let runs = OptionSpec.value(
    "runs",
    "N",
    .integer(5...100_000),
    default: "200",
    help: "How often each thing is measured"
  )
  private static let files = OptionSpec.value(
    "files",
    "N",
    .integer(1000...10_000_000),
    default: "100000",
    help: "How many files the large content of the group 'content' has"
  )
  private static let only = OptionSpec.value(
    "only",
    "NAME",
    .choice(groups.map { $0.name }),
    .repeated,
    help: "Measure this group only"
  )
  private static let darkroom = OptionSpec.value(
    "darkroom",
    "PATH",
    .file,
    help: "A release build of darkroom, for the group 'command'"
  )
  private static let directory = OptionSpec.value(
    "directory",
    "DIR",
    .directory,
    default: "/tmp",
    help: "Where the state root is made; its file system decides what 'hand-over' costs"
  )
  private static let json = OptionSpec.flag("json", help: "Print JSON")

  private static let spec = CommandSpec(
    "darkroom-benchmark",
    summary: "Measure launches, frames and hand-overs as ratios within one run",
    options: [runs, files, only, darkroom, directory, json]
  )

  static func main() {
    do {
      let parsed = try spec.parse(Array(CommandLine.arguments.dropFirst()))
      switch parsed.purpose {
      case .help: print(HelpText.render(parsed.path))
      case .version: print("darkroom-benchmark is a part of Darkroom and has no version of its own")
      case .run: try run(parsed)
      }
    } catch {
      try? Descriptor.write(Array("darkroom-benchmark: \(error)\n".utf8), toNumber: 2)
      exit(code: 1)
    }
  }

  private static func run(_ parsed: ParsedCommand) throws {
    let wanted = parsed.values(of: only)
    let setting = try Setting(
      runs: parsed.integer(of: runs) ?? 200,
      files: parsed.integer(of: files) ?? 100_000,
      directory: parsed.value(of: directory) ?? "/tmp",
      darkroom: parsed.value(of: darkroom)
    )
    var report = Report()
    for group in groups where wanted.isEmpty || wanted.contains(group.name) {
      report.sections.append(contentsOf: try group.run(setting))
    }
    print(parsed.has(json) ? report.json.text(.indented) : report.text)
  }
}
