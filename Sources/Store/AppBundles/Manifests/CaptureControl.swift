// SPDX-License-Identifier: Apache-2.0

/// A button or tile that launches an extension at the lock screen, and opens its app elsewhere.
package struct CaptureControl: Sendable, Hashable {
  /// The control's name for machines, unique in its app.
  package var id: String
  /// What stands on it.
  package var title: String
  /// The id of the extension that it launches.
  package var extensionID: String
  /// One sentence about what it does, or nil.
  package var summary: String?
  /// The picture on it, or nil.
  package var icon: Icon?
  /// The id of the capture intent that it performs, or nil if the bundle names none.
  package var intent: String?
  /// Whether a person has to authenticate before it does anything.
  package var authentication: Authentication

  /// The picture on a control.
  package enum Icon: Sendable, Hashable {
    /// One of the person's icon theme, by name (freedesktop.org icon naming).
    case named(String)
    /// A file, by its path from the bundle's directory.
    case file(String)
  }

  /// Whether a person has to authenticate before a control does anything.
  package enum Authentication: String, Sendable, Hashable {
    /// No: at the lock screen it launches the extension.
    case notNeeded
    /// Yes: it opens the app, after authentication.
    case required
  }

  /// Makes a control.
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
