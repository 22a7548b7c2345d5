// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
package import LinuxPrimitives

/// A non-blocking connection to a service on a message bus (sd-bus(3)).
///
/// All calls must be made on one thread.
package final class BusConnection {
  /// The receiver of messages of a connection.
  package protocol Listener: AnyObject {
    /// Handles the reply to the pending call.
    func didReceiveReply(_ reader: BusReader)
    /// Handles a signal that matches a registered rule.
    func didReceiveSignal(_ reader: BusReader)
  }

  /// The functions of libsystemd.
  private let library: darkroom_systemd
  private let bus: OpaquePointer
  /// The bus name of the service.
  private let service: String
  private unowned let listener: any Listener

  /// Whether libsystemd can be loaded, which each connection requires.
  package static var isAvailable: Bool { SystemdLibrary.functions != nil }

  /// Starts to connect. Authentication and all later steps happen in ``process()``.
  ///
  /// - Parameters:
  ///   - address: The D-Bus address of the bus.
  ///   - service: The bus name of the service whose methods are called.
  ///   - listener: The receiver of replies and signals, which must outlive the connection.
  /// - Throws: The error of the first step that fails. Without libsystemd, the error is `EOPNOTSUPP`.
  package init(_ address: String, service: String, listener: any Listener) throws(SystemCallError) {
    guard let library = SystemdLibrary.functions else {
      throw SystemCallError("dlopen", errno: .notSupported)
    }
    self.library = library
    self.service = service
    var made: OpaquePointer?
    try Self.check("sd_bus_new", library.bus_new(&made))
    guard let made else { throw SystemCallError("sd_bus_new", errno: .noSpace) }
    bus = made
    self.listener = listener
    try Self.check("sd_bus_set_address", library.bus_set_address(bus, address))
    try Self.check("sd_bus_set_bus_client", library.bus_set_bus_client(bus, 1))
    try Self.check("sd_bus_start", library.bus_start(bus))
    // 5 seconds, in microseconds. A service that does not reply in this time is treated as unavailable.
    try Self.check("sd_bus_set_method_call_timeout", library.bus_set_method_call_timeout(bus, 5_000_000))
  }

  deinit { _ = library.bus_close_unref(bus) }

  /// The socket, valid as long as the connection exists.
  package var descriptor: Int32 { library.bus_get_fd(bus) }
  /// The events for which the socket has to be polled now.
  package var interest: Readiness {
    Readiness(rawValue: Int16(truncatingIfNeeded: library.bus_get_events(bus)))
  }
  /// The time at which ``process()`` should be called without an event, or `nil`.
  package var deadline: UInt64? {
    var microseconds: UInt64 = .max
    guard library.bus_get_timeout(bus, &microseconds) > 0, microseconds != .max else { return nil }
    return microseconds.multipliedReportingOverflow(by: 1000).partialValue
  }

  /// Receives and sends pending messages.
  ///
  /// - Throws: An error if the connection is lost.
  package func process() throws(SystemCallError) {
    // The number is limited, so that a flood of messages does not block this thread; the socket stays
    // readable.
    for _ in 0..<256 {
      let result = library.bus_process(bus, nil)
      if result < 0 { throw SystemCallError("sd_bus_process", errno: Errno(rawValue: -result)) }
      if result == 0 { return }
    }
  }

  /// Registers for the signals of the service, and for its start and exit (`NameOwnerChanged`).
  package func matchSignals() throws(SystemCallError) {
    try match("type='signal',sender='\(service)'")
    try match(
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
        + "member='NameOwnerChanged',arg0='\(service)'"
    )
  }

  private func match(_ rule: String) throws(SystemCallError) {
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    try Self.check(
      "sd_bus_add_match_async",
      library.bus_add_match_async(bus, nil, rule, Self.takeSignal, nil, pointer)
    )
  }

  /// Calls a method of the service. The listener receives the reply if `wantsReply` is true.
  package func call(
    _ path: String,
    _ interface: String,
    _ member: String,
    _ arguments: [Argument] = [],
    wantsReply: Bool = true
  )
    throws(SystemCallError)
  {
    var made: OpaquePointer?
    try Self.check(
      "sd_bus_message_new_method_call",
      library.bus_message_new_method_call(bus, &made, service, path, interface, member)
    )
    defer { _ = library.bus_message_unref(made) }
    for argument in arguments {
      switch argument {
      case .text(let text):
        try Self.check("sd_bus_message_append_basic", library.bus_message_append_basic(made, 115, text))
      case .number(var number):
        try Self.check("sd_bus_message_append_basic", library.bus_message_append_basic(made, 117, &number))
      }
    }
    guard wantsReply else {
      try Self.check("sd_bus_message_set_expect_reply", library.bus_message_set_expect_reply(made, 0))
      try Self.check("sd_bus_send", library.bus_send(bus, made, nil))
      return
    }
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    try Self.check("sd_bus_call_async", library.bus_call_async(bus, nil, made, Self.takeReply, pointer, 0))
  }

  /// An argument of a method call.
  package enum Argument {
    /// A string (D-Bus type `s`).
    case text(String)
    /// An unsigned 32-bit integer (D-Bus type `u`).
    case number(UInt32)
  }

  /// Returns the address of the system bus, which `DBUS_SYSTEM_BUS_ADDRESS` can set. `environment` returns the
  /// value of an environment variable.
  package static func systemAddress(_ environment: (String) -> String?) -> String {
    let address = environment("DBUS_SYSTEM_BUS_ADDRESS") ?? ""
    return address.isEmpty ? "unix:path=/run/dbus/system_bus_socket" : address
  }

  // The pointer refers to the connection, which closes the bus before it is deallocated; no callback runs
  // after that.

  private static let takeReply: sd_bus_message_handler_t = { message, pointer, _ in
    guard let message, let pointer else { return 0 }
    let connection = Unmanaged<BusConnection>.fromOpaque(pointer).takeUnretainedValue()
    connection.listener.didReceiveReply(BusReader(message: message, library: connection.library))
    return 0
  }

  private static let takeSignal: sd_bus_message_handler_t = { message, pointer, _ in
    guard let message, let pointer else { return 0 }
    let connection = Unmanaged<BusConnection>.fromOpaque(pointer).takeUnretainedValue()
    connection.listener.didReceiveSignal(BusReader(message: message, library: connection.library))
    return 0
  }

  /// Throws an error if sd-bus returned a negative errno.
  private static func check(_ call: StaticString, _ result: Int32) throws(SystemCallError) {
    if result < 0 { throw SystemCallError(call, errno: Errno(rawValue: -result)) }
  }
}

/// libsystemd, which is loaded on first use.
enum SystemdLibrary {
  /// The functions of the library, or `nil` if it is not installed.
  static let functions: darkroom_systemd? = LibraryFunctions.load { darkroom_systemd_load($0) }
}
