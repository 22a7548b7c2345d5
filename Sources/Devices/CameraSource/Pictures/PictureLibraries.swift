// SPDX-License-Identifier: Apache-2.0

internal import CPNG
internal import CTurboJPEG
internal import LinuxPrimitives

/// libjpeg-turbo, loaded with the first picture.
enum TurboJPEGLibrary {
  /// Its functions; nil: it is not there.
  static let functions: darkroom_turbojpeg? = LibraryFunctions.load { darkroom_turbojpeg_load($0) }

  /// What is said then.
  static let fault = "libturbojpeg.so.0 cannot be loaded; install libturbojpeg0"
}

/// libpng, loaded with the first picture that is PNG.
enum PNGLibrary {
  /// Its functions; nil: it is not there.
  static let functions: darkroom_png? = LibraryFunctions.load { darkroom_png_load($0) }

  /// What is said then.
  static let fault = "libpng16.so.16 cannot be loaded; install libpng16-16"
}

extension darkroom_turbojpeg {
  /// The words for what has gone wrong; nil: while a handle was made.
  func reason(_ handle: tjhandle?) -> String {
    GetErrorStr2(handle).map { String(cString: $0) } ?? "unknown reason"
  }
}
