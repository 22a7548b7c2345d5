// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The arguments of a method call, whose types the signature of the method guarantees.
struct BusArguments: Sendable {
  private let values: [BusValue]

  /// Creates arguments.
  init(_ values: [BusValue]) { self.values = values }

  /// Returns the string or object path at an index.
  func text(_ index: Int) -> String { values[index].text ?? "" }

  /// Returns the Boolean at an index.
  func bool(_ index: Int) -> Bool { values[index].bool ?? false }

  /// Returns the unsigned 32-bit integer at an index.
  func number(_ index: Int) -> UInt32 {
    if case .uint32(let value) = values[index] { value } else { 0 }
  }

  /// Returns the value at an index as JSON. Throws an error for an infinite number.
  func json(_ index: Int) throws(BusFailure) -> JSONValue { try values[index].json() }

  /// Returns the array of strings at an index as JSON.
  func strings(_ index: Int) -> JSONValue {
    .array((values[index].elements ?? []).compactMap(\.text).map { .string($0) })
  }

  /// Returns the dictionary at an index.
  func dictionary(_ index: Int) -> BusValue { values[index] }

  /// Returns the value inside of the variant at an index.
  func variant(_ index: Int) -> BusValue {
    if case .variant(let value) = values[index] { value } else { values[index] }
  }

  /// Returns the ID of the app with the object path at an index.
  func app(_ index: Int) throws(BusFailure) -> String {
    guard case .app(let id)? = BusObject(path: text(index)) else {
      throw .invalidArguments("\(text(index)): not the object path of an app")
    }
    return id
  }
}

/// The options of a launch.
struct BusLaunchOptions: Sendable {
  /// The owner of the session.
  enum Lifetime: Sendable, Hashable {
    /// The session belongs to the caller, and is dismissed when the caller disconnects.
    case caller
    /// The session belongs to the service.
    case service
  }

  /// The members for the host interface.
  let members: [JSONValue.Member]
  /// The owner of the session.
  let lifetime: Lifetime

  /// Creates options from a dictionary. `reserved` contains the names that another argument of the method
  /// provides.
  init(_ dictionary: BusValue, reserved: Set<String> = []) throws(BusFailure) {
    let all = try dictionary.json().members ?? []
    if let member = all.first(where: { reserved.contains($0.name) }) {
      throw .invalidArguments("the option '\(member.name)' is an argument of the method")
    }
    let detached = all.first { $0.name == "detached" }?.value ?? false
    guard let isDetached = detached.bool else {
      throw .invalidArguments("the option 'detached' must be a Boolean (b)")
    }
    lifetime = isDetached ? .service : .caller
    members = all.filter { $0.name != "detached" }
  }
}
