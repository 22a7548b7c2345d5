// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

extension HostOperation {
  /// Returns the operation of a method of the manager for the photo library, or `nil` if the method is unknown.
  /// The operations read and write files of any size, and therefore run concurrently.
  static func photos(_ member: String, _ arguments: BusArguments) throws(BusFailure) -> HostOperation? {
    switch member {
    case "ListPhotoAssets":
      return HostOperation("photos/list", try arguments.dictionary(0).json(), .concurrent) {
        result throws(BusFailure) in [BusValue(objects: result.value["assets"])]
      }
    case "ExportPhotoAsset":
      let parameters: JSONValue = [
        "asset": .string(arguments.text(0)), "directory": .string(arguments.text(1)),
      ]
      return HostOperation("photos/export", parameters, .concurrent) { result throws(BusFailure) in
        [.string(result.value["path"]?.string ?? "")]
      }
    case "DeletePhotoAsset":
      return HostOperation("photos/delete", ["asset": .string(arguments.text(0))], .concurrent)
    case "VerifyPhotoLibrary":
      return HostOperation("photos/verify", [:], .concurrent) { result throws(BusFailure) in
        [BusValue(objects: result.value["discrepancies"]), .uint64(large(result.value, "count"))]
      }
    case "RecoverPhotoLibrary":
      return HostOperation("photos/recover", [:], .concurrent) { result throws(BusFailure) in
        [.uint64(large(result.value, "changes"))]
      }
    default: return nil
    }
  }

  /// Returns the operation of a method of an app for its photos, or `nil` if the method is unknown.
  static func photos(_ member: String, _ app: JSONValue.Member, _ arguments: BusArguments) -> HostOperation? {
    switch member {
    case "AddPhotoAssets":
      let parameters = JSONValue.object([app, .init("files", arguments.strings(0))])
      return HostOperation("photos/add", parameters, .concurrent) { result throws(BusFailure) in
        [BusValue(objects: result.value["assets"]), BusValue(strings: result.value["failures"])]
      }
    case "SelectPhotoAssets":
      return HostOperation("photos/select", .object([app, .init("assets", arguments.strings(0))]))
    case "GetPhotoSelection":
      return HostOperation("photos/selection", .object([app])) { result throws(BusFailure) in
        [BusValue(strings: result.value["selected"])]
      }
    default: return nil
    }
  }
}
