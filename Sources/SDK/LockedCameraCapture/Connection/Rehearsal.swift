// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives

/// The start of a session that there is not, gone through once by a program that was started ahead and waits.
///
/// Swift makes the descriptions of types, and the kernel brings the pages of a program, when they are first needed. Of a
/// program that waits that is better before the person has pressed anything. It makes no system call, tells nobody, and
/// leaves nothing but that.
@MainActor
enum Rehearsal {
  /// How long a host may take to begin before the session is thought to be for later, in nanoseconds: a program that is
  /// launched for a session finds the beginning there.
  private static let patience: UInt64 = 20_000_000

  /// Whether the host has nothing to say yet on this pipe; waits a moment for it.
  static func isTime(for input: borrowing Descriptor) throws(ExtensionFailure) -> Bool {
    do throws(SystemCallError) {
      return try Poller.wait([(input.rawValue, .readable)], until: MonotonicClock.now + patience)[0].isEmpty
    } catch { throw .system(error) }
  }

  /// Reads a beginning as it will come, and answers it into the void.
  static func perform() {
    let start = SessionStart(
      sessionID: "00000000-0000-4000-8000-000000000000",
      app: "org.example.rehearsal",
      extension: "org.example.rehearsal.capture",
      appContext: ["rehearsal": [1, 2.5, true, .null]],
      lockState: .locked,
      permissions: Permissions(camera: .authorized),
      deadlines: Deadlines(launch: 10, dismissal: 2.5, watchdog: 10),
      camera: CameraDescription(width: 64, height: 48, frameRate: FrameRate(30), name: "Rehearsal"),
      launch: LaunchOrigin(.lockScreen, control: "rehearsal"),
      assetsDirectory: "/assets",
      preview: true,
      cameraControls: 4
    )
    let line = HostMessage.request(id: .integer(1), .sessionStart(start)).line.dropLast()
    var framer = LineFramer()
    (line + [UInt8(ascii: "\n")]).withUnsafeBytes { framer.push($0, at: 0) }
    guard let taken = try? framer.next(),
      case .request(let id, .sessionStart(let read)) = try? HostMessage(line: taken)
    else { return }
    let version = (try? ProtocolVersion.negotiate(offered: read.protocolVersions)) ?? 1
    _ = ExtensionMessage.reply(Reply(id: id, result: SessionStartResult(protocolVersion: version))).line
    _ = try? SessionPlaces(read)
    _ = ContextKnowledge(read.appContext)
    _ = (LockState(read.lockState), SessionPermissions(read.permissions))
    _ = CurrentSession.isInMainQueue
    _ = Broadcast(CaptureRequirements(read.deadlines))
    _ = Broadcast(SessionContentRoom())
    _ = Broadcast(SessionCameraState(read.camera))
    _ = Broadcast<SessionMicrophone?>(nil)
    _ = (ControlExchange(), SessionHandlers())
    _ = [Alarm.Key: Alarm]()
    markMainQueue()
  }

  /// Goes the way to what an extension shows, without making any of it: by the types alone.
  static func perform<Shown: LockedCameraCaptureExtension>(of type: Shown.Type) {
    perform()
    SceneTree.walk(Shown.Body.self)
  }

  /// Marks the main queue as ``CurrentSession`` does, and takes the mark away.
  private static func markMainQueue() {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    DispatchQueue.main.setSpecific(key: mark, value: nil)
  }
}
