// SPDX-License-Identifier: Apache-2.0

import ClownTown
import FoundationEssentials
import Glibc
import LockedCameraCapture

/// The app of ClownTown. Without a word it is opened: it takes in what was captured and does what it is opened for.
@main
struct ClownTownApp {
  /// Does what the words say, and ends with 64 for a wrong word and 1 for what failed.
  static func main() async {
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      switch words {
      case []: try await OpenedApp(Profile.standard()).run()
      case ["makeup"]: try await printMakeup()
      case ["makeup", "on"], ["makeup", "off"]:
        try await ClownTownCaptureIntent.updateAppContext(ClownTownContext(addsMakeup: words[1] == "on"))
      case ["profile"]: say(try Profile.standard().photo?.path(percentEncoded: false) ?? "no photo yet")
      default: end(64, "usage: clowntown [makeup [on|off] | profile]")
      }
    } catch {
      end(1, "clowntown: \(error)")
    }
  }

  /// Says whether portraits are made up, as the capture extension would do it now.
  private static func printMakeup() async throws {
    say(try await ClownTownCaptureIntent.appContext?.addsMakeup == true ? "on" : "off")
  }

  /// Ends with a sentence.
  private static func end(_ code: Int32, _ sentence: String) -> Never {
    say(sentence, to: 2)
    exit(code)
  }
}

/// Says something at once, also where nobody looks at a terminal: `print` would keep it until there is more.
func say(_ sentence: String, to descriptor: Int32 = 1) {
  var line = "\(sentence)\n"
  line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
}
