// SPDX-License-Identifier: Apache-2.0

/// Why an analysis has no result. Nothing is ever taken as proved then.
package enum AnalysisError: Error, Sendable, Hashable {
  /// The exact result has more nodes than the space may hold: the programs calculate with arguments in a way that has
  /// no short description.
  case tooManyNodes(limit: Int)
  /// The result takes more steps than the space may make.
  case tooManySteps(limit: Int)
  /// An instruction can be reached with more different contents of the registers than are followed.
  case tooManyStates(limit: Int)
  /// A description has more parts than a person could read.
  case tooManyParts(limit: Int)
}

extension AnalysisError: CustomStringConvertible {
  /// A sentence with the limit.
  package var description: String {
    switch self {
    case .tooManyNodes(let limit):
      "the exact analysis needs more than \(limit) nodes; use fewer conditions on the arguments of one call, and calculate "
        + "nothing with arguments"
    case .tooManySteps(let limit):
      "the exact analysis needs more than \(limit) steps; use fewer conditions on the arguments of one call, and calculate "
        + "nothing with arguments"
    case .tooManyStates(let limit):
      "the program reaches its instructions with more than \(limit) contents of its registers; "
        + "load arguments where they are compared"
    case .tooManyParts(let limit):
      "the exact description has more than \(limit) parts; ask about single calls instead"
    }
  }
}
