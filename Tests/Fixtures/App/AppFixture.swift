// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives
internal import LockedCameraCapture

/// An app that performs the operation of its first argument and prints the results.
@main
struct AppFixture {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "watch": await watch(arguments[1])
      case "invalidate": try await invalidate(arguments[1], arguments.dropFirst(2))
      case "import": try await importAll(arguments[1], into: arguments[2])
      case "listen": await listen(arguments[1])
      case "permissions": await printPermissions()
      default:
        CurrentProcess.writeToStandardError(
          "usage: darkroom-app-fixture watch|invalidate|import|listen|permissions CONTAINER [ARGUMENT…]"
        )
        CurrentProcess.end(64)
      }
    } catch {
      CurrentProcess.writeToStandardError("\(error)")
      CurrentProcess.end(1)
    }
  }

  /// Prints a line without buffering.
  static func printLine(_ line: String) { try? Descriptor.write(Array("\(line)\n".utf8), toNumber: 1) }

  private static func manager(_ container: String) -> LockedCameraCaptureManager {
    LockedCameraCaptureManager(container: URL(filePath: container, directoryHint: .isDirectory))
  }

  /// Prints every content update; never returns.
  private static func watch(_ container: String) async {
    for await update in manager(container).sessionContentUpdates {
      switch update {
      case .initial(let urls): printLine((["initial"] + urls.map(\.lastPathComponent)).joined(separator: " "))
      case .added(let url): printLine("added \(url.lastPathComponent)")
      case .removed(let url): printLine("removed \(url.lastPathComponent)")
      @unknown default: printLine("unknown")
      }
    }
  }

  /// Invalidates the session content at the given paths.
  private static func invalidate(_ container: String, _ paths: some Sequence<String>) async throws {
    let manager = manager(container)
    for path in paths {
      try await manager.invalidateSessionContent(at: URL(filePath: path, directoryHint: .isDirectory))
    }
  }

  /// Prints the permissions of the app of this process as Apple's raw values.
  private static func printPermissions() async {
    let devices = [AVMediaType.video, .audio].map { AVCaptureDevice.authorizationStatus(for: $0).rawValue }
    let levels = [PHAccessLevel.addOnly, .readWrite]
    let photos = levels.map { PHPhotoLibrary.authorizationStatus(for: $0).rawValue }
    let camera = await AVCaptureDevice.requestAccess(for: .video)
    let reading = await PHPhotoLibrary.requestAuthorization(for: .readWrite).rawValue
    printLine("\(devices) \(photos) \(camera) \(reading) \(PHPhotoLibrary.authorizationStatus().rawValue)")
  }

  /// Prints every launch; never returns.
  private static func listen(_ container: String) async {
    for await launch in manager(container).launches {
      printLine("launch \(launch.id.uuidString.lowercased())")
    }
  }

  /// Imports the content of all sessions one after another and prints each imported session.
  private static func importAll(_ container: String, into library: String) async throws {
    let manager = manager(container)
    let ledger = try ImportLedger(directory: URL(filePath: library, directoryHint: .isDirectory))
    for url in manager.sessionContentURLs {
      guard let id = LockedCameraCaptureManager.sessionID(of: url) else { continue }
      let isNew = try await ledger.importSession(id) { target in
        for name in try FileSystem.names(in: url.path(percentEncoded: false)) {
          let file = url.appending(path: name).path(percentEncoded: false)
          try FileSystem.copyFile(
            file,
            to: target.appending(path: name).path(percentEncoded: false),
            mode: 0o600
          )
        }
      }
      if isNew { printLine("imported \(url.lastPathComponent)") }
      try await manager.invalidateSessionContent(at: url)
    }
    printLine("done")
  }
}
