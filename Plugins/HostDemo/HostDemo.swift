// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import Glibc

/// Installs an app, launches its first extension with a test pattern, and takes one picture.
@main struct HostDemo {
  static func main() async {
    do { try await takePicture() } catch {
      print(error)
      exit(1)
    }
  }

  private static func takePicture() async throws {
    guard CommandLine.arguments.count == 3 else {
      print("usage: darkroom-host-demo STATE BUNDLE")
      exit(64)
    }
    let host = try DarkroomHost(stateDirectory: .path(CommandLine.arguments[1]))
    try await host.recover()
    let app = try await host.apps.install(bundleAt: CommandLine.arguments[2]).app
    guard let installed = app.extensions.first else { return print("\(app.name) has no extension") }
    let options = LaunchOptions(camera: .testPattern(width: 320, height: 240))
    let session = try await host.launch(installed.id, options)
    for await event in session.events {
      switch event {
      case .started(let sandbox): print("\(installed.name) runs in \(sandbox.layers.count) layers")
      case .acceptsPresses(true):
        let size = await session.withNextFrame { frame in "\(frame.width)x\(frame.height)" }
        print("viewfinder: \(size ?? "none")")
        session.tap(.primary)
        try await Task.sleep(for: .seconds(1))
        session.dismiss()
      case .refused(let refusal): print("refused: \(refusal.sentence)")
      case .notice(let text): print("notice: \(text)")
      default: break
      }
    }
    let result = try await session.result
    print(result.summary)
    for file in result.files { print("\(result.contentPath ?? "")/\(file.path): \(file.size) bytes") }
    await host.close()
  }
}
