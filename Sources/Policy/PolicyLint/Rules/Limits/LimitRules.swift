// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about resource limits.
extension PolicyRule {
  /// The rule that finds limits that are too high to be effective.
  static let highLimit = PolicyRule(
    "DR4001",
    "high-limit",
    .warning,
    summary: "A limit is too high to be effective",
    justification:
      "A limit protects the machine from a faulty session. A limit far above the usage of a capture lets one session "
      + "exhaust the machine.",
    remediation:
      "Measure the usage of the extension ('darkroom run --record FILE' records it), and allow twice as much."
  ) { linted in
    LimitName.allCases.compactMap { name in
      guard let limit = linted.policy.limits.explicit[name], let high = LimitHeuristics.thresholds[name],
        limit.value > high
      else {
        return nil
      }
      let words = LimitHeuristics.text(limit.value, name.unit)
      return RuleHit(
        name.rawValue,
        limit.origin,
        "\(name.rawValue) is \(words), which is more than \(LimitHeuristics.text(high, name.unit))"
      )
    }
  }

  /// The rule that finds scratch spaces that exceed the memory limit.
  static let scratchBeyondMemory = PolicyRule(
    "DR4002",
    "scratch-beyond-memory",
    .warning,
    summary: "The container is larger than the memory of the session",
    justification:
      "The container is in memory and counts as memory of the session. A program that fills the container is killed "
      + "for lack of memory.",
    remediation: "Make \"scratch\" smaller than \"limits.memory\"."
  ) { linted in
    let (scratch, memory) = (linted.policy.scratchBytes, linted.policy.limits.memory)
    guard scratch >= memory else { return [] }
    let origin = linted.documents.lazy.compactMap(\.scratchBytes).first?.origin ?? linted.documentOrigin
    let words =
      "scratch is \(LimitHeuristics.text(scratch, .bytes)) and memory \(LimitHeuristics.text(memory, .bytes)); "
      + "memory must be larger"
    return [RuleHit("scratch", origin, words)]
  }

  /// The rule that finds limits of zero on output and files.
  static let zeroLimit = PolicyRule(
    "DR4003",
    "nothing-kept",
    .note,
    summary: "No output or no file of the session is kept",
    justification:
      "Without output, the reason of a failure is lost; without files or bytes of files, a capture cannot save an "
      + "image.",
    remediation: "Raise the limit, or justify it."
  ) { linted in
    [LimitName.outputBytes, .sessionBytes, .sessionFiles, .fileSize].compactMap { name in
      guard linted.policy.limits[name] == 0, let limit = linted.policy.limits.explicit[name] else {
        return nil
      }
      return RuleHit(name.rawValue, limit.origin, "\(name.rawValue) is 0")
    }
  }

  /// The rule that finds limits that another limit makes unreachable.
  static let limitNeverReached = PolicyRule(
    "DR4004",
    "limit-never-reached",
    .note,
    summary: "A limit is never reached, because another limit is reached first",
    justification: "The limit has no effect.",
    remediation: "Lower the limit that is never reached, or remove it."
  ) { linted in
    LimitHeuristics.dependentLimits.compactMap { pair in
      let limits = linted.policy.limits
      guard limits[pair.unreachable] > limits[pair.first] else { return nil }
      // The hit is reported in the nearest document with one of both limits, which is the most recent
      // decision.
      let origins = [pair.unreachable, pair.first].compactMap { limits.explicit[$0]?.origin }
      guard let origin = origins.min(by: { linted.index(of: $0) ?? .max < linted.index(of: $1) ?? .max })
      else {
        return nil
      }
      let values = (
        LimitHeuristics.text(limits[pair.unreachable], pair.unreachable.unit),
        LimitHeuristics.text(limits[pair.first], pair.first.unit)
      )
      let words =
        "\(pair.unreachable.rawValue) is \(values.0) and \(pair.first.rawValue) \(values.1): \(pair.reason)"
      return RuleHit(pair.unreachable.rawValue, origin, words)
    }
  }
}

/// Heuristics about the values of limits.
enum LimitHeuristics {
  /// The values above which a limit is hardly effective. All are above the defaults.
  static let thresholds: [LimitName: Int] = [
    .processes: 1024, .descriptors: 4096, .fileSize: 16 << 30, .cpuTime: 12 * 3600, .wallClock: 12 * 3600,
    .addressSpace: 64 << 30, .sessionBytes: 64 << 30, .sessionFiles: 100_000, .outputBytes: 256 << 20,
    .memory: 8 << 30,
  ]

  /// Pairs of limits in which the second limit is reached first.
  static let dependentLimits: [(unreachable: LimitName, first: LimitName, reason: String)] = [
    (.fileSize, .sessionBytes, "one file cannot be larger than all files together"),
    (
      .cpuTime, .wallClock,
      "the session ends before a process with one busy thread has used its processor time"
    ),
  ]

  /// Returns a value in the largest unit without a remainder.
  static func text(_ value: Int, _ unit: LimitName.Unit) -> String {
    let units: [(name: String, size: Int)] =
      switch unit {
      case .count: []
      case .bytes: [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)]
      case .seconds: [("h", 3600), ("m", 60), ("s", 1)]
      }
    let best = units.first { value != 0 && value.isMultiple(of: $0.size) } ?? units.last
    return best.map { "\(value / $0.size)\($0.name)" } ?? "\(value)"
  }
}
