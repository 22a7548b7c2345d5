// SPDX-License-Identifier: Apache-2.0

internal import SystemCalls

/// What an argument does that a filter can see.
enum ArgumentRole: Sendable, Hashable {
  /// It chooses one of several things: a request, an option, an address family.
  case choice
  /// It sets flags, each by itself.
  case flags

  /// The arguments of a call that have a role, by index.
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
