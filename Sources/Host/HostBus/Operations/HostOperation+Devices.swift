// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText
internal import LinuxPrimitives

extension HostOperation {
  /// Returns the operation of a method of the manager for devices, keys, the passcode or images of the
  /// viewfinder, or `nil` if the method is unknown.
  static func devices(_ member: String, _ arguments: BusArguments) throws(BusFailure) -> HostOperation? {
    switch member {
    case "CaptureFrames": return try capture(arguments)
    case "ListCameras": return list("device/listCameras", "cameras", .concurrent)
    case "ListMicrophones": return list("device/listMicrophones", "microphones", .concurrent)
    case "ListKeyBindings": return list("control/bindings", "bindings", .sequential)
    case "UnbindKey":
      return HostOperation("control/unbind", ["key": .string(arguments.text(0))], reply: dictionary)
    case "GetViewfinderImage":
      let parameters = JSONValue.object([
        "session": .string(arguments.text(0)), "format": optional(arguments.text(1)),
      ])
      return HostOperation("viewfinder/image", parameters, .concurrent, reply: image)
    default: return passcode(member, arguments)
    }
  }

  /// Returns the operation that saves frames of a camera. A capture takes as long as its frames, and therefore runs
  /// concurrently.
  private static func capture(_ arguments: BusArguments) throws(BusFailure) -> HostOperation {
    let fixed: [JSONValue.Member] = [
      .init("camera", .string(arguments.text(0))), .init("path", .string(arguments.text(1))),
    ]
    let options = try arguments.dictionary(2).json().members ?? []
    if let option = options.first(where: { option in fixed.contains { $0.name == option.name } }) {
      throw .invalidArguments("the option '\(option.name)' is an argument of the method")
    }
    return HostOperation("device/capture", .object(fixed + options), .concurrent, reply: dictionary)
  }

  private static func list(_ method: String, _ name: String, _ order: Order) -> HostOperation {
    HostOperation(method, [:], order) { result throws(BusFailure) in [BusValue(objects: result.value[name])] }
  }

  /// Returns the operation of a method for the passcode, or `nil` if the method is unknown. The operations run
  /// in the order of their calls, so that each sees the passcode that an earlier call has set.
  private static func passcode(_ member: String, _ arguments: BusArguments) -> HostOperation? {
    switch member {
    case "HasPasscode":
      return HostOperation("passcode/get", [:]) { result throws(BusFailure) in
        [.bool(result.value["set"]?.bool ?? false)]
      }
    case "SetPasscode":
      let parameters = JSONValue.object([
        "passcode": .string(arguments.text(0)), "current": optional(arguments.text(1)),
      ])
      return HostOperation("passcode/set", parameters, reply: dictionary)
    case "ClearPasscode":
      let parameters = JSONValue.object(["current": optional(arguments.text(0))])
      return HostOperation("passcode/clear", parameters, reply: dictionary)
    default: return nil
    }
  }

  /// Returns the binding of a key to a control of an app.
  static func bindKey(_ app: JSONValue.Member, _ arguments: BusArguments) -> HostOperation {
    let key = JSONValue.Member("key", .string(arguments.text(0)))
    let control = JSONValue.Member("control", .string(arguments.text(1)))
    return HostOperation("control/bind", .object([key, app, control]), reply: dictionary)
  }

  private static let image: Reply = { result throws(BusFailure) in
    guard let file = result.descriptors.first else {
      throw .own("noViewfinder", "the session has no image of its viewfinder")
    }
    return [.descriptor(file), BusValue(object: result.value)]
  }
}
