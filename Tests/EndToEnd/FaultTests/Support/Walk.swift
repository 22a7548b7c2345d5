// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// Injures an operation at its points, one after the other, each time on a fresh copy of the same root.
struct Walk: Sendable {
  let bench: FaultBench
  /// The name of what is walked through, for whoever repeats it.
  let name: String
  /// The place that each case is a copy of.
  let template: String
  /// What the worker is ordered to do.
  let order: [String]
  /// The program that is ordered.
  var worker: String
  /// What it was ordered before, and died of; empty for none. Each copy dies for itself: a file of a copy is another.
  private var death: [String] = ["0", "none", ""]

  /// Prepares an operation.
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

  /// Continues with a place as it is.
  init(_ bench: FaultBench, name: String, template: String, order: [String]) {
    self.bench = bench
    worker = bench.program("darkroom-store-worker")
    self.name = name
    self.template = template
    self.order = order
  }

  /// The recovery from a death of this operation.
  func recovery(from injury: Injury) -> Walk {
    var walk = Walk(bench, name: "\(name)@\(injury.point.number)", template: template, order: ["recover"])
    walk.worker = worker
    walk.death = ["\(injury.point.number)", injury.action, order.joined(separator: " ")]
    return walk
  }

  /// Lets a copy of the template die, if it is to; arguments: copy, injector, worker, the death.
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

  /// The points that the order passes.
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

  /// Injures the operation, recovers, and compares with what was promised. Nil: all is right.
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

  /// Everything that happens to one copy. What fails is printed, with all that was said before.
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

  /// Tries all injuries, or the one that `DARKROOM_FAULT` names.
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
