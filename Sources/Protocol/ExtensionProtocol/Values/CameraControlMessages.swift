// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The declaration of all camera controls of an extension, which replaces the previous one.
package struct CameraControlDeclaration: WireValue, Hashable {
  /// The number of the declaration. Each change that the host reports contains the number of its declaration.
  package var revision: Int
  package var controls: [CameraControl]

  /// Creates a declaration.
  package init(revision: Int, _ controls: [CameraControl]) {
    self.revision = revision
    self.controls = controls
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    revision = try fields.integer("revision", in: 0...Int.max)
    var controls: [CameraControl] = []
    for control in try fields.objects("controls") { controls.append(try CameraControl(from: control)) }
    self.controls = controls
  }

  /// The value as JSON.
  package var json: JSONValue {
    ["revision": .integer(Int64(revision)), "controls": .array(controls.map(\.json))]
  }
}

/// The parameters of `controls/changed`: the user adjusted a camera control.
package struct CameraControlChange: WireValue, Hashable {
  /// The newest declaration that the host had received at the time of the change.
  package var revision: Int
  /// The control's ID.
  package var control: String
  /// The new value.
  package var value: Double

  /// Creates a change.
  package init(revision: Int, control: String, value: Double) {
    self.revision = revision
    self.control = control
    self.value = value
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    revision = try fields.integer("revision", in: 0...Int.max)
    control = try fields.string("control")
    value = try fields.number("value")
  }

  /// The value as JSON.
  package var json: JSONValue {
    ["revision": .integer(Int64(revision)), "control": .string(control), "value": .short(value)]
  }
}
