// SPDX-License-Identifier: Apache-2.0

package import Digests
package import JSONText
package import LinuxPrimitives

/// The reason why an operation of the catalog failed.
package enum CatalogError: Error, Sendable, Hashable {
  /// The bundle has errors. Nothing was installed.
  case bundleRefused(path: String, [ManifestDiagnostic])
  /// The bundle was changed while it was copied. Nothing was installed.
  case changedWhileCopied(path: String, [ManifestDiagnostic])
  /// The bundle is inside the catalog's own directory.
  case bundleInsideCatalog(path: String)
  /// No such app is installed.
  case appNotInstalled(id: String, nearest: String?)
  /// No such extension is installed.
  case extensionNotInstalled(id: String, nearest: String?)
  /// The app has pending session content, so it was not uninstalled.
  case contentPending(app: String, sessions: Int, directory: String)
  /// An extension of the app is running, so the app was not uninstalled.
  case extensionRunning(app: String)
  /// A file differs from the installed one.
  case changed(id: String, path: String, installed: SHA256Digest, found: SHA256Digest)
  /// A symbolic link that leads to the program differs from the installed one.
  case linksChanged(id: String, path: String)
  /// A file of the installation is damaged.
  case damaged(app: String, path: String, InstallationDamage)
  /// The digest of an installed file could not be computed.
  case digest(path: String, DigestError)
  /// A system call failed.
  case systemCall(SystemCallError)
}

/// The damage of an installation.
package enum InstallationDamage: Sendable, Hashable {
  /// The text is not JSON.
  case syntax(JSONSyntaxErrorText, TextPosition)
  /// The file is larger than the catalog writes.
  case tooLarge
  /// A key is missing or has a value that the catalog does not write.
  case key(String)
  /// Another version of Darkroom wrote the file.
  case version(Int64)
  /// A manifest has an error that no installed manifest has.
  case manifest(ManifestDiagnostic)
}

extension CatalogError: CustomStringConvertible {
  /// The error and its fix.
  package var description: String {
    switch self {
    case .bundleRefused(let path, let faults):
      (faults.map(\.description) + ["\(printable(path)) was not installed: \(faultCount(faults))"])
        .joined(separator: "\n")
    case .changedWhileCopied(let path, let faults):
      (faults.map(\.description) + [
        "\(printable(path)) was not installed, because it changed during the copy; install it again when it is complete"
      ]).joined(separator: "\n")
    case .bundleInsideCatalog(let path):
      "\(printable(path)) is an installed copy; install the original bundle"
    case .appNotInstalled(let id, let nearest):
      "app '\(printable(id))' is not installed; \(suggestion(nearest))"
    case .extensionNotInstalled(let id, let nearest):
      "extension '\(printable(id))' is not installed; \(suggestion(nearest))"
    case .contentPending(let app, let sessions, let directory):
      "\(app) was not uninstalled: \(directory) has pending content of \(sessions) session\(sessions == 1 ? "" : "s");"
        + " let the app take it, export and invalidate it (darkroom content --help), or discard it with --discard-content"
    case .extensionRunning(let app):
      "\(app) was not uninstalled: one of its extensions is running; dismiss it first ('darkroom ps' lists it)"
    case .changed(let id, let path, let installed, let found):
      "\(id) was changed after its installation: \(path) has the digest \(found) instead of \(installed);"
        + " if you trust the change, install the app again"
    case .linksChanged(let id, let path):
      "\(id) was changed after its installation: a symbolic link that leads from \(path) to the program differs;"
        + " if you trust the change, install the app again"
    case .damaged(let app, let path, let damage):
      "the installation of \(app) is damaged: \(path): \(damage); install the app again"
    case .digest(let path, let error): "\(path): \(error)"
    case .systemCall(let error): "\(error); \(fix(for: error.errno))"
    }
  }

  private func faultCount(_ faults: [ManifestDiagnostic]) -> String {
    let count = faults.count { $0.severity == .error }
    return "\(count) error\(count == 1 ? "" : "s")"
  }

  private func suggestion(_ nearest: String?) -> String {
    nearest.map { "did you mean '\($0)'?" } ?? "'darkroom list' lists the installed apps and extensions"
  }

  private func fix(for errno: Errno) -> String {
    switch errno {
    case .noSpace: "free some space and try again"
    case .overQuota: "free some space within this user's quota and try again"
    case .permissionDenied, .notPermitted:
      "make the path accessible for this user, or use another directory with --root DIR"
    case .readOnlyFileSystem: "use a directory on a writable file system with --root DIR"
    default: "nothing was changed; correct the cause and try again"
    }
  }
}

extension InstallationDamage: CustomStringConvertible {
  /// A description of the damage.
  package var description: String {
    switch self {
    case .syntax(let error, let position): "\(position): \(error)"
    case .tooLarge: "the file is too large"
    case .key(let key): "\"\(key)\" is missing or invalid"
    case .version(let version): "this version of Darkroom does not support version \(version)"
    case .manifest(let diagnostic): diagnostic.description
    }
  }
}
