// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// What a host that runs more than one session keeps between them, and gives to every runner of its state root.
///
/// One value for the host's life; the sessions use it on their own threads at the same time.
package struct HostResources: Sendable {
  /// The state root that it is for.
  package let stateRoot: StateRoot
  /// Compiles each policy once, and looks at the machine once.
  private let planner: LaunchPlanner

  /// What a host of a state root keeps.
  package init(stateRoot: StateRoot) {
    self.stateRoot = stateRoot
    planner = LaunchPlanner(stateRoot: stateRoot)
  }

  /// The planner for a state root; nil for another one than the host's.
  func planner(for root: StateRoot) -> LaunchPlanner? { root == stateRoot ? planner : nil }
}
