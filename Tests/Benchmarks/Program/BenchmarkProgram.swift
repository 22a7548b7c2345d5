// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import CommandGrammar
import JSONText
import LinuxPrimitives

/// `darkroom-benchmark`: measures the promises of the design and README as ratios within one run. The program
/// asserts nothing, because a busy machine is not an error in the code.
@main
enum BenchmarkProgram {
  /// The groups of measurements in execution order.
  private static var groups: [any MeasurementGroup.Type] {
    [
      LaunchMeasurements.self, StepMeasurements.self, WarmMeasurements.self, FirstFrameMeasurements.self,
      CommandMeasurements.self, TeardownMeasurements.self, CallMeasurements.self, ThroughputMeasurements.self,
      MemoryMeasurements.self, MessageMeasurements.self, FrameMeasurements.self, PreparationMeasurements.self,
      ScaleMeasurements.self, BatchMeasurements.self, MigrationMeasurements.self, EraseMeasurements.self,
      ContentMeasurements.self,
    ]
  }

  static func main() {
    let parsed: ParsedCommand
    do {
      parsed = try BenchmarkOptions.spec(groups.map { $0.name })
        .parse(Array(CommandLine.arguments.dropFirst()))
    } catch {
      printStatus("\(error)")
      // `EX_USAGE` of sysexits(3head), like the commands.
      exit(code: 64)
    }
    do {
      switch parsed.purpose {
      case .help: print(HelpText.render(parsed.path))
      case .topic(let topic): print(HelpText.render(topic, of: parsed.path))
      case .version: print("darkroom-benchmark is a part of Darkroom and has no version of its own")
      case .run:
        try run(parsed, selectedGroups: parsed.values(of: BenchmarkOptions.only(groups.map { $0.name })))
      }
    } catch {
      printStatus("\(error)")
      exit(code: 1)
    }
  }

  private static func run(_ parsed: ParsedCommand, selectedGroups: [String]) throws {
    // Reads the earlier report first: an invalid file should fail before half an hour of measurements.
    let earlier = try parsed.value(of: BenchmarkOptions.compare).map(read)
    let isQuick = parsed.has(BenchmarkOptions.quick)
    let setup = try BenchmarkSetup(
      runs: parsed.integer(of: BenchmarkOptions.runs) ?? (isQuick ? 40 : 200),
      files: parsed.integer(of: BenchmarkOptions.files) ?? (isQuick ? 10_000 : 100_000),
      directory: parsed.value(of: BenchmarkOptions.directory) ?? "/tmp",
      products: parsed.value(of: BenchmarkOptions.products)
    )
    let (load, startTime) = (Machine.load, MonotonicClock.now)
    var report = Report(Machine.facts(loadAtStart: load))
    for group in groups where selectedGroups.isEmpty || selectedGroups.contains(group.name) {
      printStatus("\((MonotonicClock.now - startTime) / 1_000_000_000) s: measuring \(group.name)")
      let before = Machine.processorTimes
      report.tables += try group.run(setup)
      if let before, let after = Machine.processorTimes {
        report.stolen.append(StolenTime(group.name, share: after.stolenShare(since: before)))
      }
      report.machine = Machine.facts(loadAtStart: load)
      // Saves after each group, so that an aborted run keeps its results.
      guard let path = parsed.value(of: BenchmarkOptions.save) else { continue }
      let document = document(report, earlier)
      try FileSystem.replaceContents(path, with: document.bytes(.indented), mode: 0o644)
    }
    printStatus("\((MonotonicClock.now - startTime) / 1_000_000_000) s: done\n")
    guard !parsed.has(BenchmarkOptions.json) else { return print(document(report, earlier).text(.indented)) }
    print(report.text)
    print("\n" + BudgetReview(Budgets.all, of: report, earlier: earlier).text)
    for sentence in [Budgets.yardstick.sentence(report), StolenTime.sentence(report.stolen)] {
      if let sentence { print("  \(sentence)") }
    }
    guard let earlier else { return }
    print("\nagainst the earlier run, line by line:")
    print(Comparison(of: report, with: earlier).text)
  }

  /// Returns the report as JSON with its budgets and, if available, the comparison with an earlier run.
  private static func document(_ report: Report, _ earlier: Report?) -> JSONValue {
    guard case .object(var members) = report.json else { return report.json }
    members.append(.init("budgets", BudgetReview(Budgets.all, of: report, earlier: earlier).json))
    if let speed = Budgets.yardstick.json(report) { members.append(.init("yardstick", speed)) }
    if let earlier { members.append(.init("comparison", Comparison(of: report, with: earlier).json)) }
    return .object(members)
  }

  private static func read(_ path: String) throws -> Report {
    let bytes = try FileSystem.contents(path) ?? []
    guard let report = Report(json: try JSONNode.parse(bytes).value) else {
      throw BenchmarkError.unexpectedContents(path)
    }
    return report
  }

  /// Prints a status message to standard error.
  private static func printStatus(_ line: String) {
    try? Descriptor.write(Array("\(line)\n".utf8), toNumber: 2)
  }
}
