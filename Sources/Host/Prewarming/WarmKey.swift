// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import Digests
internal import ExtensionProtocol
internal import LaunchPlanning
internal import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore

/// Everything that is settled when a program is started, or that it was started for: an extension that waits is launched
/// only for a request with the same key.
struct WarmKey: Equatable, Sendable {
  /// The app, and the state root that it is in.
  let app: AppStore
  /// The extension.
  let extensionID: String
  /// The digest of the policy's documents.
  let policyDigest: String
  /// What they say on this machine.
  let policy: ResolvedPolicy
  /// The digests of the extension's manifest, program and policy when it was installed; nil: it was not.
  let pinned: PinnedDigests?
  /// The program.
  let program: LaunchSubject.Program
  /// The program's file and its bundle's directory as they are now.
  let files: [FileIdentity?]
  /// Its arguments.
  let arguments: [String]
  /// The variables that it asks for.
  let environment: [LaunchPlan.EnvironmentVariable]
  /// More paths that it is shown.
  let readOnly: [String]
  /// What the app may use, and why.
  let permissions: ResolvedPermissions
  /// What holds of the machine's lock.
  let lock: LockRules
  /// The set of files that the app shares.
  let assets: String?
  /// What the extension is told of the camera.
  let camera: CameraDescription?
  /// The most bytes that the session directory may hold: files cannot grow beyond it.
  let mostBytes: Int

  /// What holds of the machine's lock.
  struct LockRules: Hashable, Sendable {
    /// Which sessions end when the machine is locked.
    let dismissal: SessionRequest.LockDismissal
    /// Where the session is launched from.
    let surface: LaunchSurface
    /// Whether the machine is locked.
    let state: LockState
  }

  /// The key of a request; nil: its extension cannot be started ahead.
  ///
  /// It can if its manifest says so, if it is told by a message that it is launched, if it needs no ring for sound, and if
  /// nobody has a hand on how it is started: no debugger, nobody who learns from it, and no terminal.
  init?(_ request: SessionRequest, assets: String?, camera: CameraDescription?) {
    guard Self.allows(request) else { return nil }
    let subject = request.subject
    app = request.app
    extensionID = request.extensionID
    policyDigest = request.policyDigest
    policy = subject.policy
    pinned = request.installed?.pinned
    program = subject.program
    files = Self.files(of: subject.program)
    arguments = subject.arguments
    environment = subject.environment
    readOnly = subject.readOnly
    permissions = request.surroundings.permissions.resolved
    lock = LockRules(
      dismissal: request.lockDismissal,
      surface: request.surroundings.launch.surface,
      state: request.surroundings.lock.state
    )
    self.assets = assets
    self.camera = camera
    mostBytes = request.mostBytes
  }

  /// Whether a request's extension can be started ahead.
  static func allows(_ request: SessionRequest) -> Bool {
    guard request.preparation == .ahead, request.conversation == .messages, request.debugger == .none,
      request.microphone == nil, request.learning == nil, case .logged = request.standard
    else { return false }
    switch (request.frames, request.camera) {
    case (.none, _), (.ring, nil): return true
    case (.ring, let camera?): return OpenedCamera.isRepeatable(camera)
    case (.stream, _): return false
    }
  }

  /// Which extension it is for.
  var place: String { "\(app.directory)/\(extensionID)" }

  /// The files that make a program what it is, as they are now.
  static func files(of program: LaunchSubject.Program) -> [FileIdentity?] {
    [FileIdentity(program.hostPath), program.bundle.flatMap(FileIdentity.init)]
  }

  /// Whether its files are still the same.
  var isCurrent: Bool { files[0] != nil && files == Self.files(of: program) }
}
