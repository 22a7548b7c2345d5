// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import LinuxPrimitives

/// A message that a connection has received. It belongs to the thread of the connection.
final class ReceivedMessage {
  /// The message of sd-bus, valid as long as this object exists.
  let pointer: OpaquePointer

  /// Takes ownership of a reference to a message.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sd_bus_message_unref(pointer) }

  /// A kind of message.
  enum Kind {
    /// A method call.
    case call
    /// A signal.
    case signal
    /// A reply, or another message that needs no answer.
    case other
  }

  /// The kind of the message.
  var kind: Kind {
    var type: UInt8 = 0
    guard sd_bus_message_get_type(pointer, &type) >= 0 else { return .other }
    return switch Int(type) {
    case Int(SD_BUS_MESSAGE_METHOD_CALL): .call
    case Int(SD_BUS_MESSAGE_SIGNAL): .signal
    default: .other
    }
  }

  /// The unique bus name of the sender, which is never reused, or `nil` if the bus reported none.
  var sender: String? { Self.text(sd_bus_message_get_sender(pointer)) }
  /// The path of the object.
  var path: String? { Self.text(sd_bus_message_get_path(pointer)) }
  /// The name of the interface, or `nil` if the call names none.
  var interface: String? { Self.text(sd_bus_message_get_interface(pointer)) }
  /// The name of the method or signal.
  var member: String? { Self.text(sd_bus_message_get_member(pointer)) }
  /// The signature of the arguments.
  var signature: String { Self.text(sd_bus_message_get_signature(pointer, 1)) ?? "" }

  /// Returns the arguments.
  ///
  /// - Throws: `LimitsExceeded` if they exceed the limits, or `InvalidArgs` if the message is malformed.
  func arguments(maximumBytes: Int = BusLimits.argumentBytes) throws(BusFailure) -> [BusValue] {
    sd_bus_message_rewind(pointer, 1)
    var reader = ArgumentReader(message: pointer, bytesLeft: maximumBytes)
    return try reader.values(0)
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
