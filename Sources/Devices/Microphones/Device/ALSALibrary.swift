// SPDX-License-Identifier: Apache-2.0

internal import CALSA
internal import LinuxPrimitives

/// libasound, loaded on first use.
struct ALSALibrary {
  /// The functions, or `nil` if the library is unavailable.
  private static let loaded: darkroom_alsa? = LibraryFunctions.load { darkroom_alsa_load($0) }

  var functions: darkroom_alsa

  /// Loads the library, or throws if it is unavailable.
  init() throws(MicrophoneFault) {
    guard let functions = Self.loaded else { throw .noLibrary }
    self.functions = functions
  }

  /// Returns the library's message for an error.
  func message(_ error: Int) -> String {
    guard let text = functions.strerror(Int32(error)) else { return "error \(error)" }
    return String(cString: text)
  }
}
