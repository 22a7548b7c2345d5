// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Process groups (setpgid(2)), which have no descriptors to name them by.
package enum ProcessGroup {
  /// Kills every process of a group that the caller knows to be still in use; a group that is empty is no error.
  package static func kill(_ group: Int32) {
    // 0 and 1 are no groups of somebody else's: they mean the caller's own, and everybody.
    if group > 1 { _ = CLinux.kill(-group, SIGKILL) }
  }
}
