// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import LinuxPrimitives

/// Appends arguments to a message (sd_bus_message_append_basic(3)).
struct ArgumentWriter {
  /// The message. Its owner keeps it alive while it is written.
  let message: OpaquePointer

  /// Appends values in order. After an error the message must not be sent.
  func append(_ values: [BusValue]) throws(SystemCallError) {
    for value in values { try append(value) }
  }

  private func append(_ value: BusValue) throws(SystemCallError) {
    switch value {
    case .byte(let number): try append("y", number)
    case .bool(let isTrue): try append("b", Int32(isTrue ? 1 : 0))
    case .int16(let number): try append("n", number)
    case .uint16(let number): try append("q", number)
    case .int32(let number): try append("i", number)
    case .uint32(let number): try append("u", number)
    case .int64(let number): try append("x", number)
    case .uint64(let number): try append("t", number)
    case .double(let number): try append("d", number)
    case .string(let text): try append("s", text: BusText.sanitized(text))
    case .objectPath(let text): try append("o", text: text)
    case .signature(let text): try append("g", text: text)
    case .descriptor(let held): try append("h", held.rawValue)
    case .array(let element, let elements): try append("a", element, elements)
    case .structure(let members): try append("r", members.signature, members)
    case .entry(let key, let value): try append("e", [key, value].signature, [key, value])
    case .variant(let value): try append("v", value.signature, [value])
    }
  }

  /// Appends a number, of which sd-bus reads as many bytes as its type has.
  private func append<Number>(_ type: Unicode.Scalar, _ number: Number) throws(SystemCallError) {
    let result = withUnsafePointer(to: number) { sd_bus_message_append_basic(message, Self.code(type), $0) }
    try BusConnection.check("sd_bus_message_append_basic", result)
  }

  private func append(_ type: Unicode.Scalar, text: String) throws(SystemCallError) {
    let result = text.withCString { sd_bus_message_append_basic(message, Self.code(type), $0) }
    try BusConnection.check("sd_bus_message_append_basic", result)
  }

  private func append(
    _ type: Unicode.Scalar,
    _ contents: String,
    _ values: [BusValue]
  ) throws(SystemCallError) {
    try BusConnection.check(
      "sd_bus_message_open_container",
      sd_bus_message_open_container(message, Self.code(type), contents)
    )
    try append(values)
    try BusConnection.check("sd_bus_message_close_container", sd_bus_message_close_container(message))
  }

  /// Returns a type's letter as sd-bus expects it.
  private static func code(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }
}
