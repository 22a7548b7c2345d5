// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

extension BackwardAssembly {
  /// The result of a decision about a system call number.
  enum Target: Hashable {
    /// One verdict for all arguments.
    case answer(Verdict)
    /// The first of the instructions that compare arguments.
    case comparisons(Label)
  }

  /// A range of call numbers with the same target, which ends before the first number of the next range.
  struct Range {
    /// The lowest number.
    var first: UInt32
    /// The target of every number in the range.
    var target: Target
  }

  /// Emits a balanced tree of comparisons of the loaded number.
  ///
  /// - Parameter ranges: The ranges in ascending order; the first range starts at zero.
  /// - Returns: The root of the tree.
  mutating func tree(_ ranges: ArraySlice<Range>) -> Label {
    guard ranges.count > 1 else {
      switch ranges[ranges.startIndex].target {
      case .answer(let verdict): return finish(verdict)
      case .comparisons(let location): return location
      }
    }
    let middle = ranges.startIndex + ranges.count / 2
    let above = tree(ranges[middle...])
    let below = tree(ranges[..<middle])
    return test(.greaterOrEqual, ranges[middle].first, yes: above, no: below)
  }
}

extension [BackwardAssembly.Range] {
  /// Assigns a target to one number; `after` is the target of the next number.
  mutating func append(_ number: UInt32, _ target: BackwardAssembly.Target, after: BackwardAssembly.Target) {
    append(number, target)
    if number < .max { append(number + 1, after) }
  }

  /// Starts a range. A range with the same first number is replaced, and adjacent ranges with equal targets
  /// are merged.
  mutating func append(_ first: UInt32, _ target: BackwardAssembly.Target) {
    if last?.first == first { removeLast() }
    if last?.target != target { append(BackwardAssembly.Range(first: first, target: target)) }
  }
}
