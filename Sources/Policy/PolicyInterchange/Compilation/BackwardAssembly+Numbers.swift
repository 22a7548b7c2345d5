// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

extension BackwardAssembly {
  /// The end of a decision about the number of a call.
  enum Target: Hashable {
    /// The same answer for all arguments.
    case answer(Verdict)
    /// Instructions that compare arguments.
    case comparisons(Place)
  }

  /// Numbers with the same target, up to the first number of the next range.
  struct Range {
    /// The lowest number.
    var first: UInt32
    /// The target of every number.
    var target: Target
  }

  /// Writes a balanced tree of comparisons of the loaded number, and returns its root.
  ///
  /// - Parameter ranges: The ranges in ascending order; the first one begins with zero.
  /// - Returns: The root of the tree.
  mutating func tree(_ ranges: ArraySlice<Range>) -> Place {
    guard ranges.count > 1 else {
      switch ranges[ranges.startIndex].target {
      case .answer(let verdict): return finish(verdict)
      case .comparisons(let place): return place
      }
    }
    let middle = ranges.startIndex + ranges.count / 2
    let above = tree(ranges[middle...])
    let below = tree(ranges[..<middle])
    return test(.greaterOrEqual, ranges[middle].first, yes: above, no: below)
  }
}

extension [BackwardAssembly.Range] {
  /// Gives one number another target; `after` is the target of the next number.
  mutating func append(_ number: UInt32, _ target: BackwardAssembly.Target, after: BackwardAssembly.Target) {
    append(number, target)
    if number < .max { append(number + 1, after) }
  }

  /// Begins a range; a range that begins with the same number is replaced, and equal neighbors are joined.
  mutating func append(_ first: UInt32, _ target: BackwardAssembly.Target) {
    if last?.first == first { removeLast() }
    if last?.target != target { append(BackwardAssembly.Range(first: first, target: target)) }
  }
}
