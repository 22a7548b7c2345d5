// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What a compositor offers (`wl_registry`).
struct WaylandGlobals {
  private let connection: WaylandConnection
  private let registry: UInt32
  /// Their numbers by name.
  private var numbers: [String: [UInt32]] = [:]

  /// The most that are remembered.
  private static let most = 4096
  /// In which version everything is used: the first has all that is needed.
  private static let version: UInt32 = 1

  /// Asks a compositor.
  init(_ connection: WaylandConnection, until end: UInt64) throws(WaylandFault) {
    self.connection = connection
    registry = connection.make(.registry)
    connection.send(
      WaylandRequest(WaylandConnection.display, DisplayRequest.getRegistry).with(registry)
    )
    var found: [String: [UInt32]] = [:]
    var count = 0
    try connection.roundTrip(until: end) { object, event throws(WaylandFault) in
      // The other event says that one has gone.
      guard object == .registry, event.number == RegistryEvent.global, count < Self.most else { return }
      let number = try event.uint()
      let name = try event.text()
      found[name, default: []].append(number)
      count += 1
    }
    numbers = found
  }

  /// Whether there is one.
  func has(_ name: String) -> Bool { numbers[name] != nil }

  /// The numbers of all of them.
  func numbers(of name: String) -> [UInt32] { numbers[name] ?? [] }

  /// Makes the first of its kind an object.
  func bind(_ name: String, _ object: WaylandConnection.Object) throws(WaylandFault) -> UInt32 {
    guard let number = numbers[name]?.first else { throw .missing(name) }
    return bind(number, name, object)
  }

  /// Makes one an object that has a number.
  func bind(_ number: UInt32, _ name: String, _ object: WaylandConnection.Object) -> UInt32 {
    let made = connection.make(object)
    connection.send(
      WaylandRequest(registry, RegistryRequest.bind).with(number).with(name).with(Self.version, made)
    )
    return made
  }
}
