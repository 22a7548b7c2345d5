// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

extension HostOperation {
  /// Returns the operation of a method of the manager for the machine, or `nil` if the method is unknown.
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
    default: return nil
    }
  }
}
