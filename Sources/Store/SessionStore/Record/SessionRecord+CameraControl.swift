// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension SessionRecord {
  /// A camera control that the user could adjust.
  package struct CameraControl: Hashable, Sendable {
    /// The identifier in scripts.
    package var id: String
    /// The kind of the control.
    package var kind: String
    /// The title for users.
    package var title: String
    /// The last value.
    package var value: Double
    /// The last value as displayed to the user.
    package var shown: String

    /// Creates a control.
    package init(id: String, kind: String, title: String, value: Double, shown: String) {
      self.id = id
      self.kind = kind
      self.title = title
      self.value = value
      self.shown = shown
    }

    /// Parses a control.
    init(reading reader: DocumentReader) throws(DocumentFault) {
      self.init(
        id: try reader.string("id"),
        kind: try reader.string("kind"),
        title: try reader.string("title"),
        value: try reader.number("value"),
        shown: try reader.string("shown")
      )
    }

    /// The control as JSON.
    var json: JSONValue {
      [
        "id": .string(id), "kind": .string(kind), "title": .string(title),
        "value": Int64(exactly: value).map(JSONValue.integer) ?? .number(value), "shown": .string(shown),
      ]
    }
  }
}
