// SPDX-License-Identifier: Apache-2.0

/// A D-Bus method call as bytes (D-Bus specification, "Message Protocol").
///
/// It contains only what a request to systemd needs, so that the host does not have to load a library at each
/// start.
struct BusMessage {
  private var bytes: [UInt8] = []

  /// Returns the bytes of a method call, with the given body and signature.
  static func call(
    _ member: String,
    of interface: String,
    at path: String,
    on destination: String,
    serial: UInt32,
    signature: String = "",
    body: [UInt8] = []
  ) -> [UInt8] {
    var head = BusMessage()
    // Little-endian, a method call, no flags, version 1.
    head.bytes = [UInt8(ascii: "l"), 1, 0, 1]
    head.append(UInt32(body.count))
    head.append(serial)
    head.appendArray(alignment: 8) { fields in
      fields.appendField(1, "o", path)
      fields.appendField(3, "s", member)
      fields.appendField(2, "s", interface)
      fields.appendField(6, "s", destination)
      if !signature.isEmpty { fields.appendField(8, "g", signature) }
    }
    head.align(8)
    return head.bytes + body
  }

  /// Returns the body of `StartTransientUnit` for a delegated scope that contains one process.
  static func scope(_ name: String, description: String, process: UInt32) -> [UInt8] {
    var body = BusMessage()
    body.append(name)
    body.append("fail")
    body.appendArray(alignment: 8) { properties in
      properties.appendProperty("Description", "s") { $0.append(description) }
      properties.appendProperty("PIDs", "au") { value in
        value.appendArray(alignment: 4) { $0.append(process) }
      }
      properties.appendProperty("Delegate", "b") { $0.append(UInt32(1)) }
      // A failed scope would otherwise remain until it is reset.
      properties.appendProperty("CollectMode", "s") { $0.append("inactive-or-failed") }
    }
    // No auxiliary units.
    body.appendArray(alignment: 8) { _ in }
    return body.bytes
  }

  /// The signature of ``scope(_:description:process:)``.
  static let scopeSignature = "ssa(sv)a(sa(sv))"

  private mutating func align(_ size: Int) { while bytes.count % size != 0 { bytes.append(0) } }

  private mutating func append(_ number: UInt32) {
    align(4)
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ text: String) {
    append(UInt32(text.utf8.count))
    bytes += Array(text.utf8) + [0]
  }

  /// Appends a signature, whose length is a single byte.
  private mutating func appendSignature(_ text: String) {
    bytes += [UInt8(text.utf8.count)] + Array(text.utf8) + [0]
  }

  /// Appends an array. Its length does not include the padding before its first element.
  private mutating func appendArray(alignment: Int, _ elements: (inout BusMessage) -> Void) {
    append(UInt32(0))
    let place = bytes.count - 4
    align(alignment)
    let start = bytes.count
    elements(&self)
    withUnsafeBytes(of: UInt32(bytes.count - start).littleEndian) { length in
      for (offset, byte) in length.enumerated() { bytes[place + offset] = byte }
    }
  }

  private mutating func appendField(_ code: UInt8, _ type: String, _ value: String) {
    align(8)
    bytes.append(code)
    appendSignature(type)
    if type == "g" { appendSignature(value) } else { append(value) }
  }

  private mutating func appendProperty(_ name: String, _ type: String, _ value: (inout BusMessage) -> Void) {
    align(8)
    append(name)
    appendSignature(type)
    value(&self)
  }
}

extension BusMessage {
  /// A received message.
  struct Answer: Equatable {
    /// The type of a reply.
    enum Kind: UInt8 {
      /// The request succeeded.
      case done = 2
      /// The request failed.
      case refused = 3
    }

    /// The type, or `nil` if the message is not a reply.
    var kind: Kind?
    /// The serial number of the call that the message replies to.
    var serial: UInt32?
    /// The length in bytes.
    var length: Int
  }

  /// Returns the message at the beginning of `bytes`, or `nil` if it is incomplete. A message that is invalid
  /// or too long is returned without a type.
  static func answer(_ bytes: ArraySlice<UInt8>) -> Answer? {
    let bytes = Array(bytes)
    guard bytes.count >= 16 else { return nil }
    func number(_ at: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) } }
    let fields = Int(number(12))
    let length = 16 + (fields + 7) / 8 * 8 + Int(number(4))
    guard bytes[0] == UInt8(ascii: "l"), length < 1 << 20 else {
      return Answer(kind: nil, serial: nil, length: bytes.count)
    }
    guard bytes.count >= length else { return nil }
    // The field REPLY_SERIAL: code 5, signature "u", and a number. Fields are aligned to eight bytes.
    let serial = stride(from: 16, to: 16 + fields, by: 8).first { at in
      at + 8 <= 16 + fields && bytes[at..<at + 4] == [5, 1, UInt8(ascii: "u"), 0]
    }.map { number($0 + 4) }
    return Answer(kind: Answer.Kind(rawValue: bytes[1]), serial: serial, length: length)
  }
}
