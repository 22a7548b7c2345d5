// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import ExtensionProtocol
internal import LaunchPlanning
internal import SessionStore

/// The properties with which a prewarmed extension is started. They contain nothing that belongs to a single
/// launch.
struct PrewarmRecipe: Sendable {
  /// The key that a request must match.
  let key: PrewarmKey
  private let subject: LaunchTarget
  private let executableDigest: String?
  private let installed: InstalledExtension?
  private let frames: SessionRequest.FrameTransport

  /// Creates the recipe for a request, or returns `nil` if its extension cannot be prewarmed.
  init?(_ request: SessionRequest, assets: String?, camera: CameraDescription?) {
    guard let key = PrewarmKey(request, assets: assets, camera: camera) else { return nil }
    self.key = key
    subject = request.subject
    executableDigest = request.extension.executableDigest
    installed = request.extension.installed
    frames = request.devices.frames
  }

  /// Returns a request for the start alone, without output to a terminal and with fixed services.
  func request() -> SessionRequest {
    SessionRequest(
      subject: subject,
      extension: .init(
        app: key.app,
        id: key.extensionID,
        policyDigest: key.policyDigest,
        executableDigest: executableDigest
      ),
      conversation: .messages,
      devices: .init(frames: frames),
      standard: .logged(echo: nil),
      dependencies: .fixed(key.permissions.permissions)
    )
  }

  /// Holds and verifies the installed copy while `body` runs.
  func holding<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    guard let installed else { return try body() }
    guard let hold = try installed.hold() else { throw PrewarmError.removed }
    try installed.verifyDigest(.unlessUnchanged)
    let result = try body()
    _ = consume hold
    return result
  }
}

/// The reason why an extension cannot be prewarmed.
enum PrewarmError: Error, CustomStringConvertible {
  /// The app is being removed or updated.
  case removed
  /// The configuration has changed since the start was requested.
  case changed
  /// The extension cannot have its own namespaces, which prewarming requires.
  case restricted

  var description: String {
    switch self {
    case .removed: "the app is being removed or updated"
    case .changed: "the configuration has changed"
    case .restricted: "namespaces are unavailable (see 'darkroom doctor')"
    }
  }
}
