// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Finds the sounds of the desktop by the freedesktop.org sound theme specification. Only the fallback theme
/// is searched.
enum SoundTheme {
  /// Returns the name of a sound in the theme. The specification has no names for video recording, so a
  /// rising and a falling sound are used.
  private static func name(_ sound: StandardSound) -> String {
    switch sound {
    case .cameraShutter: "camera-shutter"
    case .beginVideoRecording: "device-added"
    case .endVideoRecording: "device-removed"
    }
  }

  /// Returns the possible paths of a sound, the best first.
  static func candidates(_ sound: StandardSound, environment: (String) -> String?) -> [String] {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let home = value("XDG_DATA_HOME") ?? value("HOME").map { "\($0)/.local/share" }
    let system = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(
      String.init
    )
    // The XDG Base Directory specification requires relative paths to be ignored.
    let directories = ([home].compactMap(\.self) + system).filter { $0.hasPrefix("/") }
    return directories.flatMap { directory in
      ["oga", "ogg", "wav"].map { "\(directory)/sounds/freedesktop/stereo/\(name(sound)).\($0)" }
    }
  }
}
