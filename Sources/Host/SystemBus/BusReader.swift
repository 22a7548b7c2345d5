// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
package import LinuxPrimitives

/// Reads the values of a message in order (sd_bus_message_read_basic(3)). Unexpected values are `nil`.
package struct BusReader {
  /// The message. Its owner keeps it alive while it is read.
  let message: OpaquePointer
  /// The library with the functions that read it.
  let library: darkroom_systemd

  /// The name of the error if the message is an error reply, or `nil`.
  package var errorName: String? {
    guard library.bus_message_is_method_error(message, nil) > 0 else { return nil }
    return library.bus_message_get_error(message)?.pointee.name.map { String(cString: $0) } ?? "an error"
  }

  /// The errno that sd-bus assigns to the error.
  package var errno: Errno { Errno(rawValue: library.bus_message_get_errno(message)) }
  /// The unique bus name of the sender, which is never reused.
  package var sender: String? { library.bus_message_get_sender(message).map { String(cString: $0) } }
  /// The path of the object that the message concerns.
  package var path: String? { library.bus_message_get_path(message).map { String(cString: $0) } }
  /// The name of the signal.
  package var member: String? { library.bus_message_get_member(message).map { String(cString: $0) } }

  /// Returns the new owner of the service's name if the message is the signal `NameOwnerChanged` of the bus, or
  /// `nil` if it is another message. The owner is empty if the service has exited.
  package func newOwner() -> String? {
    guard member == "NameOwnerChanged", sender == "org.freedesktop.DBus", text() != nil, text() != nil else {
      return nil
    }
    return text()
  }

  /// Returns a string (`s`) or an object path (`o`).
  package func text(_ type: Character = "s") -> String? {
    var value: UnsafePointer<CChar>?
    guard library.bus_message_read_basic(message, code(type), &value) > 0 else { return nil }
    return value.map { String(cString: $0) }
  }

  /// Returns a Boolean, which D-Bus encodes in 32 bits.
  package func bool() -> Bool? {
    var value: Int32 = 0
    return library.bus_message_read_basic(message, code("b"), &value) > 0 ? value != 0 : nil
  }

  /// Returns an unsigned 32-bit integer.
  package func number() -> UInt32? {
    var value: UInt32 = 0
    return library.bus_message_read_basic(message, code("u"), &value) > 0 ? value : nil
  }

  /// Enters a container and returns the result of `body`. The container is exited even if `body` has not read
  /// all of it.
  package func readContainer<Result>(_ type: Character, _ contents: String, _ body: () -> Result?) -> Result?
  {
    guard library.bus_message_enter_container(message, code(type), contents) > 0 else { return nil }
    let result = body()
    while library.bus_message_at_end(message, 0) == 0, library.bus_message_skip(message, nil) >= 0 {}
    return library.bus_message_exit_container(message) >= 0 ? result : nil
  }

  /// Calls `body` with the name of each entry of a dictionary from strings to variants. `body` may read the
  /// value, which is skipped otherwise.
  package func forEachProperty(_ body: (String) -> Void) -> Bool {
    guard library.bus_message_enter_container(message, code("a"), "{sv}") > 0 else { return false }
    while library.bus_message_enter_container(message, code("e"), "sv") > 0 {
      guard let name = text() else { return false }
      body(name)
      while library.bus_message_at_end(message, 0) == 0, library.bus_message_skip(message, nil) >= 0 {}
      guard library.bus_message_exit_container(message) >= 0 else { return false }
    }
    return library.bus_message_exit_container(message) >= 0
  }

  /// Returns a type's letter as the library expects it.
  private func code(_ type: Character) -> CChar { CChar(bitPattern: type.asciiValue ?? 0) }
}
