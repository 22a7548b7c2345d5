// SPDX-License-Identifier: Apache-2.0

/// A reason for which an analysis has no result. No claim counts as proved in this case.
package enum AnalysisError: Error, Sendable, Hashable {
  /// The exact result has more nodes than the space may hold: the programs calculate with arguments in a way
  /// that has no compact diagram.
  case tooManyNodes(limit: Int)
  /// The result takes more steps than the space may execute.
  case tooManySteps(limit: Int)
  /// An instruction can be reached with more combinations of register contents than the analysis follows.
  case tooManyStates(limit: Int)
  /// A description has more parts than a reader could use.
  case tooManyParts(limit: Int)
}

extension AnalysisError: CustomStringConvertible {
  /// A sentence with the limit.
  package var description: String {
    switch self {
    case .tooManyNodes(let limit):
      "the exact analysis needs more than \(limit) nodes; use fewer conditions on the arguments of one call, and no "
        + "arithmetic on arguments"
    case .tooManySteps(let limit):
      "the exact analysis needs more than \(limit) steps; use fewer conditions on the arguments of one call, and no "
        + "arithmetic on arguments"
    case .tooManyStates(let limit):
      "the program reaches its instructions with more than \(limit) register states; load each argument directly "
        + "before its comparison"
    case .tooManyParts(let limit):
      "the exact description has more than \(limit) parts; query single calls instead"
    }
  }
}
