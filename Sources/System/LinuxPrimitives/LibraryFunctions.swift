// SPDX-License-Identifier: Apache-2.0

/// Libraries that are loaded by who needs them (dlopen(3)), because every command would load them otherwise.
package enum LibraryFunctions {
  /// The functions of a library that `load` fills in; nil if it says otherwise than 0, because the library is not there or
  /// lacks one of them.
  package static func load<Functions>(_ load: (UnsafeMutablePointer<Functions>) -> Int32) -> Functions? {
    let place = UnsafeMutablePointer<Functions>.allocate(capacity: 1)
    defer { place.deallocate() }
    return load(place) == 0 ? place.pointee : nil
  }
}
