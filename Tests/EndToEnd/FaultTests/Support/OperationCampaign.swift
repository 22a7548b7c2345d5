// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// A campaign that injects each fault into an operation, each time on a new copy of the same root.
struct OperationCampaign: Sendable {
  let harness: FaultHarness
  /// The name of the campaign, which identifies its faults in `DARKROOM_FAULT`.
  let name: String
  /// The directory that is copied for each case.
  let template: String
  /// The arguments of the worker.
  let arguments: [String]
  /// The path of the worker program.
  var worker: String
  /// The injection that kills a previous operation: point, action and worker arguments; point 0 means none.
  /// It is repeated for each copy, because copied files have other inodes.
  private var priorInjection: [String] = ["0", "none", ""]

  /// Prepares the root for an operation.
  init(_ harness: FaultHarness, _ operation: StoreOperation) throws {
    self.harness = harness
    worker = harness.programPath("darkroom-store-worker")
    name = operation.name
    template = "\(harness.directory)/\(operation.name)"
    for version in ["1", "2"] {
      let bundle = "\(harness.directory)/BUNDLE\(version)"
      if try FileSystem.status(bundle) == nil {
        try harness.runWorker(template, ["bundle", bundle, version])
      }
    }
    for arguments in operation.setupCommands {
      try harness.runWorker(template, Self.substitutingBundles(arguments, harness))
    }
    arguments = Self.substitutingBundles(operation.arguments, harness)
  }

  /// Creates a campaign on an existing root.
  init(_ harness: FaultHarness, name: String, template: String, arguments: [String]) {
    self.harness = harness
    worker = harness.programPath("darkroom-store-worker")
    self.name = name
    self.template = template
    self.arguments = arguments
  }

  /// Returns a campaign of the recovery after this operation was killed.
  func recovery(from injection: FaultInjection) -> OperationCampaign {
    var campaign = OperationCampaign(
      harness,
      name: "\(name)@\(injection.point.number)",
      template: template,
      arguments: ["recover"]
    )
    campaign.worker = worker
    campaign.priorInjection = [
      "\(injection.point.number)", injection.action, arguments.joined(separator: " "),
    ]
    return campaign
  }

  /// Runs the prior injection, if any, on a copy of the template. Arguments: copy, injector, worker, point,
  /// action, worker arguments.
  private static let prologue = """
    MARK="$1/marks"; export MARK
    p=$1; f=$2; w=$3
    if [ "$4" != 0 ]; then
      "$f" --under "$p/t" --point "$4" --do "$5" -- "$w" "$p/t/root" $6 >/dev/null 2>&1
      [ $? = 137 ] || { echo "it did not die"; exit 97; }
    fi
    shift 6

    """

  private static func substitutingBundles(_ arguments: [String], _ harness: FaultHarness) -> [String] {
    arguments.map { $0.hasPrefix("BUNDLE") ? "\(harness.directory)/\($0)" : $0 }
  }

  /// Returns the fault points that the operation passes.
  func points() throws -> [FaultPoint] {
    let copy = "\(template)-points"
    defer { try? FileSystem.removeTree(copy) }
    try FileSystem.makeDirectories("\(template)/t")
    try TreeCopy.make(of: template, at: copy)
    let outcome = try harness.shell(
      Self.prologue + """
        "$f" --under "$p/t" --report "$p/report" -- "$w" "$p/t/root" "$@" >"$p/said" 2>&1 \\
          || { cat "$p/said"; exit 98; }
        cat "$p/report"
        """,
      [copy, harness.programPath("darkroom-faults"), worker] + priorInjection + arguments
    )
    try #require(outcome.code == 0, "\(name): \(outcome.output)")
    return outcome.output.split(separator: "\n").compactMap { line in
      FaultPoint(line).map {
        FaultPoint(number: $0.number, call: $0.call, path: relativePaths($0.path, copy))
      }
    }
  }

  private func relativePaths(_ path: String, _ copy: String) -> String {
    path.split(separator: " ").map { $0.hasPrefix(copy) ? String($0.dropFirst(copy.count)) : String($0) }
      .joined(separator: " ")
  }

  /// Injects a fault, runs the recovery and checks the root. Returns a description of the failure, or `nil`
  /// if there is none.
  func failure(_ injection: FaultInjection) -> String? {
    let copy = "\(template)-\(injection.point.number)-\(injection.action)"
    defer { try? FileSystem.removeTree(copy) }
    do {
      try TreeCopy.make(of: template, at: copy)
      let outcome = try harness.shell(
        Self.prologue + Self.script,
        [copy, harness.programPath("darkroom-faults"), worker] + priorInjection
          + ["\(injection.point.number)", injection.action] + arguments
      )
      guard outcome.code != 0 else { return nil }
      return """
        \(name) \(injection.point.number) \(injection.action), which was \(injection.point.call) \(injection.point.path)
        \(outcome.output)exit \(outcome.code); alone: DARKROOM_FAULT='\(name) \(injection.point.number) \(injection.action)'
        """
    } catch { return "\(name): \(error)" }
  }

  /// Injects the fault, recovers and checks one copy. Prints failures with the previous output.
  private static let script = """
    n=$1; a=$2; shift 2
    case $a in *=EACCES | *=EPERM) REFUSED=1; export REFUSED ;; esac
    "$f" --under "$p/t" --point "$n" --do "$a" -- "$w" "$p/t/root" "$@" >"$p/said" 2>&1
    c=$?; r=0
    case $a:$c in
      kill*:137 | fail*:0 | short:0) ;;
      fail*:1 | short:1) grep -q '^error: ' "$p/said" || { echo "it did not say why"; r=1; } ;;
      *) echo "it ended with $c"; r=1 ;;
    esac
    "$w" "$p/t/root" recover check >>"$p/said" 2>&1 || { echo "the recovery or the check after it failed"; r=1; }
    if [ $r != 0 ]; then cat "$p/said"; fi
    exit $r
    """

  /// Injects all given faults, or only the one that `DARKROOM_FAULT` names.
  func run(_ injections: [FaultInjection]) throws -> CampaignResult {
    var chosen = injections
    if let only = CurrentProcess.environment("DARKROOM_FAULT") {
      let arguments = only.split(separator: " ").map(String.init)
      guard arguments.count == 3, arguments[0] == name, let number = Int(arguments[1]) else {
        return CampaignResult(name: name)
      }
      let point = FaultPoint(number: number, call: "?", path: "?")
      chosen = [FaultInjection(point: point, action: arguments[2])]
    }
    let failures = try mapOnTwoThreads(chosen) { failure($0) }.compactMap { $0 }
    return CampaignResult(name: name, count: chosen.count, failures: failures)
  }
}
