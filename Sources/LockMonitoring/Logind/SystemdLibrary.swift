// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// libsystemd, loaded when it is first asked for.
enum SystemdLibrary {
  /// Its functions; nil: it is not there.
  static let functions: darkroom_systemd? = {
    let place = UnsafeMutablePointer<darkroom_systemd>.allocate(capacity: 1)
    defer { place.deallocate() }
    return darkroom_systemd_load(place) == 0 ? place.pointee : nil
  }()
}
