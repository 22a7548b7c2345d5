// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import ExtensionProtocol
internal import LaunchPlanning
internal import SessionStore

/// What an extension is started with that waits for a launch: nothing of the launch itself.
struct WarmRecipe: Sendable {
  /// What a launch has to be for, so that the extension is the right one.
  let key: WarmKey
  private let subject: LaunchSubject
  private let executableDigest: String?
  private let installed: InstalledExtension?
  private let frames: SessionRequest.FrameWay

  /// What to start so that a request like this one finds it waiting; nil: its extension cannot be started ahead.
  init?(_ request: SessionRequest, assets: String?, camera: CameraDescription?) {
    guard let key = WarmKey(request, assets: assets, camera: camera) else { return nil }
    self.key = key
    subject = request.subject
    executableDigest = request.executableDigest
    installed = request.installed
    frames = request.frames
  }

  /// A request for the start alone. Its output is kept for nobody's eyes yet, and nobody is around it.
  func request() -> SessionRequest {
    SessionRequest(
      subject: subject,
      app: key.app,
      extensionID: key.extensionID,
      policyDigest: key.policyDigest,
      executableDigest: executableDigest,
      conversation: .messages,
      frames: frames,
      standard: .logged(echo: nil),
      surroundings: .fixed(key.permissions.permissions)
    )
  }

  /// Keeps the installed copy as long as `body` takes, if it is what was installed.
  func holding<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    guard let installed else { return try body() }
    guard let hold = try installed.hold() else { throw WarmFault.removed }
    try installed.verifyDigest(.unlessUnchanged)
    let result = try body()
    _ = consume hold
    return result
  }
}

/// Why no extension waits that was to be started ahead.
enum WarmFault: Error, CustomStringConvertible {
  /// The app is being removed, or updated.
  case removed
  /// Something is other than it was when the start was asked for.
  case changed
  /// Without namespaces of its own an extension is not started ahead.
  case restricted

  var description: String {
    switch self {
    case .removed: "the app is being removed, or updated"
    case .changed: "it is not what it was"
    case .restricted: "a process has no namespaces of its own here (see 'darkroom doctor')"
    }
  }
}
