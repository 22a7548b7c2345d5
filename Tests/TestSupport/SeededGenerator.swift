// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A generator that returns the same numbers in every run, so that a failure can be reproduced.
package struct SeededGenerator: RandomNumberGenerator {
  /// The state of SplitMix64.
  private var state: UInt64

  /// Creates a generator with a seed.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a random element of a nonempty array.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// Returns `true` with a probability of 1 in `count`.
  package mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

/// The number of random inputs that a differential test compares.
package enum DifferentialRuns {
  /// Returns the count for CI, multiplied by the value of `DARKROOM_DIFFERENTIAL`.
  package static func count(_ standard: Int) -> Int { standard * factor }

  /// The first seed. `DARKROOM_DIFFERENTIAL_SEED` selects inputs other than those of CI.
  package static let seed = variable("DARKROOM_DIFFERENTIAL_SEED").flatMap { UInt64($0) } ?? 1

  private static let factor = variable("DARKROOM_DIFFERENTIAL").flatMap { Int($0) } ?? 1

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
