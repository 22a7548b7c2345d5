// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SessionStore

/// A state root for sessions of which nothing is kept but what they taught; it goes away with this value.
package final class LearningPlace: Sendable {
  /// The state root.
  package let root: StateRoot
  /// The app that the sessions belong to.
  package let app: AppStore

  /// Takes over what was made.
  private init(_ root: StateRoot, _ app: AppStore) {
    self.root = root
    self.app = app
  }

  /// Makes one below a directory for temporary files.
  package static func make(in directory: String) throws(StoreError) -> LearningPlace {
    let root = StateRoot(path: "\(directory)/darkroom-learn-\(Randomness.hexadecimal(bytes: 8))")
    try root.prepare()
    return LearningPlace(root, try root.app("org.darkroom.learn"))
  }

  /// Where a policy can lie that is only tried.
  package var proposalPath: String { "\(root.path)/proposal.json" }

  deinit { try? FileSystem.removeTree(root.path) }
}
