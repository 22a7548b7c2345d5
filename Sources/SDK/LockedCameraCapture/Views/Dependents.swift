// SPDX-License-Identifier: Apache-2.0

/// The views that read a value during their evaluation.
@MainActor
package final class Dependents {
  private var nodes: [ObjectIdentifier: WeakNode] = [:]

  /// A reference that does not keep a removed view.
  private struct WeakNode { weak var node: ViewNode? }

  package nonisolated init() {}

  /// Adds the view that is being evaluated, if there is one.
  package func register() { if let node = ViewGraph.evaluating { register(node) } }

  /// Adds a view.
  package func register(_ node: ViewNode) {
    nodes[ObjectIdentifier(node)] = WeakNode(node: node)
  }

  /// Evaluates the views again, as ``invalidate()``, from any thread.
  package nonisolated func invalidateFromAnyThread() { MainThread.perform { self.invalidate() } }

  /// Evaluates the views again, after the current event; they register again when they read the value.
  package func invalidate() {
    let readers = nodes.values
    nodes = [:]
    for reader in readers { reader.node?.invalidate() }
  }
}
