// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension SessionRecord {
  /// Something about the camera that the person could adjust.
  package struct CameraControl: Hashable, Sendable {
    /// What it is called in scripts.
    package var id: String
    /// What kind of thing it is.
    package var kind: String
    /// What people call it.
    package var title: String
    /// The value that it had at last.
    package var value: Double
    /// That value as people saw it.
    package var shown: String

    /// Describes a control.
    package init(id: String, kind: String, title: String, value: Double, shown: String) {
      self.id = id
      self.kind = kind
      self.title = title
      self.value = value
      self.shown = shown
    }

    /// Reads what ``json`` writes.
    init(reading reader: DocumentReader) throws(DocumentFault) {
      self.init(
        id: try reader.string("id"),
        kind: try reader.string("kind"),
        title: try reader.string("title"),
        value: try reader.number("value"),
        shown: try reader.string("shown")
      )
    }

    /// The control as a document.
    var json: JSONValue {
      [
        "id": .string(id), "kind": .string(kind), "title": .string(title),
        "value": Int64(exactly: value).map(JSONValue.integer) ?? .number(value), "shown": .string(shown),
      ]
    }
  }
}
