// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The directory in which `.ci/setup --tests` stores what Debian 12 does not contain: the kernel of the virtual machine, and
/// libraries and schemas to compare with.
package enum RigDirectory {
  /// The absolute path of the directory, which may not exist.
  package static var path: String {
    if let place = variable("DARKROOM_RIG") { return place }
    let cache = variable("XDG_CACHE_HOME") ?? "\(variable("HOME") ?? "")/.cache"
    return "\(cache)/darkroom-rig"
  }

  /// Returns the value of an environment variable, or `nil` if the variable is unset or empty.
  private static func variable(_ name: String) -> String? {
    CurrentProcess.environment(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
