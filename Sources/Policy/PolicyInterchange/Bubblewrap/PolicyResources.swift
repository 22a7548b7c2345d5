// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import SandboxPolicy

/// The resources of a policy (paths, devices, scratch size and limits), as far as another format specifies
/// them.
package struct PolicyResources: Sendable, Hashable {
  /// The paths shown read-only, and whether each is required or optional.
  package var readOnly: [String: ReadOnlyPath.Presence] = [:]
  /// The paths of the devices.
  package var devices: Set<String> = []
  /// The size of the scratch space in bytes, or `nil` if the format does not specify it.
  package var scratchBytes: Int?
  /// The limits that the format specifies.
  package var limits: [LimitName: Int] = [:]

  /// The members of a policy document for these resources.
  var members: [JSONValue.Member] {
    let paths = readOnly.sorted { $0.key < $1.key }.map { path, presence in
      presence == .required
        ? JSONValue.string(path) : .object(["path": .string(path), "optional": .bool(true)])
    }
    var members: [JSONValue.Member] = []
    if !paths.isEmpty { members.append(.init("readOnly", .array(paths))) }
    if !devices.isEmpty { members.append(.init("devices", .array(devices.sorted().map { .string($0) }))) }
    if let scratchBytes {
      members.append(.init("scratch", .object(["size": .integer(Int64(scratchBytes))])))
    }
    if !limits.isEmpty {
      let values = LimitName.allCases.compactMap { name in
        limits[name].map { JSONValue.Member(name.rawValue, .integer(Int64($0))) }
      }
      members.append(.init("limits", .object(values)))
    }
    return members
  }
}
