// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// Returns whether another process or thread waits for the lock of an open file. The kernel marks waiters
/// with an arrow in `/proc/locks`.
package func isLockAwaited(_ inode: UInt64) throws(SystemCallError) -> Bool {
  let text = String(decoding: try FileSystem.contents("/proc/locks") ?? [], as: UTF8.self)
  return text.split(separator: "\n").contains { $0.contains(" -> FLOCK") && $0.contains(":\(inode) ") }
}
