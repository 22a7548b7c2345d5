// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SessionStore

/// A temporary state root for learning sessions. It is removed with this object; only the learned calls are
/// kept.
package final class LearningWorkspace: Sendable {
  package let root: StateRoot
  /// The app that the sessions belong to.
  package let app: AppStore

  /// Creates a workspace from its parts.
  private init(_ root: StateRoot, _ app: AppStore) {
    self.root = root
    self.app = app
  }

  /// Creates a workspace in a directory for temporary files.
  package static func make(in directory: String) throws(StoreError) -> LearningWorkspace {
    let root = StateRoot(path: "\(directory)/darkroom-learn-\(Randomness.hexadecimal(bytes: 8))")
    try root.prepare()
    return LearningWorkspace(root, try root.app("org.darkroom.learn"))
  }

  /// The path for a proposed policy that is being tried.
  package var proposalPath: String { "\(root.path)/proposal.json" }

  deinit { try? FileSystem.removeTree(root.path) }
}
