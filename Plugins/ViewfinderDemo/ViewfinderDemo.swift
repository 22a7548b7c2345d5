// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import Glibc

/// Shows the viewfinder of an extension as text, reports refused calls, and authenticates the user with a code.
@main struct ViewfinderDemo {
  static func main() async {
    do { try await hostExtension() } catch {
      print(error)
      exit(1)
    }
  }

  private static func hostExtension() async throws {
    guard CommandLine.arguments.count == 3 else {
      print("usage: darkroom-viewfinder-demo STATE BUNDLE")
      exit(64)
    }
    let lock = AdjustableLockState(.locked)
    var configuration = HostConfiguration()
    configuration.lockState = .source(lock)
    configuration.authenticator = .service(CodePrompt(lock: lock))
    let host = try DarkroomHost(
      stateDirectory: .path(CommandLine.arguments[1]),
      configuration: configuration
    )
    let app = try await host.apps.install(bundleAt: CommandLine.arguments[2]).app
    guard let installed = app.extensions.first else { return print("\(app.name) has no extension") }
    let camera = CameraSelection.testPattern(width: 320, height: 240)
    let session = try await host.launch(installed.id, LaunchOptions(camera: camera, place: .lockScreen))
    print(try await follow(session).summary)
    print("the screen is \(lock.state)")
    await host.close()
  }

  /// Presses both buttons once, shows the frames and events of a session, and returns its result. Dismisses the
  /// session after five seconds.
  private static func follow(_ session: HostedSession) async throws -> SessionResult {
    let result = Task { try await session.result }
    let deadline = Task {
      try await Task.sleep(for: .seconds(5))
      result.cancel()
    }
    async let frameCount = showFrames(of: session)
    var isPressed = false
    for await event in session.events {
      switch event {
      case .acceptsPresses(true) where !isPressed:
        isPressed = true
        session.tap(.primary)
        session.tap(.secondary)
      case .refused(let refusal) where !refusal.isProbe:
        print("refused: \(refusal.call) of \(refusal.program): \(refusal.reason)")
      case .notice(let text): print("notice: \(text)")
      case .openingApplication: print("the app opens")
      default: break
      }
    }
    deadline.cancel()
    print("frames: \(await frameCount)")
    return try await result.value
  }
}

// MARK: - Viewfinder

extension ViewfinderDemo {
  /// Shows one frame in 30 until the session ends, and returns the number of all frames.
  private static func showFrames(of session: HostedSession) async -> Int {
    var count = 0
    while let text = await session.withNextFrame({ frame in text(of: frame) }) {
      if count % 30 == 0 { print(text) }
      count += 1
    }
    return count
  }

  /// Returns the luma of a frame as 12 lines of 40 characters.
  private static func text(of frame: borrowing ViewfinderFrame) -> String {
    let shades = Array(" .:-=+*#%@")
    let (width, height, stride) = (frame.width, frame.height, frame.planes[0].stride)
    return frame.withPlane(0) { luma in
      let lines = (0..<12).map { line in
        let row = line * height / 12 * stride
        let samples = (0..<40).map { column in Int(luma[row + column * width / 40]) }
        return String(samples.map { shades[$0 * shades.count / 256] })
      }
      return lines.joined(separator: "\n")
    }
  }
}

// MARK: - Authentication

/// Authenticates the user with a code from standard input.
private struct CodePrompt: Authenticator {
  /// The lock that the right code opens.
  let lock: AdjustableLockState

  func authenticate(reason: String) async -> UserAuthenticationResult {
    print("enter the code to \(reason)")
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    // The host cancels the task if the session ends first. Waiting in read(2) would block a thread meanwhile.
    while poll(&input, 1, 0) == 0 {
      do { try await Task.sleep(for: .milliseconds(50)) } catch { return .cancelled }
    }
    guard readLine() == "2718" else { return .failed }
    lock.set(.unlocked)
    return .succeeded
  }
}
