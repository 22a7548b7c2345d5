// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

extension SessionRecord {
  /// That a camera or a microphone was used: from which moment on, and for how long.
  package struct Use: Hashable, Sendable {
    /// What it was.
    package var subject: PermissionSubject
    /// What the device is called (`darkroom camera list`); of a file its path.
    package var device: String
    /// When frames or sound first flowed, in milliseconds since 1970.
    package var firstAt: Int64
    /// When they stopped for the last time; nil: the host died before, or the session runs.
    package var lastAt: Int64?
    /// For how long they flowed, in milliseconds; nil: nobody knows.
    package var milliseconds: Int64?

    /// Describes a use.
    package init(
      _ subject: PermissionSubject,
      device: String,
      firstAt: Int64,
      lastAt: Int64? = nil,
      milliseconds: Int64? = nil
    ) {
      self.subject = subject
      self.device = device
      self.firstAt = firstAt
      self.lastAt = lastAt
      self.milliseconds = milliseconds
    }
  }
}

extension SessionRecord.Use {
  /// The use as a record, the session log and ``UseNotes`` have it.
  package var json: JSONValue {
    .object([
      "resource": .string(subject.rawValue), "device": .string(device),
      "firstAt": .string(WallClock.text(milliseconds: firstAt)),
      "lastAt": lastAt.map { .string(WallClock.text(milliseconds: $0)) },
      "milliseconds": milliseconds.map(JSONValue.integer),
    ])
  }

  /// Reads what ``json`` writes.
  init(reading reader: DocumentReader) throws(DocumentFault) {
    self.init(
      try reader.word("resource"),
      device: try reader.string("device"),
      firstAt: try reader.moment("firstAt"),
      lastAt: try reader.optional("lastAt", reader.moment),
      milliseconds: try reader.optional("milliseconds", reader.integer)
    )
  }

  /// The uses that the essence of a record has in the log; none if it was written before there were any.
  package static func inEssence(_ essence: JSONValue?) -> [SessionRecord.Use] {
    let elements = essence?["uses"]?.elements ?? []
    return elements.compactMap { try? SessionRecord.Use(reading: DocumentReader($0)) }
  }
}
