// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SandboxPolicy

/// A document of invariants, such as `Policies/invariants.json`.
package struct InvariantDocument: Sendable {
  /// The invariants of the document.
  package let invariants: [Invariant]

  /// Parses a document. `source` is its name in messages.
  package init(_ text: [UInt8], source: String) throws(InvariantError) {
    let reader = InvariantReader(source: source)
    let root: JSONNode
    do { root = try JSONNode.parse(text) } catch {
      throw InvariantError(
        origin: PolicyOrigin(source: source, position: error.position),
        mistake: .notJSON("\(error.reason)")
      )
    }
    let members = try reader.members(root, "the document", known: ["$schema", "description", "invariants"])
    guard let list = members["invariants"] else { throw reader.error(.missingKey("invariants"), root) }
    var invariants: [Invariant] = []
    for node in try reader.elements(list, "invariants") {
      let invariant = try reader.invariant(node)
      guard !invariants.contains(where: { $0.name == invariant.name }) else {
        throw reader.error(.repeated(invariant.name), node)
      }
      invariants.append(invariant)
    }
    self.invariants = invariants
  }
}
