// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import LinuxPrimitives

/// A connection to a message bus (sd-bus(3)). It belongs to one thread at a time.
final class BusConnection {
  /// The connection of sd-bus, valid as long as this object exists.
  let bus: OpaquePointer

  private init(owning bus: OpaquePointer) { self.bus = bus }

  deinit { sd_bus_close_unref(bus) }

  /// Connects to the bus with an address, or to the session bus of this process. Authentication happens with
  /// the first message.
  static func open(_ address: String?) throws(SystemCallError) -> BusConnection {
    var made: OpaquePointer?
    guard let address else {
      try check("sd_bus_open_user", sd_bus_open_user(&made))
      guard let made else { throw SystemCallError("sd_bus_open_user", errno: .noSpace) }
      return BusConnection(owning: made)
    }
    try check("sd_bus_new", sd_bus_new(&made))
    guard let made else { throw SystemCallError("sd_bus_new", errno: .noSpace) }
    let connection = BusConnection(owning: made)
    try check("sd_bus_set_address", sd_bus_set_address(made, address))
    try check("sd_bus_set_bus_client", sd_bus_set_bus_client(made, 1))
    try check("sd_bus_start", sd_bus_start(made))
    return connection
  }

  /// Throws an error if sd-bus returned a negative errno.
  static func check(_ call: StaticString, _ result: Int32) throws(SystemCallError) {
    if result < 0 { throw SystemCallError(call, errno: Errno(rawValue: -result)) }
  }
}

// MARK: - Waiting

extension BusConnection {
  /// The socket, valid as long as the connection exists.
  var descriptor: Int32 { sd_bus_get_fd(bus) }
  /// The events for which the socket has to be polled now.
  var interest: Readiness { Readiness(rawValue: Int16(truncatingIfNeeded: sd_bus_get_events(bus))) }
  /// The time at which ``next()`` should be called without an event, or `nil`.
  var deadline: UInt64? {
    var microseconds: UInt64 = .max
    guard sd_bus_get_timeout(bus, &microseconds) > 0, microseconds != .max else { return nil }
    return microseconds.multipliedReportingOverflow(by: 1000).partialValue
  }

  /// The result of one step of ``next()``.
  enum Step {
    /// A message was received.
    case message(ReceivedMessage)
    /// Messages were sent, or sd-bus has handled a message.
    case progress
    /// No message is pending.
    case idle
  }

  /// Sends pending messages and receives the next one.
  ///
  /// sd-bus itself answers calls of the interface `org.freedesktop.DBus.Peer`. No other handler is
  /// registered, so sd-bus returns all other messages.
  ///
  /// - Throws: An error if the connection is lost.
  func next() throws(SystemCallError) -> Step {
    var message: OpaquePointer?
    let result = sd_bus_process(bus, &message)
    if let message { return .message(ReceivedMessage(owning: message)) }
    try Self.check("sd_bus_process", result)
    return result == 0 ? .idle : .progress
  }

  /// Waits until all messages are sent.
  func flush() throws(SystemCallError) { try Self.check("sd_bus_flush", sd_bus_flush(bus)) }
}

// MARK: - Requests to the bus

extension BusConnection {
  /// Acquires a name. Throws `EEXIST` if another process owns the name.
  func requestName(_ name: String) throws(SystemCallError) {
    try Self.check("sd_bus_request_name", sd_bus_request_name(bus, name, 0))
  }

  /// Registers for signals that match a rule. ``next()`` returns them.
  func match(_ rule: String) throws(SystemCallError) {
    try Self.check("sd_bus_add_match", sd_bus_add_match(bus, nil, rule, nil, nil))
  }

  /// The process that has connected to the bus, as the kernel reported it to the bus.
  struct Peer {
    /// The effective UID.
    let user: UInt32
    /// The PID, or `nil` if the bus does not report it. If the process has exited while another process uses
    /// its connection, the PID can belong to a third one.
    let process: Int32?
  }

  /// Returns the process with a bus name, or `nil` if it has disconnected. The call waits for the bus.
  func peer(of name: String) -> Peer? {
    let wanted = UInt64(SD_BUS_CREDS_EUID) | UInt64(SD_BUS_CREDS_PID)
    var credentials: OpaquePointer?
    guard sd_bus_get_name_creds(bus, name, wanted, &credentials) >= 0 else { return nil }
    defer { sd_bus_creds_unref(credentials) }
    var user: UInt32 = 0
    guard sd_bus_creds_get_euid(credentials, &user) >= 0 else { return nil }
    var process: Int32 = 0
    return Peer(user: user, process: sd_bus_creds_get_pid(credentials, &process) >= 0 ? process : nil)
  }
}

// MARK: - Messages

extension BusConnection {
  /// Sends the reply to a call.
  func reply(to call: ReceivedMessage, _ arguments: [BusValue]) throws(SystemCallError) {
    var made: OpaquePointer?
    try Self.check(
      "sd_bus_message_new_method_return",
      sd_bus_message_new_method_return(call.pointer, &made)
    )
    try send(made, arguments)
  }

  /// Sends an error as the reply to a call.
  func reply(to call: ReceivedMessage, _ failure: BusFailure) throws(SystemCallError) {
    var made: OpaquePointer?
    let result = failure.name.withCString { name in
      BusText.sanitized(failure.message).withCString { message in
        var error = sd_bus_error(name: name, message: message, _need_free: 0)
        return sd_bus_message_new_method_error(call.pointer, &made, &error)
      }
    }
    try Self.check("sd_bus_message_new_method_error", result)
    try send(made, [])
  }

  /// Sends a signal to all clients that have registered for it.
  func signal(
    _ path: String,
    _ interface: String,
    _ member: String,
    _ arguments: [BusValue]
  ) throws(SystemCallError) {
    var made: OpaquePointer?
    try Self.check(
      "sd_bus_message_new_signal",
      sd_bus_message_new_signal(bus, &made, path, interface, member)
    )
    try send(made, arguments)
  }

  /// Appends arguments to a new message, sends the message and releases it. A message that could not be
  /// completed is not sent: the bus would close the connection.
  private func send(_ message: OpaquePointer?, _ arguments: [BusValue]) throws(SystemCallError) {
    guard let message else { return }
    defer { sd_bus_message_unref(message) }
    try ArgumentWriter(message: message).append(arguments)
    try Self.check("sd_bus_send", sd_bus_send(bus, message, nil))
  }
}
