// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Process groups (setpgid(2)), for which there are no descriptors.
package enum ProcessGroup {
  /// Kills every process of a group, which the caller knows to be in use. An empty group is not an error.
  package static func kill(_ group: Int32) {
    // 0 means the caller's own group, and -1 means all processes.
    if group > 1 { _ = CLinux.kill(-group, SIGKILL) }
  }
}
