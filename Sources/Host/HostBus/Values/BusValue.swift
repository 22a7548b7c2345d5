// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A value of a D-Bus message.
indirect enum BusValue: Sendable {
  /// An unsigned 8-bit integer (`y`).
  case byte(UInt8)
  /// A Boolean (`b`).
  case bool(Bool)
  /// A signed 16-bit integer (`n`).
  case int16(Int16)
  /// An unsigned 16-bit integer (`q`).
  case uint16(UInt16)
  /// A signed 32-bit integer (`i`).
  case int32(Int32)
  /// An unsigned 32-bit integer (`u`).
  case uint32(UInt32)
  /// A signed 64-bit integer (`x`).
  case int64(Int64)
  /// An unsigned 64-bit integer (`t`).
  case uint64(UInt64)
  /// A floating point number (`d`).
  case double(Double)
  /// A string (`s`).
  case string(String)
  /// The path of an object (`o`).
  case objectPath(String)
  /// A signature (`g`).
  case signature(String)
  /// A file descriptor (`h`).
  case descriptor(HeldDescriptor)
  /// An array (`a`) with the signature of its elements. A dictionary is an array of entries.
  case array(element: String, [BusValue])
  /// A structure (`(…)`).
  case structure([BusValue])
  /// An entry of a dictionary (`{…}`).
  case entry(BusValue, BusValue)
  /// A value with its signature (`v`).
  case variant(BusValue)
}

extension BusValue {
  /// The signature of the value.
  var signature: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .array(let element, _): "a\(element)"
    case .structure(let members): "(\(members.signature))"
    case .entry(let key, let value): "{\(key.signature)\(value.signature)}"
    case .variant: "v"
    }
  }

  /// The approximate size in a message, in bytes.
  var size: Int {
    switch self {
    case .string(let text), .objectPath(let text), .signature(let text): text.utf8.count + 8
    case .array(_, let elements), .structure(let elements): elements.reduce(8) { $0 + $1.size }
    case .entry(let key, let value): key.size + value.size
    case .variant(let value): value.size + 8
    default: 8
    }
  }

  /// The text, or `nil` if the value is neither a string nor an object path.
  var text: String? {
    switch self {
    case .string(let text), .objectPath(let text): text
    default: nil
    }
  }

  /// The Boolean, or `nil` if the value is not one.
  var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements, or `nil` if the value is not an array.
  var elements: [BusValue]? {
    if case .array(_, let elements) = self { elements } else { nil }
  }

  /// Creates an array of strings (`as`).
  static func strings(_ texts: [String]) -> BusValue { .array(element: "s", texts.map { .string($0) }) }

  /// Creates a dictionary from strings to variants (`a{sv}`).
  static func dictionary(_ entries: [(String, BusValue)]) -> BusValue {
    .array(element: "{sv}", entries.map { .entry(.string($0.0), .variant($0.1)) })
  }
}

extension [BusValue] {
  /// The signatures of all values.
  var signature: String { map(\.signature).joined() }
  /// The approximate size of all values in a message, in bytes.
  var size: Int { reduce(0) { $0 + $1.size } }
}
