// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The result of `camera/settings`.
package struct CameraSettingsResult: WireValue {
  /// The settings, without duplicates.
  package var settings: [CameraSetting]

  /// Creates a result.
  package init(_ settings: [CameraSetting]) { self.settings = settings }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    var settings: [CameraSetting] = []
    for setting in try fields.objects("settings") { settings.append(try CameraSetting(from: setting)) }
    self.settings = settings
  }

  /// The value as JSON.
  package var json: JSONValue { ["settings": .array(settings.map(\.json))] }
}

/// The parameters of `camera/set`.
package struct CameraSettingRequest: WireValue, Hashable {
  /// The setting's name.
  package var name: String
  /// The requested value.
  package var value: Int

  /// Creates a request.
  package init(name: String, value: Int) {
    self.name = name
    self.value = value
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    name = try fields.string("name")
    value = try fields.integer("value", in: CameraSetting.valueRange)
  }

  /// The value as JSON.
  package var json: JSONValue { ["name": .string(name), "value": .integer(Int64(value))] }
}

/// The result of `camera/set`.
package struct CameraSettingResult: WireValue {
  /// The camera's new value, which can differ from the requested one.
  package var value: Int

  /// Creates a result.
  package init(value: Int) { self.value = value }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    value = try fields.integer("value", in: CameraSetting.valueRange)
  }

  /// The value as JSON.
  package var json: JSONValue { ["value": .integer(Int64(value))] }
}
