// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension CurrentProcess {
  /// Returns the name of a user (getpwuid_r(3)), or `nil` if the user has no name.
  package static func userName(_ user: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16384)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
    else { return nil }
    return String(cString: name)
  }
}
