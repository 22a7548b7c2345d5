// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
package import CaptureHost
package import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
package import SessionStore

/// The simulated environment of a session. Decisions of the user are written to a state root that was created
/// for this purpose, so that the session observes them as it would observe real ones.
///
/// Only the thread that drives the session uses it.
package final class SimulatedEnvironment {
  /// The state of the camera.
  package let camera: CameraScenario
  /// The free space of the file system.
  package let space = SimulatedSpace()
  /// The result of authentication.
  package private(set) var authentication = AuthenticationResult.succeeded
  /// The lock state at the launch of the session.
  package private(set) var lock = LockState.unlocked
  /// Whether a camera exists.
  package private(set) var hasCamera = true
  private let app: AppStore
  private var decided: Set<PermissionSubject> = []

  /// Creates the environment of one session of an app.
  package init(_ app: AppStore) throws(StoreError) {
    self.app = app
    do throws(SystemCallError) { camera = try CameraScenario() } catch { throw .system(error) }
  }

  /// Deletes the user's decisions and the app context of earlier sessions.
  package static func forget(_ app: AppStore) throws(StoreError) {
    try PermissionStore(app).clear()
    try AppContextStore(app).clear()
  }

  /// The permissions that are granted by default: the camera, unless the script decides about it.
  package var granted: Set<PermissionSubject> { Set([.camera]).subtracting(decided) }

  /// Applies a change. Returns a message if that failed, or `nil`.
  package func apply(_ change: SimulatedEvent) -> String? {
    do throws(StoreError) {
      switch change {
      case .lock(let state): lock = state
      case .permission(let name, let isAllowed): try decide(name, isAllowed)
      case .noCamera: hasCamera = false
      case .unplug: camera.change { $0.isConnected = false }
      case .stall: camera.change { $0.isStreaming = false }
      case .resume: camera.change { $0.isStreaming = true }
      case .rate(let number):
        let rate = CameraSource.FrameRate(number)
        camera.change { $0.rate = rate }
      case .space(let bytes): space.set(bytes)
      case .context(let text): try setContext(text)
      case .authentication(let result): authentication = result
      }
    } catch { return "\(error)" }
    return nil
  }

  private func decide(_ name: SimulatedEvent.PermissionName, _ isAllowed: Bool?) throws(StoreError) {
    let subject = name.subject
    decided.insert(subject)
    try PermissionStore(app).change { (permissions) throws(PermissionSettingError) in
      if let isAllowed {
        try permissions.set(subject, isAllowed ? .authorized : .denied)
      } else {
        permissions.reset(subject)
      }
    }
  }

  private func setContext(_ text: String) throws(StoreError) {
    // The parser of the script has checked that the text is JSON.
    guard let value = try? JSONNode.parse(text).value else { return }
    try AppContextStore(app).set(value)
  }
}

extension SimulatedEvent.PermissionName {
  /// The corresponding permission in the store.
  fileprivate var subject: PermissionSubject {
    switch self {
    case .camera: .camera
    case .microphone: .microphone
    case .photosAddOnly: .photosAddOnly
    case .photos: .photos
    }
  }
}

/// The simulated free space of the file system.
package final class SimulatedSpace: FreeSpaceSource {
  /// The free space in bytes, or `nil` for the real value.
  package private(set) var free: Int64?
  private var hasChanged = false

  /// Sets the free space.
  func set(_ free: Int64?) {
    self.free = free
    hasChanged = true
  }

  /// Whether the free space changed since the last call.
  package func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }
}

/// A simulated opener, which reports success without opening the app.
package final class SimulatedOpener: ApplicationOpening {
  /// Creates an opener.
  package init() {}
  package func check() throws(ApplicationOpeningError) {}
  package func open(_ delivery: AppDelivery) throws(ApplicationOpeningError) {}
}

/// A simulated user, who completes authentication immediately.
package final class SimulatedUser: Authenticating {
  private let result: AuthenticationResult

  /// Creates a user with a fixed result of authentication.
  package init(_ result: AuthenticationResult) { self.result = result }

  package func begin(reason: String) -> any AuthenticationAttempt { Attempt(result) }

  /// An authentication attempt with a fixed result.
  private final class Attempt: AuthenticationAttempt {
    let result: AuthenticationResult?
    private let decided: HeldDescriptor?

    init(_ result: AuthenticationResult) {
      self.result = result
      decided = try? HeldDescriptor(EventCounter.make())
      if let decided { try? EventCounter.add(to: decided.descriptor) }
    }

    var descriptor: Int32 { decided?.rawValue ?? -1 }
    func cancel() {}
  }
}
