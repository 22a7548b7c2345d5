// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// All camera controls of an extension, which replace those that it has declared before.
package struct CameraControlDeclaration: WireValue, Hashable {
  /// The number of this declaration; every change that the host tells names the one that it is about.
  package var revision: Int
  /// The controls.
  package var controls: [CameraControl]

  /// Makes a declaration.
  package init(revision: Int, _ controls: [CameraControl]) {
    self.revision = revision
    self.controls = controls
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    revision = try fields.integer("revision", in: 0...Int.max)
    var controls: [CameraControl] = []
    for control in try fields.objects("controls") { controls.append(try CameraControl(from: control)) }
    self.controls = controls
  }

  /// Writes it.
  package var json: JSONValue {
    ["revision": .integer(Int64(revision)), "controls": .array(controls.map(\.json))]
  }
}

/// The person has adjusted a camera control.
package struct CameraControlChange: WireValue, Hashable {
  /// The declaration that the host knew when the person did it.
  package var revision: Int
  /// The control's id.
  package var control: String
  /// The value that it has now.
  package var value: Double

  /// Describes a change.
  package init(revision: Int, control: String, value: Double) {
    self.revision = revision
    self.control = control
    self.value = value
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    revision = try fields.integer("revision", in: 0...Int.max)
    control = try fields.string("control")
    value = try fields.number("value")
  }

  /// Writes it.
  package var json: JSONValue {
    ["revision": .integer(Int64(revision)), "control": .string(control), "value": .short(value)]
  }
}
