// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

/// The operation of the host interface that a D-Bus method performs.
struct HostOperation: Sendable {
  /// Returns the arguments of the reply for a result.
  typealias Reply = @Sendable (OperationResult) throws(BusFailure) -> [BusValue]

  /// A change of the objects that a successful operation causes.
  enum Effect: Sendable {
    /// The objects remain.
    case none
    /// Apps and extensions appear, change or disappear.
    case changesApps
    /// A session appears, unless a control has opened its app. `target` is the ID of the extension, the name
    /// of the program, or the IDs of the app and its control with a slash between them.
    case launches(target: String, BusLaunchOptions.Lifetime)
  }

  /// The order in which an operation starts.
  enum Order: Sendable, Hashable {
    /// The operation starts after the end of earlier sequential operations on the same object.
    case sequential
    /// The operation starts after the end of earlier operations on the viewfinder of the same session.
    case frames
    /// The operation starts after earlier changes of the lock state.
    case lockState
    /// The operation starts at once, because it waits for an event or takes a long time.
    case concurrent
  }

  /// The name of the method of the host interface.
  let method: String
  /// The parameters.
  let parameters: JSONValue
  /// The order in which the operation starts.
  let order: Order
  /// The change of the objects.
  let effect: Effect
  /// The conversion of the result.
  let reply: Reply

  /// Creates an operation.
  init(
    _ method: String,
    _ parameters: JSONValue,
    _ order: Order = .sequential,
    effect: Effect = .none,
    reply: @escaping Reply = { _ throws(BusFailure) in [] }
  ) {
    (self.method, self.parameters, self.order) = (method, parameters, order)
    (self.effect, self.reply) = (effect, reply)
  }
}

extension HostOperation {
  /// Returns the operation of a method of an object.
  ///
  /// - Throws: `InvalidArgs` if an argument has no equivalent in the host interface, or `UnknownMethod`.
  static func operation(
    _ member: String,
    of object: BusObject,
    _ arguments: BusArguments
  ) throws(BusFailure) -> HostOperation {
    let operation: HostOperation? =
      switch object {
      case .manager: try manager(member, arguments)
      case .app(let id): try app(member, id, arguments)
      case .captureExtension(_, let id): try captureExtension(member, id, arguments)
      case .session(let id): try session(member, id, arguments)
      }
    guard let operation else {
      throw .standard("UnknownMethod", "the method '\(member)' does not exist")
    }
    return operation
  }

  /// Returns the operation of a method of an extension, or `nil` if the method is unknown.
  private static func captureExtension(
    _ member: String,
    _ id: String,
    _ arguments: BusArguments
  ) throws(BusFailure) -> HostOperation? {
    switch member {
    case "Launch": return launch(id, try BusLaunchOptions(arguments.dictionary(0)))
    case "CheckReadiness":
      let parameters = JSONValue.object([
        "extension": .string(id), "camera": optional(arguments.text(0)),
      ])
      return HostOperation("control/readiness", parameters) { result throws(BusFailure) in
        [.bool(result.value["ready"]?.bool ?? false), BusValue(objects: result.value["checks"])]
      }
    default: return nil
    }
  }

  /// Returns the launch of an extension.
  static func launch(_ id: String, _ options: BusLaunchOptions) -> HostOperation {
    HostOperation(
      "session/launch",
      ["extension": .string(id), "options": .object(options.members)],
      .concurrent,
      effect: .launches(target: id, options.lifetime),
      reply: sessionPath
    )
  }

  /// Returns a text as an optional parameter. An empty text means that the parameter is absent.
  static func optional(_ text: String) -> JSONValue? { text.isEmpty ? nil : .string(text) }

  /// Returns a member of a result that is not negative, or 0 if the member is absent.
  static func large(_ value: JSONValue, _ name: String) -> UInt64 {
    UInt64(clamping: value[name]?.integer ?? 0)
  }

  /// Returns a member of a result that is not negative, or 0 if the member is absent. Larger numbers become
  /// the maximum.
  static func small(_ value: JSONValue, _ name: String) -> UInt32 {
    UInt32(clamping: value[name]?.integer ?? 0)
  }

  /// Returns the path of a launched session.
  static let sessionPath: Reply = { result throws(BusFailure) in
    [.objectPath(BusObject.session(result.value["session"]?.string ?? "").path)]
  }
}
