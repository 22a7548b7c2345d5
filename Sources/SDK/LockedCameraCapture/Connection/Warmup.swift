// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
@_spi(SwiftUI) internal import Observation

/// A simulated start of a session, run once by a prewarmed process while it waits for its session.
///
/// Swift instantiates type metadata, and the kernel maps pages, on first use. In a prewarmed process that
/// happens before the user launches the extension. The simulated start makes no system calls, sends nothing,
/// and has no other effect.
@MainActor
enum Warmup {
  /// The time, in nanoseconds, after which a silent host indicates a prewarmed process.
  ///
  /// A process that is launched for a session finds `session/start` in the pipe at once.
  private static let startTimeout: UInt64 = 20_000_000

  /// Returns whether the host sends no message within ``startTimeout``.
  static func isHostIdle(for input: borrowing Descriptor) throws(ExtensionFailure) -> Bool {
    do throws(SystemCallError) {
      return try Poller.wait([(input.rawValue, .readable)], until: MonotonicClock.now + startTimeout)[0]
        .isEmpty
    } catch { throw .system(error) }
  }

  /// Encodes and decodes a `session/start` and its reply, and discards the results.
  static func perform() {
    var start = SessionStart(
      .init(
        sessionID: "00000000-0000-4000-8000-000000000000",
        app: "org.example.rehearsal",
        extension: "org.example.rehearsal.capture"
      ),
      directories: .init(assets: "/assets"),
      appContext: ["rehearsal": [1, 2.5, true, .null]],
      lockState: .locked,
      permissions: Permissions(camera: .authorized),
      deadlines: Deadlines(launch: 10, dismissal: 2.5, watchdog: 10),
      devices: .init(
        camera: CameraDescription(width: 64, height: 48, frameRate: FrameRate(30), name: "Rehearsal"),
        preview: true,
        cameraControls: 4
      )
    )
    start.launch = LaunchOrigin(.lockScreen, control: "rehearsal")
    let line = HostMessage.request(id: .integer(1), .sessionStart(start)).line.dropLast()
    var framer = LineFramer()
    (line + [UInt8(ascii: "\n")]).withUnsafeBytes { framer.push($0, at: 0) }
    guard let taken = try? framer.next(),
      case .request(let id, .sessionStart(let read)) = try? HostMessage(line: taken)
    else { return }
    let version = (try? ProtocolVersion.negotiate(offered: read.protocolVersions)) ?? 1
    _ = ExtensionMessage.reply(Reply(id: id, result: SessionStartResult(protocolVersion: version))).line
    _ = try? SessionDirectories(read)
    _ = AppContextTracker(read.appContext)
    _ = (LockState(read.lockState), SessionPermissions(read.permissions))
    _ = CurrentSession.isInMainQueue
    _ = Broadcast(CaptureRequirements(read.deadlines))
    _ = Broadcast(SessionContentRoom())
    _ = Broadcast(SessionCameraState(read.devices.camera))
    _ = Broadcast<SessionMicrophone?>(nil)
    _ = (ControlSynchronizer(), SessionHandlers())
    _ = [Alarm.Key: Alarm]()
    markMainQueue()
  }

  /// Runs the simulated start and follows the types of an extension's scene, without creating the scene.
  static func perform<Shown: LockedCameraCaptureExtension>(of type: Shown.Type) {
    perform()
    trackValue()
    findProperties()
    SceneTree.walk(Shown.Body.self)
  }

  /// Follows the chain of the body types of a view without creating a view, so that the Swift runtime
  /// instantiates their metadata and conformances.
  ///
  /// `steps` limits the depth, because a view's body can have the view's own type.
  static func walk<Shown: CaptureView>(_ type: Shown.Type, atMost steps: Int = 8) {
    if steps == 0 || type is any BuiltInView.Type { return }
    walk(Shown.Body.self, atMost: steps - 1)
  }

  /// Tracks a value as the evaluation of a view does, and creates the key of a view.
  private static func trackValue() {
    _ = AnyHashable(0)
    let end = TrackingEnd()
    withObservationTracking({ end.observe() }, didSet: { $0.cancel() })
    end.announce()
  }

  /// Looks for dynamic properties as the evaluation of a view does.
  private static func findProperties() {
    @MainActor struct Example {
      let session: LockedCameraCaptureSession? = nil
      let action: () -> Void = {}
      let state = State(initialValue: false)
    }
    for child in Mirror(reflecting: Example()).children {
      _ = (child.value as? any BoundProperty, child.value is any DynamicProperty)
    }
  }

  /// Marks the main queue as ``CurrentSession`` does, and removes the mark.
  private static func markMainQueue() {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    DispatchQueue.main.setSpecific(key: mark, value: nil)
  }
}
