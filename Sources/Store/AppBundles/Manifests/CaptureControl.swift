// SPDX-License-Identifier: Apache-2.0

/// A button or tile that launches an extension on the lock screen, and opens its app elsewhere.
package struct CaptureControl: Sendable, Hashable {
  /// The ID of the control, unique in its app.
  package var id: String
  /// The label of the control.
  package var title: String
  /// The ID of the extension that the control launches.
  package var extensionID: String
  /// A one-sentence description of the action, or `nil`.
  package var summary: String?
  /// The icon of the control, or `nil`.
  package var icon: Icon?
  /// The ID of the capture intent that the control performs, or `nil` if the bundle names none.
  package var intent: String?
  /// Whether the user must authenticate first.
  package var authentication: Authentication

  /// The icon of a control.
  package enum Icon: Sendable, Hashable {
    /// An icon of the user's icon theme, by name (freedesktop.org icon naming).
    case named(String)
    /// A file, by its path relative to the bundle.
    case file(String)
  }

  /// Whether the user must authenticate before a control acts.
  package enum Authentication: String, Sendable, Hashable {
    /// No authentication: on the lock screen, the control launches the extension.
    case notNeeded
    /// Authentication is required. Afterwards the control opens the app.
    case required
  }

  /// Creates a control.
  package init(
    id: String,
    title: String,
    extensionID: String,
    summary: String? = nil,
    icon: Icon? = nil,
    intent: String? = nil,
    authentication: Authentication = .notNeeded
  ) {
    self.id = id
    self.title = title
    self.extensionID = extensionID
    self.summary = summary
    self.icon = icon
    self.intent = intent
    self.authentication = authentication
  }
}
