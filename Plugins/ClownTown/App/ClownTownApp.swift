// SPDX-License-Identifier: Apache-2.0

import ClownTown
import FoundationEssentials
import Glibc
import LockedCameraCapture

/// The app of ClownTown. Without arguments, it imports captures and handles pending launches.
@main
struct ClownTownApp {
  /// Runs the command in the arguments.
  ///
  /// The exit code is 64 for a usage error and 1 for a failure.
  static func main() async {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      switch arguments {
      case []: try await OpenedApp(Profile.standard()).run()
      case ["makeup"]: try await printMakeup()
      case ["makeup", "on"], ["makeup", "off"]:
        try await ClownTownCaptureIntent.updateAppContext(ClownTownContext(addsMakeup: arguments[1] == "on"))
      case ["profile"]: printLine(try Profile.standard().photo?.path(percentEncoded: false) ?? "no photo yet")
      default: fail(64, "usage: clowntown [makeup [on|off] | profile]")
      }
    } catch {
      fail(1, "clowntown: \(error)")
    }
  }

  /// Prints whether portraits are currently painted with make-up.
  private static func printMakeup() async throws {
    printLine(try await ClownTownCaptureIntent.appContext?.addsMakeup == true ? "on" : "off")
  }

  /// Prints an error message and exits.
  private static func fail(_ code: Int32, _ sentence: String) -> Never {
    printLine(sentence, to: 2)
    exit(code)
  }
}

/// Prints a line without buffering: `print` would delay the line if standard output is not a terminal.
func printLine(_ sentence: String, to descriptor: Int32 = 1) {
  var line = "\(sentence)\n"
  line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
}
