// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import HostInterface
internal import JSONText

// MARK: - Properties

extension BusService {
  /// Performs a method of `org.freedesktop.DBus.Properties`.
  func performProperties(_ call: ResolvedCall) throws(BusFailure) {
    let name = call.arguments.text(0)
    // The specification permits an empty name, which means any interface.
    let interfaces = (tree.interfaces(at: call.path) ?? []).filter { name.isEmpty || $0.rawValue == name }
    if interfaces.isEmpty { throw .unknownInterface(name, call.path) }
    let isOwn = interfaces.contains(call.object.interface)
    let properties = isOwn ? properties(of: call.object) : []
    switch call.member {
    case "GetAll": answer(call, [.dictionary(properties)])
    case "Get":
      let property = call.arguments.text(1)
      guard let value = properties.first(where: { $0.0 == property })?.1 else {
        throw .unknownProperty(property)
      }
      answer(call, [.variant(value)])
    default: try setProperty(call, isOwn ? call.object.interface : nil)
    }
  }

  /// Returns the properties of an object with their names.
  func properties(of object: BusObject) -> [(String, BusValue)] {
    guard object == .manager else { return tree.properties(of: object) }
    return [
      ("Version", .string(operations.version)), ("StateDirectory", .string(operations.host.statePath)),
      ("Policies", .strings(policies)), ("LockState", .string(operations.lockState.rawValue)),
      ("CanSetLockState", .bool(operations.isLockStateSettable)),
    ]
  }

  /// Sets the only writable property, `LockState`.
  private func setProperty(_ call: ResolvedCall, _ interface: BusInterface?) throws(BusFailure) {
    let name = call.arguments.text(1)
    guard let property = interface?.description.properties[name] else { throw .unknownProperty(name) }
    guard property.access == .readWrite else {
      throw .standard("PropertyReadOnly", "the property '\(name)' cannot be written")
    }
    guard operations.isLockStateSettable else {
      throw .standard(
        "PropertyReadOnly",
        "the lock state cannot be set; start 'darkroom serve' with '--lock-state settable'"
      )
    }
    let value = call.arguments.variant(2)
    guard value.signature == property.signature else {
      throw .invalidArguments(
        "the property '\(name)' has the type '\(property.signature)', not '\(value.signature)'"
      )
    }
    try start(HostOperation("lock/set", ["state": try value.json()], .lockState), call, .client(call.sender))
  }

  /// Reports changed properties of an object.
  func reportProperties(_ properties: [(String, BusValue)], of object: BusObject) {
    guard !properties.isEmpty else { return }
    let arguments: [BusValue] = [
      .string(object.interface.rawValue), .dictionary(properties), .strings([]),
    ]
    emit(object.path, .properties, "PropertiesChanged", arguments)
  }
}

// MARK: - Objects

extension BusService {
  /// Returns all objects with their interfaces and properties (`a{oa{sa{sv}}}`).
  func managedObjects() -> BusValue {
    let entries = tree.objects.map { BusValue.entry(.objectPath($0.path), interfaces(of: $0)) }
    return .array(element: "{oa{sa{sv}}}", entries)
  }

  /// Reports a new object.
  func reportAdded(_ object: BusObject) {
    emit(
      BusObject.root,
      .objectManager,
      "InterfacesAdded",
      [.objectPath(object.path), interfaces(of: object)]
    )
  }

  /// Reports that an object was removed.
  func reportRemoved(_ object: BusObject) {
    let interfaces = BusValue.strings([object.interface.rawValue])
    emit(BusObject.root, .objectManager, "InterfacesRemoved", [.objectPath(object.path), interfaces])
  }

  /// Returns the own interface of an object with its properties (`a{sa{sv}}`).
  private func interfaces(of object: BusObject) -> BusValue {
    let entry = BusValue.entry(.string(object.interface.rawValue), .dictionary(properties(of: object)))
    return .array(element: "{sa{sv}}", [entry])
  }
}
