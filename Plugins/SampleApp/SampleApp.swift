// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Imports the sessions of this app's capture extensions.
@main
struct SampleApp {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let container = arguments.first ?? CurrentProcess.environment("DARKROOM_APP_CONTAINER")
    let library = arguments.dropFirst().first ?? CurrentProcess.environment("DARKROOM_APP_LIBRARY")
    guard let container, let library, arguments.count <= 2 else {
      CurrentProcess.writeToStandardError(
        """
        usage: darkroom-sample-app CONTAINER LIBRARY
        or set DARKROOM_APP_CONTAINER and DARKROOM_APP_LIBRARY
        """
      )
      CurrentProcess.end(64)
    }
    do {
      let importer = try SessionImporter(container: container, library: library)
      let imported = try await importer.importAll()
      print(imported == 1 ? "1 session imported" : "\(imported) sessions imported")
    } catch {
      CurrentProcess.writeToStandardError("darkroom-sample-app: \(error)")
      CurrentProcess.end(1)
    }
  }
}
