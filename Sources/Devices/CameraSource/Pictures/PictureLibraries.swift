// SPDX-License-Identifier: Apache-2.0

internal import CPNG
internal import CTurboJPEG
internal import LinuxPrimitives

/// libjpeg-turbo, loaded on first use.
enum TurboJPEGLibrary {
  /// The functions, or `nil` if the library is unavailable.
  static let functions: darkroom_turbojpeg? = LibraryFunctions.load { darkroom_turbojpeg_load($0) }

  /// The message if the library is unavailable.
  static let fault = "libturbojpeg.so.0 cannot be loaded; install libturbojpeg0"
}

/// libpng, loaded on first use.
enum PNGLibrary {
  /// The functions, or `nil` if the library is unavailable.
  static let functions: darkroom_png? = LibraryFunctions.load { darkroom_png_load($0) }

  /// The message if the library is unavailable.
  static let fault = "libpng16.so.16 cannot be loaded; install libpng16-16"
}

extension darkroom_turbojpeg {
  /// Returns the library's last message. `handle` is `nil` if creating the handle failed.
  func reason(_ handle: tjhandle?) -> String {
    GetErrorStr2(handle).map { String(cString: $0) } ?? "unknown reason"
  }
}
