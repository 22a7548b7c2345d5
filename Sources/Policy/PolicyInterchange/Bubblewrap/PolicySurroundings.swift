// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import SandboxPolicy

/// What a policy says beside calls, as far as another format says it.
package struct PolicySurroundings: Sendable, Hashable {
  /// The paths that are shown for reading, and whether they may be missing.
  package var readOnly: [String: ReadOnlyPath.Presence] = [:]
  /// The devices.
  package var devices: Set<String> = []
  /// The size of the scratch space, in bytes.
  package var scratchBytes: Int?
  /// The limits.
  package var limits: [LimitName: Int] = [:]

  /// The members of a document.
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
