// SPDX-License-Identifier: Apache-2.0

/// What an app says of itself in its `app.json`.
package struct AppManifest: Sendable, Hashable {
  /// The app's name for machines, in reverse DNS: `org.example.camera`.
  package var id: String
  /// The app's name for people.
  package var name: String
  /// The program that opens the app and its arguments; empty if it has none.
  package var open: [String]
  /// What the app uses of the person's, and why.
  package var usageDescriptions: UsageDescriptions
  /// The groups whose containers the app's other parts share; an extension never sees one.
  package var groups: [String]
  /// The buttons and tiles that launch an extension of this app.
  package var controls: [CaptureControl]

  /// Makes a manifest.
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
