// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LockedCameraCapture
import ShapesShared

/// The app of the Shapes examples, with one command for each of its extensions.
@main
struct ShapesApp {
  /// Runs the command in the arguments.
  ///
  /// The exit code is 64 for a usage error and 1 for a failure.
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch (arguments.first, arguments.count) {
      case ("import-pairs", 2):
        try await PairImporter(library: directory(arguments[1])).importAll { print($0) }
      case ("reconcile", 2): try await Reconciler(library: directory(arguments[1])).reconcileAll { print($0) }
      case ("grey", 1): print(await LookIntent.settings.value.isGrey ? "on" : "off")
      case ("grey", 2):
        let isGrey = arguments[1] == "on"
        try await LookIntent.settings.update { $0.isGrey = isGrey }
      default:
        writeToStandardError(
          "usage: darkroom-shapes-app import-pairs LIBRARY | reconcile LIBRARY | grey [on|off]"
        )
        exit(64)
      }
    } catch {
      writeToStandardError("darkroom-shapes-app: \(error)")
      exit(1)
    }
  }

  /// Returns the URL of a directory.
  private static func directory(_ path: String) -> URL { URL(filePath: path, directoryHint: .isDirectory) }

  /// Prints a line to standard error.
  private static func writeToStandardError(_ text: String) {
    var line = "\(text)\n"
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }
}
