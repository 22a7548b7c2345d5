// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

extension SessionRecord {
  /// A use of a camera or microphone by a session.
  package struct Use: Hashable, Sendable {
    /// The kind of the device.
    package var subject: PermissionSubject
    /// The name of the device (see `darkroom camera list`), or the path of a file that replaces it.
    package var device: String
    /// The time at which frames or sound first flowed, in milliseconds since 1970.
    package var firstAt: Int64
    /// The time at which they last stopped, or `nil` if the session is running or its host died.
    package var lastAt: Int64?
    /// The total duration in milliseconds, or `nil` if it is unknown.
    package var milliseconds: Int64?

    /// Creates a use.
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
  /// The use as written to records, to the session log and by ``DeviceUseFile``.
  package var json: JSONValue {
    .object([
      "resource": .string(subject.rawValue), "device": .string(device),
      "firstAt": .string(WallClock.text(milliseconds: firstAt)),
      "lastAt": lastAt.map { .string(WallClock.text(milliseconds: $0)) },
      "milliseconds": milliseconds.map(JSONValue.integer),
    ])
  }

  /// Parses a use.
  init(reading reader: DocumentReader) throws(DocumentFault) {
    self.init(
      try reader.enumValue("resource"),
      device: try reader.string("device"),
      firstAt: try reader.timestamp("firstAt"),
      lastAt: try reader.optional("lastAt", reader.timestamp),
      milliseconds: try reader.optional("milliseconds", reader.integer)
    )
  }

  /// Returns the uses in the record excerpt of a log entry; empty for entries of older versions.
  package static func inExcerpt(_ excerpt: JSONValue?) -> [SessionRecord.Use] {
    let elements = excerpt?["uses"]?.elements ?? []
    return elements.compactMap { try? SessionRecord.Use(reading: DocumentReader($0)) }
  }
}
