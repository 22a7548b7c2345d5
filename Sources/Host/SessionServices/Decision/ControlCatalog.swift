// SPDX-License-Identifier: Apache-2.0

package import AppBundles

/// A control of an installed app.
package struct InstalledControl: Sendable, Hashable {
  /// The app.
  package var app: InstalledApp
  /// What the app's manifest says of the control.
  package var control: CaptureControl

  /// The name by which no other control can be meant: the app's id, a slash, and the control's.
  package var fullName: String { "\(app.manifest.id)/\(control.id)" }
}

/// The controls of all installed apps.
package struct ControlCatalog: Sendable {
  /// The controls, by app, and in the order of each app's manifest.
  package let controls: [InstalledControl]

  /// The controls of these apps.
  package init(_ apps: [InstalledApp]) {
    controls = apps.flatMap { app in app.manifest.controls.map { InstalledControl(app: app, control: $0) } }
  }

  /// The control that somebody means by its own id or by its full name.
  package func find(_ name: String) throws(ControlFindingError) -> InstalledControl {
    if let exact = controls.first(where: { $0.fullName == name }) { return exact }
    let found = controls.filter { $0.control.id == name }
    guard let control = found.first else { throw .unknown(name, known: controls.map(\.fullName)) }
    guard found.count == 1 else { throw .ambiguous(name, found.map(\.fullName)) }
    return control
  }
}

/// Why no control is meant.
package enum ControlFindingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No app has a control with this name.
  case unknown(String, known: [String])
  /// Several apps have one.
  case ambiguous(String, [String])

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .unknown(let name, let known) where known.isEmpty:
      "there is no control \"\(name)\", and no installed app has any: add \"controls\" to an app.json"
    case .unknown(let name, let known):
      "there is no control \"\(name)\"; there are: \(known.joined(separator: ", "))"
    case .ambiguous(let name, let names):
      "several apps have a control \"\(name)\"; write one of: \(names.joined(separator: ", "))"
    }
  }
}
