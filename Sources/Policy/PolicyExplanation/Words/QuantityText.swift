// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// Quantities in policy syntax.
package enum QuantityText {
  /// Returns a quantity in the largest unit without a remainder, such as `64MiB`, `90s`, `2h` or `256`.
  package static func text(_ value: Int, _ unit: LimitName.Unit) -> String {
    let steps: [(name: String, size: Int)] =
      switch unit {
      case .count: [("", 1)]
      case .bytes: [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)]
      case .seconds: [("h", 3600), ("m", 60), ("s", 1)]
      }
    let step = steps.first { value >= $0.size && value % $0.size == 0 }
    return step.map { "\(value / $0.size)\($0.name)" } ?? "0"
  }
}
