// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The result of a request of which only matters that it was done.
package struct Nothing: WireValue {
  /// Makes it.
  package init() {}
  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {}
  /// Writes it.
  package var json: JSONValue { [:] }
}

/// The result of `context/get`.
package struct ContextResult: WireValue {
  /// The app context; null if there is none.
  package var context: JSONValue

  /// Makes a result.
  package init(context: JSONValue) { self.context = context }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) { context = try fields.value("context") }

  /// Writes it.
  package var json: JSONValue { ["context": context] }
}

/// The result of `context/update`.
package struct ContextUpdateResult: WireValue {
  /// The size of what is stored now, as compact JSON; 0 if it was cleared.
  package var bytes: Int

  /// Makes a result.
  package init(bytes: Int) { self.bytes = bytes }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    bytes = try fields.integer("bytes", in: 0...Int.max)
  }

  /// Writes it.
  package var json: JSONValue { ["bytes": .integer(Int64(bytes))] }
}

/// The result of `session/invalidateContent`.
package struct InvalidationResult: WireValue {
  /// How many files were erased.
  package var files: Int
  /// How many bytes they had.
  package var bytes: Int

  /// Makes a result.
  package init(files: Int, bytes: Int) {
    self.files = files
    self.bytes = bytes
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    files = try fields.integer("files", in: 0...Int.max)
    bytes = try fields.integer("bytes", in: 0...Int.max)
  }

  /// Writes it.
  package var json: JSONValue { ["files": .integer(Int64(files)), "bytes": .integer(Int64(bytes))] }
}

/// The result of `session/beginActivity`.
package struct ActivityResult: WireValue {
  /// What `session/endActivity` has to name.
  package var activity: String

  /// Makes a result.
  package init(activity: String) { self.activity = activity }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    activity = try fields.string("activity")
  }

  /// Writes it.
  package var json: JSONValue { ["activity": .string(activity)] }
}
