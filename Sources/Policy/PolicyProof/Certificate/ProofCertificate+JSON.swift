// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
package import JSONText

extension ProofCertificate {
  /// Returns the certificate for a checker. `digest` is the SHA-256 of the program's bytes.
  package func json(digest: String) -> JSONValue {
    [
      "version": 1, "filter": .string(digest),
      "notifications": .string(supervision.notifications.rawValue),
      "traces": .string(supervision.traces.rawValue),
      "claims": .array(
        claims.map { claim in
          [
            "name": .string(claim.invariant.name), "reason": .string(claim.invariant.reason),
            "forbidden": .array(claim.forbidden.map(\.json)),
          ]
        }
      ),
      "facts": .array(facts.map { .array($0.map(\.json)) }),
    ]
  }
}

extension CallFact {
  /// The fact as JSON: ranges as pairs, and facts about bits as word, mask, value and whether they hold.
  fileprivate var json: JSONValue {
    func ranges(_ ranges: [ClosedRange<UInt32>]) -> JSONValue {
      .array(ranges.map { [.integer(Int64($0.lowerBound)), .integer(Int64($0.upperBound))] })
    }
    let sorted = bits.sorted { ($0.word, $0.mask, $0.value) < ($1.word, $1.mask, $1.value) }
    return [
      "architectures": ranges(architectures), "numbers": ranges(numbers),
      "bits": .array(
        sorted.map {
          [.integer(Int64($0.word)), .integer(Int64($0.mask)), .integer(Int64($0.value)), .bool($0.holds)]
        }
      ),
      "accumulator": accumulator.map { [.integer(Int64($0.word)), .integer(Int64($0.mask))] } ?? .null,
    ]
  }
}
