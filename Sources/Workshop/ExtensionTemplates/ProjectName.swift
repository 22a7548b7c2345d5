// SPDX-License-Identifier: Apache-2.0

internal import AppBundles

/// What a new app is called: `camera`, or with an id of one's own, `org.flowers.camera`.
package struct ProjectName: Sendable, Equatable {
  /// What stands before a name that is no id by itself.
  private static let standardDomain = "org.example"

  /// What the person has said, which is also the directory's name.
  package let directory: String
  /// The app's id.
  package let id: String

  /// Takes what the person has said, or says in a sentence what is wrong with it.
  package init(_ name: String) throws(ProjectNameProblem) {
    let id = name.contains(".") ? name : "\(Self.standardDomain).\(name)"
    // The extension's id is the longest of those that are made of it.
    if let problem = ReverseDNSName.problem(with: "\(id)\(Self.extensionSuffix)") {
      throw ProjectNameProblem(name: name, reason: "\(problem)")
    }
    directory = name
    self.id = id
  }

  /// What makes an extension's id of the app's.
  private static let extensionSuffix = ".capture"

  /// The extension's id.
  package var extensionID: String { "\(id)\(Self.extensionSuffix)" }

  /// The last part of the id.
  var label: String { String(id.split(separator: ".").last ?? "") }

  /// The app's name for people: `my-camera` is My camera.
  package var title: String { label.prefix(1).uppercased() + label.dropFirst().replacing("-", with: " ") }
}

/// Why an app cannot be called so.
package struct ProjectNameProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// What the person has said.
  let name: String
  /// What is wrong with it.
  let reason: String

  /// A sentence with the mend.
  package var description: String {
    "an app cannot be called \"\(name)\": \(reason); take a name such as camera, or an id such as org.example.camera"
  }
}
