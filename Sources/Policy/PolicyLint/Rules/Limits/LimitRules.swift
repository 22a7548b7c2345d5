// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about resource limits.
extension PolicyRule {
  /// The rule that finds limits that are too high to be effective.
  static let highLimit = PolicyRule(
    "DR4001",
    "high-limit",
    .warning,
    summary: "A limit is so high that it hardly limits anything",
    justification:
      "A limit is there for the session that has gone wrong. One far above what a capture takes lets it take the machine "
      + "with it.",
    remediation:
      "Measure what the extension takes ('darkroom run --record FILE' names it) and allow twice that."
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
        "\(name.rawValue) is \(words), more than \(LimitHeuristics.text(high, name.unit))"
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
      "The container is in memory and counts towards it. A program that fills it, as it may, is ended for its memory.",
    remediation: "Make \"scratch\" smaller than \"limits.memory\"."
  ) { linted in
    let (scratch, memory) = (linted.policy.scratchBytes, linted.policy.limits.memory)
    guard scratch >= memory else { return [] }
    let origin = linted.documents.lazy.compactMap(\.scratchBytes).first?.origin ?? linted.documentOrigin
    let words =
      "\(LimitHeuristics.text(scratch, .bytes)) of scratch do not fit into \(LimitHeuristics.text(memory, .bytes)) of memory"
    return [RuleHit("scratch", origin, words)]
  }

  /// The rule that finds limits of zero on output and files.
  static let zeroLimit = PolicyRule(
    "DR4003",
    "nothing-kept",
    .note,
    summary: "Nothing of what the session says or makes is kept",
    justification:
      "With no output the reason of a failure is lost; with no files or bytes of files a capture cannot leave a picture.",
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
    summary: "A limit is never reached, because another one comes first",
    justification: "It seems to bound something and does not.",
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
    (.fileSize, .sessionBytes, "one file cannot be larger than all of them"),
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
