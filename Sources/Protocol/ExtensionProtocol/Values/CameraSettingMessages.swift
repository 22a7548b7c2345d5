// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The result of `camera/settings`.
package struct CameraSettingsResult: WireValue {
  /// What can be set, each once.
  package var settings: [CameraSetting]

  /// Makes a result.
  package init(_ settings: [CameraSetting]) { self.settings = settings }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    var settings: [CameraSetting] = []
    for setting in try fields.objects("settings") { settings.append(try CameraSetting(from: setting)) }
    self.settings = settings
  }

  /// Writes it.
  package var json: JSONValue { ["settings": .array(settings.map(\.json))] }
}

/// What the camera is to be set to: the parameters of `camera/set`.
package struct CameraSettingWish: WireValue, Hashable {
  /// What is to be set.
  package var name: String
  /// To which value.
  package var value: Int

  /// Describes a wish.
  package init(name: String, value: Int) {
    self.name = name
    self.value = value
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    name = try fields.string("name")
    value = try fields.integer("value", in: CameraSetting.possible)
  }

  /// Writes it.
  package var json: JSONValue { ["name": .string(name), "value": .integer(Int64(value))] }
}

/// The result of `camera/set`.
package struct CameraSettingResult: WireValue {
  /// The value that the camera has now, which may be another than the one that was asked for.
  package var value: Int

  /// Makes a result.
  package init(value: Int) { self.value = value }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    value = try fields.integer("value", in: CameraSetting.possible)
  }

  /// Writes it.
  package var json: JSONValue { ["value": .integer(Int64(value))] }
}
