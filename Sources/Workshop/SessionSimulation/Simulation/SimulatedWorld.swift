// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
package import CaptureHost
package import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
package import SessionStore

/// The surroundings of a session that are made up, and how they change. What the person decides is written where it
/// always is, in a state root that is there for this alone; so the session hears of it as of any other decision.
///
/// It belongs to the thread that drives the session.
package final class SimulatedWorld {
  /// What happens to the camera.
  package let camera: CameraScenario
  /// How much of the file system is said to be free.
  package let space = SimulatedSpace()
  /// What comes of asking the person who they are.
  package private(set) var authentication = AuthenticationResult.succeeded
  /// Whether the machine is locked when the session is launched.
  package private(set) var lock = LockState.unlocked
  /// Whether there is a camera.
  package private(set) var hasCamera = true
  private let app: AppStore
  private var decided: Set<PermissionSubject> = []

  /// The surroundings of one session of an app.
  package init(_ app: AppStore) throws(StoreError) {
    self.app = app
    do throws(SystemCallError) { camera = try CameraScenario() } catch { throw .system(error) }
  }

  /// Forgets what the person has decided, and what the app has said, for an earlier session.
  package static func forget(_ app: AppStore) throws(StoreError) {
    try PermissionStore(app).clear()
    try AppContextStore(app).clear()
  }

  /// What whoever launches the session grants, because nothing else was said: the camera.
  package var granted: Set<PermissionSubject> { Set([.camera]).subtracting(decided) }

  /// Lets something happen; a sentence if it cannot.
  package func carryOut(_ change: WorldChange) -> String? {
    do throws(StoreError) {
      switch change {
      case .lock(let state): lock = state
      case .permission(let name, let isAllowed): try decide(name, isAllowed)
      case .noCamera: hasCamera = false
      case .unplug: camera.change { $0.isPlugged = false }
      case .stall: camera.change { $0.isFlowing = false }
      case .resume: camera.change { $0.isFlowing = true }
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

  private func decide(_ name: WorldChange.PermissionName, _ isAllowed: Bool?) throws(StoreError) {
    let subject = name.subject
    decided.insert(subject)
    try PermissionStore(app).change { (permissions) throws(PermissionMistake) in
      if let isAllowed {
        try permissions.set(subject, isAllowed ? .authorized : .denied)
      } else {
        permissions.reset(subject)
      }
    }
  }

  private func setContext(_ text: String) throws(StoreError) {
    // The script was read: it is JSON.
    guard let value = try? JSONNode.parse(text).value else { return }
    try AppContextStore(app).set(value)
  }
}

extension WorldChange.PermissionName {
  /// The same as the store has it.
  fileprivate var subject: PermissionSubject {
    switch self {
    case .camera: .camera
    case .microphone: .microphone
    case .photosAddOnly: .photosAddOnly
    case .photos: .photos
    }
  }
}

/// How much of the file system a session is told to be free.
package final class SimulatedSpace: FreeSpaceSource {
  /// In bytes; nil: as much as is.
  package private(set) var free: Int64?
  private var hasChanged = false

  /// From now on so many bytes are free.
  func set(_ free: Int64?) {
    self.free = free
    hasChanged = true
  }

  /// Whether that has changed since the last call.
  package func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }
}

/// An app that is opened by nobody: whoever asks for it is told that it was.
package final class SimulatedOpener: ApplicationOpening {
  /// An app that can be opened.
  package init() {}
  package func check() throws(ApplicationOpeningError) {}
  package func open(_ delivery: AppDelivery) throws(ApplicationOpeningError) {}
}

/// A person who is asked, and decides at once.
package final class SimulatedPerson: Authenticating {
  private let result: AuthenticationResult

  /// A person who decides so.
  package init(_ result: AuthenticationResult) { self.result = result }

  package func begin(reason: String) -> any AuthenticationAttempt { Attempt(result) }

  /// What the person has decided.
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
