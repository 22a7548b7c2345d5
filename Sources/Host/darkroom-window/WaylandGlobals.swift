// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The global objects of a compositor (`wl_registry`).
struct WaylandGlobals {
  private let connection: WaylandConnection
  private let registry: UInt32
  /// The numeric names of the globals, by interface.
  private var numbers: [String: [UInt32]] = [:]

  /// The maximum number of globals that are stored.
  private static let maximumGlobals = 4096
  /// The version of each interface. Version 1 is sufficient.
  private static let version: UInt32 = 1

  /// Queries the globals of a compositor.
  init(_ connection: WaylandConnection, until end: UInt64) throws(WaylandError) {
    self.connection = connection
    registry = connection.make(.registry)
    connection.send(
      WaylandRequest(WaylandConnection.display, DisplayRequest.getRegistry).with(registry)
    )
    var found: [String: [UInt32]] = [:]
    var count = 0
    try connection.roundTrip(until: end) { object, event throws(WaylandError) in
      // The other event reports a removed global.
      guard object == .registry, event.number == RegistryEvent.global, count < Self.maximumGlobals else {
        return
      }
      let number = try event.uint()
      let name = try event.text()
      found[name, default: []].append(number)
      count += 1
    }
    numbers = found
  }

  /// Returns whether the compositor has a global with this interface.
  func has(_ name: String) -> Bool { numbers[name] != nil }

  /// Returns the numeric names of all globals with an interface.
  func numbers(of name: String) -> [UInt32] { numbers[name] ?? [] }

  /// Binds the first global with an interface, and returns the ID of the object.
  func bind(_ name: String, _ object: WaylandConnection.Object) throws(WaylandError) -> UInt32 {
    guard let number = numbers[name]?.first else { throw .missing(name) }
    return bind(number, name, object)
  }

  /// Binds the global with a numeric name, and returns the ID of the object.
  func bind(_ number: UInt32, _ name: String, _ object: WaylandConnection.Object) -> UInt32 {
    let made = connection.make(object)
    connection.send(
      WaylandRequest(registry, RegistryRequest.bind).with(number).with(name).with(Self.version, made)
    )
    return made
  }
}
