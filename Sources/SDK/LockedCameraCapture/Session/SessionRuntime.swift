// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import Synchronization

/// What a session consists of while it runs: the conversation, the rings, and what is to be done when something comes.
///
/// It is apart from ``LockedCameraCaptureSession`` because that is Sendable and belongs to no actor, as Apple's is; all
/// that changes is here, and belongs to the main one.
@MainActor
final class SessionRuntime {
  let connection: ExtensionConnection
  /// The frames; nil without a camera.
  let ring: FrameRingReader?
  /// The viewfinder; nil if the host shows none.
  let preview: PreviewRingWriter?
  /// The sound; nil without a microphone.
  let sound: SoundRingReader?
  /// Whether sound is wanted.
  var isHearing = false
  /// The microphone and how it is doing, and who wants to know.
  let microphone: Broadcast<SessionMicrophone?>
  /// What is drawn into the viewfinder for each frame, in this order.
  var layers: [Layer] = []
  /// Which frames are wanted; nil while the camera is stopped.
  var delivery: FrameDelivery? {
    didSet { CurrentSession.update(isCameraRunning: delivery != nil, of: self) }
  }
  /// What the host knows of the camera controls.
  let controls = ControlExchange()
  /// Whether the person is locked out, as it was last heard of.
  var lockState: LockState
  /// What the extension may use, as it was last heard of.
  var permissions: SessionPermissions
  /// How the session stands before the person, as it was last heard of.
  var scene: SceneState
  /// What the watchdog misses, and who wants to know.
  let requirements: Broadcast<CaptureRequirements>
  /// How much room there is for what is captured, and who wants to know.
  let contentRoom = Broadcast(SessionContentRoom())
  /// How the camera is doing, and who wants to know.
  let cameraState: Broadcast<SessionCameraState>
  /// Why the app was not opened the last time.
  var launchFailure: ApplicationLaunchFailure?
  /// The app context as it was last heard of.
  var context: JSONValue { connection.context }
  var handlers = SessionHandlers()
  /// What is to be done at a moment.
  var alarms: [Alarm.Key: Alarm] = [:]
  var pictures: [SessionHandlers.Frame] = []
  /// What the host was last told that is wanted of the capture buttons; nil: nothing.
  var subscription: ButtonSubscription?
  /// Whether no frame was shown since the camera was started.
  var needsPresentation = false
  /// What the scene has asked for while it is made.
  var demands = SceneDemands()
  /// What ended the conversation while a handler was running; the loop ends with it.
  var failure: ExtensionFailure?
  /// Whether nothing can be asked or told any more.
  var isOver = false
  /// Whether the dismissal was announced; the session ends when nothing is unfinished.
  var isEnding = false
  /// How many handlers of the dismissal and expiring activities still run.
  var unfinished = 0
  /// Whether anything but the loop itself may have put work into the main queue.
  let mainQueue: MainQueueUse

  /// The thread in which the loop is in a turn; 0: in none.
  nonisolated let turningThread = Atomic<Int32>(0)
  /// Whether the caller is called by the loop, and so is in the main actor.
  nonisolated var isTurnOfThisThread: Bool {
    turningThread.load(ordering: .relaxed) == CurrentProcess.threadID
  }

  /// Whether the loop does what is in the main queue.
  enum MainQueueUse {
    /// Yes: the loop is all that the main thread does.
    case drained
    /// No: somebody else does it, between two turns of the loop.
    case foreign
  }

  /// What draws into the viewfinder.
  typealias Layer = (inout PreviewCanvas, borrowing CaptureFrame) throws -> Void

  init(
    _ connection: ExtensionConnection,
    ring: FrameRingReader?,
    preview: PreviewRingWriter?,
    sound: SoundRingReader? = nil,
    mainQueue: MainQueueUse
  ) {
    self.connection = connection
    self.ring = ring
    self.preview = preview
    self.sound = sound
    microphone = Broadcast(connection.start.microphone.map { SessionMicrophone($0) })
    self.mainQueue = mainQueue
    scene = connection.start.scene
    cameraState = Broadcast(SessionCameraState(connection.start.camera))
    requirements = Broadcast(CaptureRequirements(connection.start.deadlines))
    lockState = LockState(connection.start.lockState)
    permissions = SessionPermissions(connection.start.permissions)
  }

  /// Runs a handler; its error goes to the log.
  func attempt(_ body: () throws -> Void) {
    do { try body() } catch { report(error) }
  }

  /// Writes the error of a handler to standard error and to the log.
  func report(_ error: any Error) {
    guard failure == nil, !isOver else { return }
    let sentence = "a handler has failed: \(error)"
    CurrentProcess.complain(sentence)
    tell(.log(.error, LockedCameraCaptureSession.cut(sentence)))
  }

  /// Sends a notification; a failure ends the loop.
  func tell(_ notification: ExtensionNotification) {
    guard failure == nil, !isOver else { return }
    do throws(ExtensionFailure) { try connection.notify(notification) } catch { failure = error }
  }

  /// Sends a request and waits for its result; a failure of the conversation ends the loop.
  func request<Result: WireValue>(_ request: ExtensionRequest, _ type: Result.Type) throws -> Result {
    if let failure { throw failure }
    if isOver { throw LockedCameraCaptureError.over }
    do throws(CallFailure) { return try connection.call(request, type) } catch {
      switch error {
      case .refused(let error): throw LockedCameraCaptureError(error)
      case .connection(let error):
        failure = error
        throw error
      }
    }
  }

  /// Sends a request and suspends until its result is there; the loop goes on meanwhile.
  func ask<Result: WireValue>(_ request: ExtensionRequest, _ type: Result.Type) async throws(AskFailure)
    -> Result
  {
    guard failure == nil, !isOver else { throw .over }
    if Task.isCancelled { throw .cancelled }
    let pending = PendingReply<Result>()
    let id: Int64
    do throws(ExtensionFailure) {
      id = try connection.ask(request) { pending.resolve(self.typed(request, $0, type)) }
    } catch {
      failure = error
      throw .over
    }
    // The hop is needed: a task may be cancelled by any thread.
    let resolution = await withTaskCancellationHandler {
      await pending.resolution()
    } onCancel: {
      Task { @MainActor in
        self.connection.ignoreReply(to: id)
        pending.resolve(.failure(.cancelled))
      }
    }
    return try resolution.get()
  }

  /// Reads a result, or nil for none; a host that breaks the protocol in it ends the loop.
  private func typed<Result: WireValue>(
    _ request: ExtensionRequest,
    _ outcome: Reply.Outcome?,
    _ type: Result.Type
  ) -> Swift.Result<Result, AskFailure> {
    guard let outcome else { return .failure(.over) }
    do throws(CallFailure) {
      return .success(try ExtensionConnection.result(of: request, outcome, type))
    } catch {
      switch error {
      case .refused(let error): return .failure(.refused(error))
      case .connection(let error):
        failure = error
        return .failure(.over)
      }
    }
  }

  /// Says that nothing comes any more to all who wait for something.
  func close() {
    isOver = true
    connection.abandonRequests()
    requirements.finish()
    contentRoom.finish()
    cameraState.finish()
    microphone.finish()
  }
}

/// Why a request that was awaited brought no result.
enum AskFailure: Error {
  /// The host has answered with an error.
  case refused(ErrorObject)
  /// The task was cancelled; the host may have done what was asked all the same.
  case cancelled
  /// The session has ended.
  case over

  /// The error as the authors of extensions see it.
  var published: any Error {
    switch self {
    case .refused(let error): LockedCameraCaptureError(error)
    case .cancelled: CancellationError()
    case .over: LockedCameraCaptureError.over
    }
  }
}
