// SPDX-License-Identifier: Apache-2.0

package import AppBundles

extension PolicyFinder {
  /// Judges bundles by the policies of their extensions, as sessions on this machine see the host under them.
  package static var validator: ManifestValidator {
    ManifestValidator(policyNames: shippedNames) { name in
      guard let found = try? find(name) else { return nil }
      let files = SessionFiles(found.policy)
      return { files.viewed(at: $0) }
    }
  }
}

extension SessionFiles {
  /// Returns what the session finds at an absolute path.
  fileprivate func viewed(at path: String) -> ViewedFile {
    switch visibility(of: path) {
    case .program: .program
    case .notExecutable: .file
    case .absent: .absent
    case .linkOut, .hidden: .hidden
    }
  }
}
