// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Where the sounds of the desktop are, by the sound theme specification of freedesktop.org; only the theme that every
/// other falls back to is looked at.
enum SoundTheme {
  /// The names of a sound in the theme. The specification names none for films: a rising and a falling one stand for them.
  private static func name(_ sound: StandardSound) -> String {
    switch sound {
    case .cameraShutter: "camera-shutter"
    case .beginVideoRecording: "device-added"
    case .endVideoRecording: "device-removed"
    }
  }

  /// The paths at which the sound may be, best first.
  static func candidates(_ sound: StandardSound, environment: (String) -> String?) -> [String] {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let home = value("XDG_DATA_HOME") ?? value("HOME").map { "\($0)/.local/share" }
    let system = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(
      String.init
    )
    // The specification of the directories says that a path that is not absolute is to be ignored.
    let directories = ([home].compactMap(\.self) + system).filter { $0.hasPrefix("/") }
    return directories.flatMap { directory in
      ["oga", "ogg", "wav"].map { "\(directory)/sounds/freedesktop/stereo/\(name(sound)).\($0)" }
    }
  }
}
