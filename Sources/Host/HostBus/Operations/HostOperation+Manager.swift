// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

extension HostOperation {
  /// Returns the operation of a method of the manager, or `nil` if the method is unknown.
  static func manager(_ member: String, _ arguments: BusArguments) throws(BusFailure) -> HostOperation? {
    switch member {
    case "Install", "Validate", "Uninstall": return try bundle(member, arguments)
    case "Launch": return launch(arguments.text(0), try BusLaunchOptions(arguments.dictionary(1)))
    case "LaunchProgram": return try launchProgram(arguments)
    case "Recover":
      return HostOperation("host/recover", [:], .concurrent) { result throws(BusFailure) in
        [
          .bool(result.value["clean"]?.bool ?? false), BusValue(objects: result.value["sessions"]),
          BusValue(strings: result.value["notices"]),
        ]
      }
    case "Prewarm":
      let options = try arguments.dictionary(1).json()
      let parameters: JSONValue = ["extension": .string(arguments.text(0)), "options": options]
      return HostOperation("host/prewarm", parameters, .concurrent)
    case "ExplainPolicy", "VerifyPolicy", "ComparePolicies": return policy(member, arguments)
    case "ExplainAccess":
      let parameters = JSONValue.object([
        "policy": .string(arguments.text(0)), "path": .string(arguments.text(1)),
        "use": optional(arguments.text(2)),
      ])
      return HostOperation("policy/access", parameters, .concurrent, reply: dictionary)
    default:
      if let operation = machine(member, arguments) { return operation }
      if let operation = try photos(member, arguments) { return operation }
      if let operation = try devices(member, arguments) { return operation }
      return try records(member, arguments)
    }
  }

  private static func bundle(_ member: String, _ arguments: BusArguments) throws(BusFailure) -> HostOperation
  {
    switch member {
    case "Install":
      let parameters: JSONValue = ["bundle": .string(arguments.text(0))]
      return HostOperation("apps/install", parameters, effect: .changesApps) { result throws(BusFailure) in
        [
          .objectPath(BusObject.app(result.value["app"]?["id"]?.string ?? "").path),
          .bool(result.value["replaced"]?.bool ?? false), BusValue(objects: result.value["warnings"]),
        ]
      }
    case "Validate":
      let parameters: JSONValue = ["bundle": .string(arguments.text(0))]
      return HostOperation("apps/validate", parameters, .concurrent) { result throws(BusFailure) in
        [BusValue(objects: result.value["diagnostics"])]
      }
    default:
      let parameters: JSONValue = [
        "app": .string(try arguments.app(0)), "pendingContent": arguments.bool(1) ? "discard" : "keep",
      ]
      return HostOperation("apps/uninstall", parameters, effect: .changesApps)
    }
  }

  private static func launchProgram(_ arguments: BusArguments) throws(BusFailure) -> HostOperation {
    let program = arguments.text(1)
    let fixed: [JSONValue.Member] = [
      .init("app", .string(arguments.text(0))), .init("program", .string(program)),
      .init("arguments", arguments.strings(2)),
    ]
    let options = try BusLaunchOptions(arguments.dictionary(3), reserved: Set(fixed.map(\.name)))
    return HostOperation(
      "session/launchProgram",
      .object(fixed + options.members),
      .concurrent,
      effect: .launches(target: program, options.lifetime),
      reply: sessionPath
    )
  }

  /// Returns the operation of a method for policies. Proofs take seconds, and therefore run concurrently.
  private static func policy(_ member: String, _ arguments: BusArguments) -> HostOperation {
    switch member {
    case "ExplainPolicy":
      let width = arguments.number(1) == 0 ? nil : JSONValue.integer(Int64(arguments.number(1)))
      let parameters = JSONValue.object(["policy": .string(arguments.text(0)), "width": width])
      return HostOperation("policy/explain", parameters, .concurrent) { result throws(BusFailure) in
        [BusValue(strings: result.value["lines"])]
      }
    case "VerifyPolicy":
      let parameters: JSONValue = ["policy": .string(arguments.text(0))]
      return HostOperation("policy/verify", parameters, .concurrent) { result throws(BusFailure) in
        [.bool(result.value["proved"]?.bool ?? false), BusValue(objects: result.value["verdicts"])]
      }
    default:
      let parameters: JSONValue = ["old": .string(arguments.text(0)), "new": .string(arguments.text(1))]
      return HostOperation("policy/difference", parameters, .concurrent) { result throws(BusFailure) in
        [
          .bool(result.value["weaker"]?.bool ?? false), BusValue(objects: result.value["calls"]),
          BusValue(objects: result.value["sandbox"]),
        ]
      }
    }
  }
}
