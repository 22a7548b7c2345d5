// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The result of a request that returns no value.
package struct EmptyResult: WireValue {
  /// Creates the result.
  package init() {}
  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {}
  /// The value as JSON.
  package var json: JSONValue { [:] }
}

/// The result of `context/get`.
package struct ContextResult: WireValue {
  /// The app context, or null if there is none.
  package var context: JSONValue

  /// Creates a result.
  package init(context: JSONValue) { self.context = context }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) { context = try fields.value("context") }

  /// The value as JSON.
  package var json: JSONValue { ["context": context] }
}

/// The result of `context/update`.
package struct ContextUpdateResult: WireValue {
  /// The size of the stored context as compact JSON, or 0 if it was cleared.
  package var bytes: Int

  /// Creates a result.
  package init(bytes: Int) { self.bytes = bytes }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    bytes = try fields.integer("bytes", in: 0...Int.max)
  }

  /// The value as JSON.
  package var json: JSONValue { ["bytes": .integer(Int64(bytes))] }
}

/// The result of `session/invalidateContent`.
package struct InvalidationResult: WireValue {
  /// The number of erased files.
  package var files: Int
  /// The size of the erased files in bytes.
  package var bytes: Int

  /// Creates a result.
  package init(files: Int, bytes: Int) {
    self.files = files
    self.bytes = bytes
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    files = try fields.integer("files", in: 0...Int.max)
    bytes = try fields.integer("bytes", in: 0...Int.max)
  }

  /// The value as JSON.
  package var json: JSONValue { ["files": .integer(Int64(files)), "bytes": .integer(Int64(bytes))] }
}

/// The result of `session/beginActivity`.
package struct ActivityResult: WireValue {
  /// The activity's name for `session/endActivity`.
  package var activity: String

  /// Creates a result.
  package init(activity: String) { self.activity = activity }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    activity = try fields.string("activity")
  }

  /// The value as JSON.
  package var json: JSONValue { ["activity": .string(activity)] }
}
