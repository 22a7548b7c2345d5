// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// A campaign that injects each fault into an operation, each time on a new copy of the same root.
struct Walk: Sendable {
  let bench: FaultBench
  /// The name of the campaign, which identifies its faults in `DARKROOM_FAULT`.
  let name: String
  /// The directory that is copied for each case.
  let template: String
  /// The arguments of the worker.
  let order: [String]
  /// The path of the worker program.
  var worker: String
  /// The injection that kills a previous operation: point, action and worker arguments; point 0 means none.
  /// It is repeated for each copy, because copied files have other inodes.
  private var death: [String] = ["0", "none", ""]

  /// Prepares the root for an operation.
  init(_ bench: FaultBench, _ operation: StoreOperation) throws {
    self.bench = bench
    worker = bench.program("darkroom-store-worker")
    name = operation.name
    template = "\(bench.directory)/\(operation.name)"
    for version in ["1", "2"] {
      let bundle = "\(bench.directory)/BUNDLE\(version)"
      if try FileSystem.status(bundle) == nil { try bench.work(template, ["bundle", bundle, version]) }
    }
    for words in operation.before { try bench.work(template, Self.placed(words, bench)) }
    order = Self.placed(operation.order, bench)
  }

  /// Creates a campaign on an existing root.
  init(_ bench: FaultBench, name: String, template: String, order: [String]) {
    self.bench = bench
    worker = bench.program("darkroom-store-worker")
    self.name = name
    self.template = template
    self.order = order
  }

  /// Returns a campaign of the recovery after this operation was killed.
  func recovery(from injury: Injury) -> Walk {
    var walk = Walk(bench, name: "\(name)@\(injury.point.number)", template: template, order: ["recover"])
    walk.worker = worker
    walk.death = ["\(injury.point.number)", injury.action, order.joined(separator: " ")]
    return walk
  }

  /// Runs the prior injection, if any, on a copy of the template. Arguments: copy, injector, worker, point,
  /// action, worker arguments.
  private static let begin = """
    MARK="$1/marks"; export MARK
    p=$1; f=$2; w=$3
    if [ "$4" != 0 ]; then
      "$f" --under "$p/t" --point "$4" --do "$5" -- "$w" "$p/t/root" $6 >/dev/null 2>&1
      [ $? = 137 ] || { echo "it did not die"; exit 97; }
    fi
    shift 6

    """

  private static func placed(_ words: [String], _ bench: FaultBench) -> [String] {
    words.map { $0.hasPrefix("BUNDLE") ? "\(bench.directory)/\($0)" : $0 }
  }

  /// Returns the fault points that the operation passes.
  func points() throws -> [FaultPoint] {
    let place = "\(template)-points"
    defer { try? FileSystem.removeTree(place) }
    try FileSystem.makeDirectories("\(template)/t")
    try TreeCopy.make(of: template, at: place)
    let outcome = try bench.shell(
      Self.begin + """
        "$f" --under "$p/t" --report "$p/report" -- "$w" "$p/t/root" "$@" >"$p/said" 2>&1 \\
          || { cat "$p/said"; exit 98; }
        cat "$p/report"
        """,
      [place, bench.program("darkroom-faults"), worker] + death + order
    )
    try #require(outcome.code == 0, "\(name): \(outcome.output)")
    return outcome.output.split(separator: "\n").compactMap { line in
      FaultPoint(line).map { FaultPoint(number: $0.number, call: $0.call, path: clean($0.path, place)) }
    }
  }

  private func clean(_ path: String, _ place: String) -> String {
    path.split(separator: " ").map { $0.hasPrefix(place) ? String($0.dropFirst(place.count)) : String($0) }
      .joined(separator: " ")
  }

  /// Injects a fault, runs the recovery and checks the root. Returns a description of the failure, or `nil`
  /// if there is none.
  func fault(_ injury: Injury) -> String? {
    let place = "\(template)-\(injury.point.number)-\(injury.action)"
    defer { try? FileSystem.removeTree(place) }
    do {
      try TreeCopy.make(of: template, at: place)
      let outcome = try bench.shell(
        Self.begin + Self.script,
        [place, bench.program("darkroom-faults"), worker] + death
          + ["\(injury.point.number)", injury.action] + order
      )
      guard outcome.code != 0 else { return nil }
      return """
        \(name) \(injury.point.number) \(injury.action), which was \(injury.point.call) \(injury.point.path)
        \(outcome.output)exit \(outcome.code); alone: DARKROOM_FAULT='\(name) \(injury.point.number) \(injury.action)'
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
  func run(_ injuries: [Injury]) throws -> WalkResult {
    var chosen = injuries
    if let only = CurrentProcess.environment("DARKROOM_FAULT") {
      let words = only.split(separator: " ").map(String.init)
      guard words.count == 3, words[0] == name, let number = Int(words[1]) else {
        return WalkResult(name: name)
      }
      let point = FaultPoint(number: number, call: "?", path: "?")
      chosen = [Injury(point: point, action: words[2])]
    }
    let faults = try inPairs(chosen) { fault($0) }.compactMap { $0 }
    return WalkResult(name: name, count: chosen.count, faults: faults)
  }
}
