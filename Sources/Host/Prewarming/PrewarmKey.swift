// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import Digests
internal import ExtensionProtocol
internal import LaunchPlanning
internal import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore

/// The properties that are fixed when a prewarmed program is started. A prewarmed extension is launched only
/// for a request with an equal key.
struct PrewarmKey: Equatable, Sendable {
  /// The app with its state directory.
  let app: AppStore
  /// The ID of the extension.
  let extensionID: String
  /// The digest of the policy documents.
  let policyDigest: String
  /// The resolved policy on this machine.
  let policy: ResolvedPolicy
  /// The digests of the extension's manifest, program and policy at installation, or `nil` for another
  /// program.
  let pinned: PinnedDigests?
  let program: LaunchTarget.Program
  /// The current identities of the program file and of the bundle directory.
  let files: [FileIdentity?]
  /// The arguments of the program.
  let arguments: [String]
  /// The environment variables that the extension requests.
  let environment: [LaunchPlan.EnvironmentVariable]
  /// The additional read-only paths.
  let readOnly: [String]
  /// The permissions of the app, with their reasons.
  let permissions: ResolvedPermissions
  /// The conditions of the lock screen.
  let lock: LockConditions
  /// The path of the app's shared assets.
  let assets: String?
  /// The camera properties that are reported to the extension.
  let camera: CameraDescription?
  /// The maximum size of the session content directory in bytes, which the file size limit enforces.
  let maximumBytes: Int

  /// The conditions of the lock screen.
  struct LockConditions: Hashable, Sendable {
    /// The rule for dismissing a session when the screen is locked.
    let dismissal: SessionRequest.LockDismissal
    /// The surface from which the session is launched.
    let surface: LaunchSurface
    /// Whether the screen is locked.
    let state: LockState
  }

  /// Creates the key of a request, or returns `nil` if its extension cannot be prewarmed.
  ///
  /// An extension can be prewarmed if its manifest requests it, the launch is reported by a message, and no
  /// sound ring is needed. A debugger, learning mode or a terminal prevents it.
  init?(_ request: SessionRequest, assets: String?, camera: CameraDescription?) {
    guard Self.allows(request) else { return nil }
    let subject = request.subject
    app = request.extension.app
    extensionID = request.extension.id
    policyDigest = request.extension.policyDigest
    policy = subject.policy
    pinned = request.extension.installed?.pinned
    program = subject.program
    files = Self.files(of: subject.program)
    arguments = subject.arguments
    environment = subject.environment
    readOnly = subject.readOnly
    permissions = request.dependencies.permissions.resolved
    lock = LockConditions(
      dismissal: request.lockDismissal,
      surface: request.dependencies.launch.surface,
      state: request.dependencies.lock.state
    )
    self.assets = assets
    self.camera = camera
    maximumBytes = request.maximumBytes
  }

  /// Returns whether the extension of a request can be prewarmed.
  static func allows(_ request: SessionRequest) -> Bool {
    guard request.preparation == .beforeLaunch, request.conversation == .messages, request.debugger == .none,
      request.devices.microphone == nil, request.learning == nil, case .logged = request.standard
    else { return false }
    switch (request.devices.frames, request.devices.camera) {
    case (.none, _), (.ring, nil): return true
    case (.ring, let camera?): return OpenedCamera.isRepeatable(camera)
    case (.stream, _): return false
    }
  }

  /// The path that identifies the extension.
  var extensionPath: String { "\(app.directory)/\(extensionID)" }

  /// Returns the current identities of the program file and of its bundle directory.
  static func files(of program: LaunchTarget.Program) -> [FileIdentity?] {
    [FileIdentity(program.hostPath), program.bundle.flatMap(FileIdentity.init)]
  }

  /// Whether the program's files are unchanged.
  var isCurrent: Bool { files[0] != nil && files == Self.files(of: program) }
}
