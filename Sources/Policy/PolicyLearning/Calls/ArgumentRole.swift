// SPDX-License-Identifier: Apache-2.0

internal import SystemCalls

/// The role of an argument that a filter can compare.
enum ArgumentRole: Sendable, Hashable {
  /// The argument selects one of several operations or objects: a request, an option, an address family.
  case choice
  /// The argument is a set of flags.
  case flags

  /// Returns the arguments of a call that have a role, by index.
  static func roles(of call: String, _ arguments: [UInt64?] = []) -> [Int: ArgumentRole] {
    var roles: [Int: ArgumentRole] = [:]
    let parameters = CallSignature.of(call, on: .native, arguments: arguments)?.parameters ?? []
    for (index, parameter) in parameters.enumerated() where index < 6 {
      switch parameter.kind {
      case .choice: roles[index] = .choice
      case .flags: roles[index] = .flags
      case .descriptor, .path, .pointer, .size, .number, .mode, .process: break
      }
    }
    return roles
  }
}
