// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import LaunchPlanning
package import SessionStore

/// The subject of an audit.
package enum AuditSubject {
  /// An app with all its extensions.
  case app(InstalledApp)
  /// One extension.
  case one(InstalledExtension)

  /// Finds the installed app or extension with an ID.
  package init(_ id: String, in root: StateRoot) throws(CatalogError) {
    let catalog = root.catalog
    if let app = try catalog.app(id) { self = .app(app) } else { self = .one(try catalog.find(id)) }
  }

  /// The extensions of the subject.
  package var extensions: [InstalledExtension] {
    switch self {
    case .app(let app): app.extensions
    case .one(let found): [found]
    }
  }

  /// Returns the digests of everything that the sessions of the extensions run with.
  package func audited() throws(AuditEvidenceError) -> [AuditAttestation.Extension] {
    try extensions.map { installed throws(AuditEvidenceError) in
      try AuditEvidenceCollector.audited(installed, AuditEvidenceCollector.policy(of: installed))
    }
  }
}
