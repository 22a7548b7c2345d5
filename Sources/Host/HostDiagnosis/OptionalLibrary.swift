// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A shared library that only some features require. The raw value is the name of the loaded file.
///
/// The command loads most of these libraries on first use. The helper programs link with the others.
package enum OptionalLibrary: String, CaseIterable, Sendable {
  /// ALSA.
  case alsa = "libasound.so.2"
  /// chafa, which `darkroom-viewfinder` links with.
  case chafa = "libchafa.so.0"
  /// libevdev.
  case evdev = "libevdev.so.2"
  /// fontconfig, which `darkroom-window` links with.
  case fontconfig = "libfontconfig.so.1"
  /// FreeType, which `darkroom-window` links with.
  case freeType = "libfreetype.so.6"
  /// Linux-PAM, which `darkroom-pam` links with.
  case pam = "libpam.so.0"
  /// The client library of PipeWire.
  case pipeWire = "libpipewire-0.3.so.0"
  /// libpng.
  case png = "libpng16.so.16"
  /// SQLite.
  case sqlite = "libsqlite3.so.0"
  /// libsystemd, which `darkroom-host` links with.
  case systemd = "libsystemd.so.0"
  /// libjpeg-turbo.
  case turboJPEG = "libturbojpeg.so.0"
  /// libv4lconvert.
  case v4lConvert = "libv4lconvert.so.0"
  /// libxkbcommon, which `darkroom-window` links with.
  case xkbCommon = "libxkbcommon.so.0"

  /// The features that require the library, in the plural.
  package var features: String {
    switch self {
    case .alsa: "microphones"
    case .chafa: "viewfinders in a terminal"
    case .evdev: "keys of input devices"
    case .fontconfig, .freeType, .xkbCommon: "viewfinder windows and lock screens"
    case .pam: "passwords checked by PAM"
    case .pipeWire: "PipeWire cameras"
    case .png: "PNG images"
    case .sqlite: "photo libraries"
    case .systemd: "lock states from logind and the program darkroom-host"
    case .turboJPEG: "JPEG images and viewfinders"
    case .v4lConvert: "cameras"
    }
  }

  /// The Debian package that contains the library.
  ///
  /// Debian 13 has renamed some packages. APT also accepts the names of Debian 12, except for ALSA, whose name
  /// two packages of Debian 13 provide.
  package var debianPackage: String {
    switch self {
    case .alsa: "libasound2 (libasound2t64 in Debian 13)"
    case .chafa: "libchafa0"
    case .evdev: "libevdev2"
    case .fontconfig: "libfontconfig1"
    case .freeType: "libfreetype6"
    case .pam: "libpam0g"
    case .pipeWire: "libpipewire-0.3-0"
    case .png: "libpng16-16"
    case .sqlite: "libsqlite3-0"
    case .systemd: "libsystemd0"
    case .turboJPEG: "libturbojpeg0"
    case .v4lConvert: "libv4lconvert0"
    case .xkbCommon: "libxkbcommon0"
    }
  }

  /// The message if the library cannot be loaded, without the fix.
  package var fault: String { "\(features) require \(rawValue), which cannot be loaded" }

  /// Whether this process can load the library. A loaded library stays loaded.
  package var isLoadable: Bool { dlopen(rawValue, RTLD_NOW | RTLD_LOCAL) != nil }
}
