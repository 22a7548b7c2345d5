// SPDX-License-Identifier: Apache-2.0

package import AppBundles

extension PolicyFinder {
  /// The validator for bundles. It uses the policies of their extensions and the files of this machine that
  /// sessions see.
  package static var validator: ManifestValidator {
    ManifestValidator(policyNames: shippedNames) { name in
      guard let found = try? find(name) else { return nil }
      let files = SessionFiles(found.policy)
      return { files.viewed(at: $0) }
    }
  }
}

extension SessionFiles {
  /// Returns the kind of file that the session finds at an absolute path.
  fileprivate func viewed(at path: String) -> FileVisibility {
    switch visibility(of: path) {
    case .program: .program
    case .notExecutable: .file
    case .absent: .absent
    case .danglingLink, .hidden: .hidden
    }
  }
}
