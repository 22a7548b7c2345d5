// SPDX-License-Identifier: Apache-2.0

/// A replacement for the free space of the file system.
package protocol FreeSpaceSource: AnyObject {
  /// The free space in bytes, or `nil` for the file system's own.
  var free: Int64? { get }
  /// Returns whether ``free`` changed since the last call.
  func takeChange() -> Bool
}
