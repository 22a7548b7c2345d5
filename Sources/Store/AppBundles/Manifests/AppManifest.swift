// SPDX-License-Identifier: Apache-2.0

/// The manifest of an app, `app.json`.
package struct AppManifest: Sendable, Hashable {
  /// The ID of the app, in reverse DNS: `org.example.camera`.
  package var id: String
  /// The display name of the app.
  package var name: String
  /// The program that opens the app and its arguments, or an empty array if there is none.
  package var open: [String]
  /// The usage descriptions of protected resources.
  package var usageDescriptions: UsageDescriptions
  /// The groups whose containers the other parts of the app share. An extension never sees a group container.
  package var groups: [String]
  /// The controls that launch the app's extensions.
  package var controls: [CaptureControl]

  /// Creates a manifest.
  package init(
    id: String,
    name: String,
    open: [String] = [],
    usageDescriptions: UsageDescriptions = UsageDescriptions(),
    groups: [String] = [],
    controls: [CaptureControl] = []
  ) {
    self.id = id
    self.name = name
    self.open = open
    self.usageDescriptions = usageDescriptions
    self.groups = groups
    self.controls = controls
  }
}
