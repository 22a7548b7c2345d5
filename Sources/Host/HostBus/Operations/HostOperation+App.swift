// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

extension HostOperation {
  /// Returns the operation of a method of an app, or `nil` if the method is unknown.
  static func app(_ member: String, _ id: String, _ arguments: BusArguments) throws(BusFailure)
    -> HostOperation?
  {
    let app = JSONValue.Member("app", .string(id))
    switch member {
    case "ListContent", "ExportContent", "InvalidateContent", "ListQuarantine":
      return content(member, app, arguments)
    case "GetPermissions", "SetPermission", "ResetPermission": return permissions(member, app, arguments)
    case "GetContext":
      return HostOperation("context/get", .object([app])) { result throws(BusFailure) in
        [.string(result.value["context"]?.string ?? "")]
      }
    case "SetContext":
      return HostOperation(
        "context/set",
        .object([app, .init("context", .string(arguments.text(0)))])
      )
    case "ClearContext": return HostOperation("context/clear", .object([app]))
    case "Open":
      let parameters = JSONValue.object(["app": .string(id), "activity": optional(arguments.text(0))])
      return HostOperation("apps/open", parameters) { result throws(BusFailure) in
        [.string(result.value["delivery"]?.string ?? "")]
      }
    case "PressControl": return try press(app, id, arguments)
    case "BindKey": return bindKey(app, arguments)
    case "PublishAssets", "ListAssetSets", "ClearAssets": return assets(member, app, arguments)
    default:
      if let operation = photos(member, app, arguments) { return operation }
      return try storage(member, [app], arguments)
    }
  }

  /// Returns the press of a control. The path of the session is `/` if the press opens the app.
  private static func press(
    _ app: JSONValue.Member,
    _ id: String,
    _ arguments: BusArguments
  ) throws(BusFailure) -> HostOperation {
    let control = arguments.text(0)
    let options = try BusLaunchOptions(arguments.dictionary(1))
    return HostOperation(
      "control/press",
      .object([app, .init("control", .string(control)), .init("options", .object(options.members))]),
      .concurrent,
      effect: .launches(target: "\(id)/\(control)", options.lifetime)
    ) { result throws(BusFailure) in
      let session = result.value["session"]?.string
      return [.objectPath(session.map { BusObject.session($0).path } ?? "/"), BusValue(object: result.value)]
    }
  }

  private static func assets(
    _ member: String,
    _ app: JSONValue.Member,
    _ arguments: BusArguments
  ) -> HostOperation {
    switch member {
    case "PublishAssets":
      let directory = JSONValue.Member("directory", .string(arguments.text(0)))
      return HostOperation("assets/publish", .object([app, directory]), reply: dictionary)
    case "ListAssetSets":
      return HostOperation("assets/list", .object([app])) { result throws(BusFailure) in
        [BusValue(objects: result.value["sets"])]
      }
    default:
      return HostOperation("assets/clear", .object([app])) { result throws(BusFailure) in
        [.bool(result.value["cleared"]?.bool ?? false)]
      }
    }
  }

  private static func content(
    _ member: String,
    _ app: JSONValue.Member,
    _ arguments: BusArguments
  ) -> HostOperation {
    switch member {
    case "ListContent":
      return HostOperation("content/list", .object([app])) { result throws(BusFailure) in
        [BusValue(objects: result.value["deliveries"])]
      }
    case "ExportContent":
      let parameters = JSONValue.object([
        app, .init("session", .string(arguments.text(0))), .init("directory", .string(arguments.text(1))),
      ])
      return HostOperation("content/export", parameters) { result throws(BusFailure) in
        [.string(result.value["path"]?.string ?? "")]
      }
    case "InvalidateContent":
      return HostOperation(
        "content/invalidate",
        .object([app, .init("session", .string(arguments.text(0)))])
      )
    default:
      return HostOperation("content/quarantine", .object([app])) { result throws(BusFailure) in
        [BusValue(objects: result.value["quarantined"])]
      }
    }
  }

  private static func permissions(
    _ member: String,
    _ app: JSONValue.Member,
    _ arguments: BusArguments
  ) -> HostOperation {
    switch member {
    case "GetPermissions":
      return HostOperation("permissions/get", .object([app])) { result throws(BusFailure) in
        let entries = (result.value["permissions"]?.elements ?? []).map { permission in
          BusValue.entry(
            .string(permission["resource"]?.string ?? ""),
            BusValue(object: permission["decision"])
          )
        }
        return [.array(element: "{sa{sv}}", entries)]
      }
    case "SetPermission":
      let names = arguments.strings(2)
      let decision = JSONValue.object([
        "decision": .string(arguments.text(1)), "names": names == [] ? nil : names,
      ])
      return HostOperation(
        "permissions/set",
        .object([app, .init("resource", .string(arguments.text(0))), .init("decision", decision)])
      )
    default:
      let resource = arguments.text(0)
      let members = resource.isEmpty ? [app] : [app, .init("resource", .string(resource))]
      return HostOperation("permissions/reset", .object(members))
    }
  }
}
