// SPDX-License-Identifier: Apache-2.0

/// Libraries that are loaded on demand (dlopen(3)), so that commands without need for them do not load them.
package enum LibraryFunctions {
  /// Returns the functions of a library that `load` fills in, or `nil` if `load` returns an error because the
  /// library or a function is missing.
  package static func load<Functions>(_ load: (UnsafeMutablePointer<Functions>) -> Int32) -> Functions? {
    let place = UnsafeMutablePointer<Functions>.allocate(capacity: 1)
    defer { place.deallocate() }
    return load(place) == 0 ? place.pointee : nil
  }
}
