// SPDX-License-Identifier: Apache-2.0

package import AppBundles

/// A control of an installed app.
package struct InstalledControl: Sendable, Hashable {
  /// The app of the control.
  package var app: InstalledApp
  /// The control in the app's manifest.
  package var control: CaptureControl

  /// The unique name of the control: the app's ID, a slash, and the ID of the control.
  package var fullName: String { "\(app.manifest.id)/\(control.id)" }
}

/// The controls of all installed apps.
package struct ControlCatalog: Sendable {
  /// The controls in the order of the apps and of their manifests.
  package let controls: [InstalledControl]

  /// Creates a catalog of the controls of these apps.
  package init(_ apps: [InstalledApp]) {
    controls = apps.flatMap { app in app.manifest.controls.map { InstalledControl(app: app, control: $0) } }
  }

  /// Returns the control with this ID or full name.
  package func find(_ name: String) throws(ControlFindingError) -> InstalledControl {
    if let exact = controls.first(where: { $0.fullName == name }) { return exact }
    let found = controls.filter { $0.control.id == name }
    guard let control = found.first else { throw .unknown(name, known: controls.map(\.fullName)) }
    guard found.count == 1 else { throw .ambiguous(name, found.map(\.fullName)) }
    return control
  }
}

/// The reason why a name does not select a control.
package enum ControlFindingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No app has a control with this name.
  case unknown(String, known: [String])
  /// Several apps have a control with this ID.
  case ambiguous(String, [String])

  /// The message for the user, with a fix.
  package var description: String {
    switch self {
    case .unknown(let name, let known) where known.isEmpty:
      "unknown control '\(name)': no installed app has controls; add \"controls\" to an app.json"
    case .unknown(let name, let known):
      "unknown control '\(name)'; controls: \(known.joined(separator: ", "))"
    case .ambiguous(let name, let names):
      "several apps have a control '\(name)'; use one of: \(names.joined(separator: ", "))"
    }
  }
}
