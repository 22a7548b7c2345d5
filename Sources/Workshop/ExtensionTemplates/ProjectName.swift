// SPDX-License-Identifier: Apache-2.0

internal import AppBundles

/// The name of a new app, such as `camera`, or an app ID such as `org.flowers.camera`.
package struct ProjectName: Sendable, Equatable {
  /// The domain of a name that is not an app ID.
  private static let standardDomain = "org.example"

  /// The name that the user specified. It is also the name of the directory.
  package let directory: String
  /// The app ID.
  package let id: String

  /// Creates a project name from a command-line argument, or throws if the app ID would be invalid.
  package init(_ name: String) throws(ProjectNameError) {
    let id = name.contains(".") ? name : "\(Self.standardDomain).\(name)"
    // The extension ID is the longest of the derived IDs.
    if let problem = ReverseDNSName.problem(with: "\(id)\(Self.extensionSuffix)") {
      throw ProjectNameError(name: name, reason: "\(problem)")
    }
    directory = name
    self.id = id
  }

  /// The suffix that is appended to the app ID to create the extension ID.
  private static let extensionSuffix = ".capture"

  package var extensionID: String { "\(id)\(Self.extensionSuffix)" }

  /// The last component of the app ID.
  var label: String { String(id.split(separator: ".").last ?? "") }

  /// The name of the app for users: for `my-camera`, `My camera`.
  package var title: String { label.prefix(1).uppercased() + label.dropFirst().replacing("-", with: " ") }
}

/// An invalid project name.
package struct ProjectNameError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name that the user specified.
  let name: String
  /// The reason why it is invalid.
  let reason: String

  /// The error, with a fix.
  package var description: String {
    "'\(name)' is not a valid app name: \(reason); use a name such as camera, or an ID such as org.example.camera"
  }
}
