// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LaunchPlanning
package import SandboxPolicy

/// The intersection or union of policies, proved to allow exactly the calls of the operation.
package struct CombinedPolicy: Sendable {
  /// The document. It extends no other policy.
  package let document: JSONValue
  /// The policy of the document.
  package let found: FoundPolicy

  /// A reason why policies cannot be combined.
  package enum Failure: Error, CustomStringConvertible {
    /// No policy can express the combination.
    case notExpressible(PolicyCombination, PolicyFindingError)
    /// A filter cannot be compiled or compared.
    case filter(FilterSourceError)
    /// The new policy differs from the combination for a call.
    case notEqual(PolicyCombination, call: String)

    /// The error message.
    package var description: String {
      switch self {
      case .notExpressible(let operation, .diagnostics(let diagnostics)):
        "no policy can express the \(operation.rawValue): "
          + diagnostics.all.map(\.mistake.reason).joined(separator: ", ")
      case .notExpressible(let operation, let error):
        "no policy can express the \(operation.rawValue): \(error)"
      case .filter(let error): "\(error)"
      case .notEqual(let operation, let call):
        "INTERNAL ERROR: the new policy is not the \(operation.rawValue): \(call)"
      }
    }
  }

  /// Combines at least one policy.
  package init(
    _ policies: [ResolvedPolicy],
    by operation: PolicyCombination,
    name: String
  ) throws(Failure) {
    var result = policies[0]
    for other in policies.dropFirst() { result = result.combined(by: operation, with: other) }
    result.name = name
    let names = policies.map(\.name)
    let list = names.dropLast().joined(separator: ", ") + " and \(names.last ?? "")"
    result.description = "The \(operation.rawValue) of \(list)."
    document = result.flattened
    do throws(PolicyFindingError) {
      found = try PolicyFinder.resolve(document.bytes(.indented), source: "combined.json")
    } catch { throw .notExpressible(operation, error) }
    let difference: String?
    do throws(FilterSourceError) {
      difference = try CombinationProof().counterexample(of: found.policy, as: operation, of: policies)
    } catch { throw .filter(error) }
    if let difference { throw .notEqual(operation, call: difference) }
  }
}
