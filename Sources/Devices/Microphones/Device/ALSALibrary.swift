// SPDX-License-Identifier: Apache-2.0

internal import CALSA
internal import LinuxPrimitives

/// libasound, loaded when it is first asked for.
struct ALSALibrary {
  /// Its functions; nil: it is not there.
  private static let loaded: darkroom_alsa? = LibraryFunctions.load { darkroom_alsa_load($0) }

  /// Its functions.
  var functions: darkroom_alsa

  /// The library, or why there is none.
  init() throws(MicrophoneFault) {
    guard let functions = Self.loaded else { throw .noLibrary }
    self.functions = functions
  }

  /// The library's words for an error.
  func words(_ error: Int) -> String {
    guard let text = functions.strerror(Int32(error)) else { return "error \(error)" }
    return String(cString: text)
  }
}
