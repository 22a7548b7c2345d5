// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

extension HostOperation {
  /// Returns the operation of a method of the manager that concerns the sessions of all hosts, the session
  /// log or the storage, or `nil` if the method is unknown.
  static func records(_ member: String, _ arguments: BusArguments) throws(BusFailure) -> HostOperation? {
    switch member {
    case "ListSessions":
      return HostOperation("host/sessions", [:]) { result throws(BusFailure) in
        [BusValue(objects: result.value["sessions"])]
      }
    case "EmptyTrash":
      return HostOperation("host/emptyTrash", [:], .concurrent) { result throws(BusFailure) in
        [.uint64(large(result.value, "deleted"))]
      }
    case "ListLog", "GetLogRecord", "VerifyLog", "GetLogHead", "ListDeviceUses":
      return try log(member, arguments)
    default: return try storage(member, [], arguments)
    }
  }

  /// Returns the operation of a method for the session log. A log can have many entries, so the operations run
  /// concurrently.
  private static func log(_ member: String, _ arguments: BusArguments) throws(BusFailure) -> HostOperation {
    switch member {
    case "ListLog":
      return HostOperation("log/list", try arguments.dictionary(0).json(), .concurrent) {
        result throws(BusFailure) in
        [BusValue(objects: result.value["entries"]), BusValue(strings: result.value["failures"])]
      }
    case "ListDeviceUses":
      return HostOperation("log/deviceUses", try arguments.dictionary(0).json(), .concurrent) {
        result throws(BusFailure) in
        [BusValue(objects: result.value["uses"]), BusValue(strings: result.value["failures"])]
      }
    case "GetLogRecord":
      let parameters: JSONValue = ["session": .string(arguments.text(0))]
      return HostOperation("log/record", parameters, .concurrent) { result throws(BusFailure) in
        [.string(result.value["record"]?.string ?? "")]
      }
    case "GetLogHead":
      return HostOperation("log/head", [:], .concurrent) { result throws(BusFailure) in
        [.string(result.value["head"]?.string ?? "")]
      }
    default:
      let parameters = JSONValue.object(["head": optional(arguments.text(0))])
      return HostOperation("log/verify", parameters, .concurrent) { result throws(BusFailure) in
        [.bool(result.value["valid"]?.bool ?? false), BusValue(object: result.value)]
      }
    }
  }

  /// Returns the operation of a method for storage limits, or `nil` if the method is unknown. `app` contains
  /// the parameter that names an app, or is empty for the limits of every app.
  static func storage(
    _ member: String,
    _ app: [JSONValue.Member],
    _ arguments: BusArguments
  ) throws(BusFailure) -> HostOperation? {
    switch member {
    case "GetStorageLimits": return HostOperation("storage/limits", .object(app), reply: dictionary)
    case "SetStorageLimits":
      let limits = JSONValue.Member("limits", try arguments.dictionary(0).json())
      return HostOperation("storage/setLimits", .object(app + [limits]))
    case "GetStorageUsage": return HostOperation("storage/usage", .object(app), reply: dictionary)
    default: return nil
    }
  }

  /// Returns the members of a result as one dictionary.
  static let dictionary: Reply = { result throws(BusFailure) in [BusValue(object: result.value)] }
}
