// SPDX-License-Identifier: Apache-2.0

package import JSONText

extension Comparison {
  /// The comparison as JSON with every row.
  package var json: JSONValue {
    .object([
      "caveats": .array(caveats.map { .string($0) }), "changes": .array(changes.map(\.json)),
    ])
  }
}

extension Comparison.Change {
  fileprivate var json: JSONValue {
    .object([
      "table": .string(table), "row": .string(name), "verdict": .string(verdict.label),
      "percent": verdict.percent.flatMap(number),
    ])
  }
}

extension Comparison.Verdict {
  fileprivate var label: String {
    switch self {
    case .unknown: "unknown"
    case .withinNoise: "within the noise"
    case .worse: "worse"
    case .better: "better"
    }
  }

  fileprivate var percent: Double? {
    switch self {
    case .unknown: nil
    case .withinNoise(let percent), .worse(let percent), .better(let percent): percent
    }
  }
}
