// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import LinuxPrimitives

/// Reads the arguments of a message in order (sd_bus_message_read_basic(3)).
struct ArgumentReader {
  /// The message. Its owner keeps it alive while it is read.
  let message: OpaquePointer
  /// The remaining size of the arguments that may be read, in bytes.
  var bytesLeft: Int

  /// Returns all values up to the end of the message or of the current container.
  mutating func values(_ depth: Int) throws(BusFailure) -> [BusValue] {
    guard depth <= BusLimits.argumentDepth else {
      throw .limitsExceeded("the arguments are nested more than \(BusLimits.argumentDepth) levels deep")
    }
    var values: [BusValue] = []
    while true {
      var type: CChar = 0
      var contents: UnsafePointer<CChar>?
      let result = sd_bus_message_peek_type(message, &type, &contents)
      if result == 0 { return values }
      guard result > 0 else { throw Self.malformed }
      values.append(try value(type, contents.map { String(cString: $0) } ?? "", depth))
    }
  }

  /// Reads a value of a type. `contents` is the signature of the values inside of a container.
  private mutating func value(_ type: CChar, _ contents: String, _ depth: Int) throws(BusFailure) -> BusValue
  {
    switch Character(Unicode.Scalar(UInt8(bitPattern: type))) {
    case "y": return .byte(try number(type, UInt8(0)))
    case "b": return .bool(try number(type, Int32(0)) != 0)
    case "n": return .int16(try number(type, Int16(0)))
    case "q": return .uint16(try number(type, UInt16(0)))
    case "i": return .int32(try number(type, Int32(0)))
    case "u": return .uint32(try number(type, UInt32(0)))
    case "x": return .int64(try number(type, Int64(0)))
    case "t": return .uint64(try number(type, UInt64(0)))
    case "d": return .double(try number(type, Double(0)))
    case "s": return .string(try text(type))
    case "o": return .objectPath(try text(type))
    case "g": return .signature(try text(type))
    case "h": return .descriptor(try descriptor(type))
    case "a": return .array(element: contents, try container(type, contents, depth))
    case "r": return .structure(try container(type, contents, depth))
    case "v":
      guard let value = try container(type, contents, depth).first else { throw Self.malformed }
      return .variant(value)
    case "e":
      let values = try container(type, contents, depth)
      guard values.count == 2 else { throw Self.malformed }
      return .entry(values[0], values[1])
    default: throw Self.malformed
    }
  }

  private mutating func container(
    _ type: CChar,
    _ contents: String,
    _ depth: Int
  ) throws(BusFailure) -> [BusValue] {
    try spend(8)
    guard sd_bus_message_enter_container(message, type, contents) > 0 else { throw Self.malformed }
    let values = try values(depth + 1)
    guard sd_bus_message_exit_container(message) >= 0 else { throw Self.malformed }
    return values
  }

  /// Reads a number. Its type determines the number of bytes that sd-bus writes; `initial` must have this
  /// type.
  private mutating func number<Number>(_ type: CChar, _ initial: Number) throws(BusFailure) -> Number {
    try spend(8)
    var value = initial
    let result = withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(message, type, $0) }
    guard result > 0 else { throw Self.malformed }
    return value
  }

  private mutating func text(_ type: CChar) throws(BusFailure) -> String {
    var value: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, type, &value) > 0, let value else { throw Self.malformed }
    let text = String(cString: value)
    try spend(text.utf8.count + 8)
    return text
  }

  /// Returns a duplicate of a descriptor, which the message owns.
  private mutating func descriptor(_ type: CChar) throws(BusFailure) -> HeldDescriptor {
    let raw = try number(type, Int32(-1))
    do { return HeldDescriptor(try Descriptor.duplicate(ofNumber: raw)) } catch {
      throw .limitsExceeded("\(error)")
    }
  }

  private mutating func spend(_ bytes: Int) throws(BusFailure) {
    bytesLeft -= bytes
    if bytesLeft < 0 {
      throw .limitsExceeded("the arguments are larger than \(BusLimits.argumentBytes) bytes")
    }
  }

  private static let malformed = BusFailure.invalidArguments("the message is malformed")
}
