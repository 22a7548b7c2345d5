// SPDX-License-Identifier: Apache-2.0

import Glibc
import LockScreenCamera
import LockedCameraCapture

/// The main app. Without arguments, it imports photos and handles the launches by its control and its extension.
@main
struct LockScreenCameraApp {
  /// Runs the command in the arguments.
  ///
  /// The exit code is 64 for a usage error and 1 for a failure.
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments {
      case []: try await OpenedApp(PhotoLibrary.standard()).run()
      case ["settings"]: printLine("\(await CameraSettings.shared.value)")
      case ["mirror", "on"], ["mirror", "off"]:
        let isOn = arguments[1] == "on"
        try await CameraSettings.shared.update { $0.isMirrored = isOn }
      case ["grid", "on"], ["grid", "off"]:
        let isOn = arguments[1] == "on"
        try await CameraSettings.shared.update { $0.showsGrid = isOn }
      default: fail(64, "usage: lockscreen-camera [settings | mirror on|off | grid on|off]")
      }
    } catch {
      fail(1, "lockscreen-camera: \(error)")
    }
  }

  /// Prints an error message and exits.
  private static func fail(_ code: Int32, _ message: String) -> Never {
    printLine(message, to: 2)
    exit(code)
  }
}

/// Prints a line without buffering: `print` would delay the line if standard output is not a terminal.
func printLine(_ text: String, to descriptor: Int32 = 1) {
  var line = "\(text)\n"
  line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
}
