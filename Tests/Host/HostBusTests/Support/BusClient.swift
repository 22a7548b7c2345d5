// SPDX-License-Identifier: Apache-2.0

import CSystemd
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus

/// A client of the service on a private bus, which disconnects when its last reference is released.
final class BusClient {
  /// The bus name of the service.
  static let service = "org.darkroom.Host1"

  let bus: BusConnection
  /// Keeps the bus and the server running.
  private let rig: BusRig
  private var received: [ReceivedMessage] = []

  /// Connects to a bus, and registers for the signals of the service.
  init(_ rig: BusRig) throws {
    self.rig = rig
    bus = try BusConnection.open(rig.address)
    try bus.match("type='signal',sender='\(Self.service)'")
  }

  /// Calls a method of the service, and waits for the reply.
  ///
  /// - Throws: A ``BusFailure`` with the error of the reply.
  @discardableResult
  func call(
    _ path: String,
    _ interface: BusInterface,
    _ member: String,
    _ arguments: BusValue...
  ) throws -> [BusValue] {
    try bus.call(Self.service, path, interface.rawValue, member, arguments)
  }

  /// Returns the name of the error that a call returns, or `nil` if the call succeeds.
  func failure(
    _ path: String,
    _ interface: String,
    _ member: String,
    _ arguments: BusValue...
  ) -> String? {
    do throws(BusFailure) {
      _ = try bus.call(Self.service, path, interface, member, arguments)
      return nil
    } catch { return error.name }
  }

  /// Returns a property of an object.
  func property(_ path: String, _ interface: BusInterface, _ name: String) throws -> JSONValue {
    let values = try call(path, .properties, "Get", .string(interface.rawValue), .string(name))
    return try #require(values.first).json()
  }

  /// Waits for a signal of an object that a closure accepts, and removes it from the received messages.
  func signal<Result>(
    _ member: String,
    of path: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ accept: ([BusValue]) throws -> Result?
  ) throws -> Result {
    let deadline = TestTimeout.deadline
    var checked = 0
    while true {
      while checked < received.count {
        let message = received[checked]
        if message.member == member, message.path == path, let result = try accept(message.arguments()) {
          received.remove(at: checked)
          return result
        }
        checked += 1
      }
      try #require(MonotonicClock.now < deadline, "no signal \(member)", sourceLocation: sourceLocation)
      switch try bus.next() {
      case .message(let message): received.append(message)
      case .progress: continue
      case .idle:
        _ = try Poller.wait([(bus.descriptor, bus.interest)], until: min(deadline, bus.deadline ?? deadline))
      }
    }
  }

  /// Waits for a signal of an object, and returns its arguments.
  func signal(_ member: String, of path: String, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> [BusValue]
  {
    try signal(member, of: path, sourceLocation: sourceLocation) { $0 }
  }

  /// Waits until a property of an object is reported with a value.
  func change(_ name: String, of path: String, to value: JSONValue) throws {
    try signal("PropertiesChanged", of: path) { arguments in
      try arguments[1].json()[name] == value ? () : nil
    }
  }
}

extension BusConnection {
  /// Calls a method and waits for the reply.
  ///
  /// - Throws: The error of the reply.
  func call(
    _ destination: String,
    _ path: String,
    _ interface: String,
    _ member: String,
    _ arguments: [BusValue]
  ) throws(BusFailure) -> [BusValue] {
    var reply: OpaquePointer?
    var error = sd_bus_error()
    let message = try message(destination, path, interface, member, arguments)
    defer { sd_bus_error_free(&error) }
    let time = UInt64(TestTimeout.seconds) * 1_000_000
    guard sd_bus_call(bus, message.pointer, time, &error, &reply) >= 0, let reply else {
      throw BusFailure(
        name: error.name.map { String(cString: $0) } ?? "",
        message: error.message.map { String(cString: $0) } ?? ""
      )
    }
    return try ReceivedMessage(owning: reply).arguments(maximumBytes: 1 << 24)
  }

  /// Sends a call without waiting for the reply.
  func post(
    _ destination: String,
    _ path: String,
    _ interface: String,
    _ member: String,
    _ arguments: [BusValue]
  ) throws {
    let message = try message(destination, path, interface, member, arguments)
    try #require(sd_bus_send(bus, message.pointer, nil) >= 0)
  }

  private func message(
    _ destination: String,
    _ path: String,
    _ interface: String,
    _ member: String,
    _ arguments: [BusValue]
  ) throws(BusFailure) -> ReceivedMessage {
    var made: OpaquePointer?
    guard sd_bus_message_new_method_call(bus, &made, destination, path, interface, member) >= 0, let made
    else { throw BusFailure(name: "", message: "sd_bus_message_new_method_call") }
    let message = ReceivedMessage(owning: made)
    do throws(SystemCallError) { try ArgumentWriter(message: made).append(arguments) } catch {
      throw BusFailure(name: "", message: "\(error)")
    }
    return message
  }
}
