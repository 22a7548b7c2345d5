// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

extension HostOperation {
  /// Returns the operation of a method of the manager for the machine or its lock, or `nil` if the method is unknown.
  static func machine(_ member: String, _ arguments: BusArguments) -> HostOperation? {
    switch member {
    case "Diagnose":
      let policies = arguments.strings(0)
      let parameters = JSONValue.object(["policies": policies == [] ? nil : policies])
      // An examination takes seconds.
      return HostOperation("host/diagnose", parameters, .concurrent) { result throws(BusFailure) in
        [
          .string(result.value["status"]?.string ?? ""), BusValue(objects: result.value["machine"]),
          BusValue(objects: result.value["trials"]),
        ]
      }
    case "GetLockStatus": return HostOperation("lock/status", [:], .concurrent, reply: dictionary)
    case "Lock": return HostOperation("lock/lock", [:], .lockState)
    default: return nil
    }
  }
}
