// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import Synchronization

/// The state of a running session: the connection, the rings and the handlers.
///
/// It is separate from ``LockedCameraCaptureSession``, which is Sendable and not isolated to an actor, as
/// Apple's class. All mutable state is here and is isolated to the main actor.
@MainActor
package final class SessionRuntime {
  let connection: ExtensionConnection
  /// The frame ring, or `nil` without a camera.
  let ring: FrameRingReader?
  /// The ring of the viewfinder, or `nil` if the host shows none.
  let preview: PreviewRingWriter?
  /// The sound ring, or `nil` without a microphone.
  let sound: SoundRingReader?
  /// Whether the microphone delivers sound.
  var isMicrophoneRunning = false
  /// The state of the microphone and the streams that follow it.
  let microphone: Broadcast<SessionMicrophone?>
  /// The layers that are drawn into the viewfinder for each frame, bottom layer first.
  var layers: [Layer] = []
  /// The calls to the host from any thread.
  nonisolated let threadCalls: ThreadCalls
  /// Whether the session has a camera.
  nonisolated let hasCamera: Bool
  /// The state of the frame delivery, which any thread may change.
  nonisolated let frameDelivery = Mutex(FrameDeliveryState())
  /// The views of the scene, or `nil` before the scene is presented.
  var views: ViewGraph?
  /// The extension, whose properties live as long as the session, or `nil` in an app.
  var presented: Any?
  /// The synchronization of the camera controls with the host.
  let controls = ControlSynchronizer()
  /// The lock state that the host last reported.
  var lockState: LockState { didSet { views?.environmentReaders.invalidate() } }
  /// The permissions that the host last reported.
  var permissions: SessionPermissions { didSet { views?.environmentReaders.invalidate() } }
  /// The scene state that the host last reported.
  var scene: SceneState { didSet { views?.environmentReaders.invalidate() } }
  /// The missing requirements of the watchdog and the streams that follow them.
  let requirements: Broadcast<CaptureRequirements>
  /// The remaining space and the streams that follow it.
  let contentRoom = Broadcast(SessionContentRoom())
  /// The state of the camera and the streams that follow it.
  let cameraState: Broadcast<SessionCameraState>
  /// The reason why the app was not opened at the last attempt.
  var launchFailure: ApplicationLaunchFailure?
  /// The app context that the host last reported.
  var context: JSONValue { connection.context }
  var handlers = SessionHandlers()
  /// The clock of the alarms.
  let clock = SessionClock()
  /// The pending alarms.
  var alarms: [Alarm.Key: Alarm] = [:]
  /// Whether the contacts with the viewfinder were requested.
  var isPointerSubscribed = false
  var pendingPictures: [SessionHandlers.Frame] = []
  /// The button subscription that was last sent to the host, or `nil` if there is none.
  var subscription: ButtonSubscription?
  /// The requests that the scene sends while it is created.
  var sceneRequests = SceneRequests()
  /// The failure that ended the connection while a handler was running; the loop throws it.
  var failure: ExtensionFailure?
  /// Whether the session is closed: it sends no more messages.
  var isClosed = false
  /// Whether the dismissal was announced; the session ends when no work is pending.
  var isDismissing = false
  /// The number of running dismissal handlers and expiring activities.
  var pendingWork = 0
  /// Whether the loop drains the main queue.
  let mainQueue: MainQueueUse
  /// Whether the main run loop drains the main queue while the loop waits.
  let hasRunLoop: Bool

  /// The ID of the thread that runs an iteration of the loop, or 0 between iterations.
  nonisolated let loopThread = Atomic<Int32>(0)
  /// Whether the loop is calling the current code, which therefore runs in the main actor.
  nonisolated var isOnLoopThread: Bool {
    loopThread.load(ordering: .relaxed) == CurrentProcess.threadID
  }

  /// Whether the loop drains the main queue.
  enum MainQueueUse {
    /// The loop drains it: the main thread runs only the loop.
    case drained
    /// Other code drains it between two iterations of the loop.
    case foreign
  }

  /// One layer of the viewfinder.
  package enum Layer {
    /// The frame of the camera, over the whole canvas.
    case cameraFrame
    /// A part of the canvas that shows the frame of the camera.
    case framePart(any FramePart)
    /// A closure that draws.
    case drawing((inout PreviewCanvas) throws -> Void)

    /// Whether the layer needs no frame now.
    @MainActor var isIndependent: Bool {
      switch self {
      case .cameraFrame: false
      case .framePart(let part): !part.isActive
      case .drawing: true
      }
    }
  }

  init(
    _ connection: ExtensionConnection,
    ring: FrameRingReader?,
    preview: PreviewRingWriter?,
    sound: SoundRingReader? = nil,
    mainQueue: MainQueueUse
  ) throws(ExtensionFailure) {
    self.connection = connection
    threadCalls = connection.threadCalls
    self.ring = ring
    hasCamera = ring != nil
    self.preview = preview
    self.sound = sound
    microphone = Broadcast(connection.start.devices.microphone.map { SessionMicrophone($0) })
    self.mainQueue = mainQueue
    hasRunLoop = mainQueue == .drained ? try connection.serveRunLoop() : false
    scene = connection.start.scene
    cameraState = Broadcast(SessionCameraState(connection.start.devices.camera))
    requirements = Broadcast(CaptureRequirements(connection.start.deadlines))
    lockState = LockState(connection.start.lockState)
    permissions = SessionPermissions(connection.start.permissions)
  }

  /// Runs a handler and logs its error.
  func attempt(_ body: () throws -> Void) {
    do { try body() } catch { report(error) }
  }

  /// Writes the error of a handler to standard error and to the session log.
  func report(_ error: any Error) {
    guard failure == nil, !isClosed else { return }
    let sentence = "a handler failed: \(error)"
    CurrentProcess.writeToStandardError(sentence)
    notify(.log(.error, LockedCameraCaptureSession.truncated(sentence)))
  }

  /// Sends a notification; a failure ends the loop.
  func notify(_ notification: ExtensionNotification) {
    guard failure == nil, !isClosed else { return }
    do throws(ExtensionFailure) { try connection.notify(notification) } catch { failure = error }
  }

  /// Sends a request and blocks until its result arrives; a failure of the connection ends the loop.
  func request<Result: WireValue>(_ request: ExtensionRequest, _ type: Result.Type) throws -> Result {
    if let failure { throw failure }
    if isClosed { throw LockedCameraCaptureError.sessionEnded }
    do throws(CallFailure) { return try connection.call(request, type) } catch {
      switch error {
      case .refused(let error): throw LockedCameraCaptureError(error)
      case .connection(let error):
        failure = error
        throw error
      }
    }
  }

  /// Sends a request and suspends until its result arrives; the loop continues meanwhile.
  func awaitResult<Result: WireValue>(_ request: ExtensionRequest, _ type: Result.Type)
    async throws(RequestFailure)
    -> Result
  {
    guard failure == nil, !isClosed else { throw .sessionEnded }
    if Task.isCancelled { throw .cancelled }
    let pending = PendingReply<Result>()
    let id: Int64
    do throws(ExtensionFailure) {
      id = try connection.sendRequest(request) { pending.resolve(self.typed(request, $0, type)) }
    } catch {
      failure = error
      throw .sessionEnded
    }
    // A task may be canceled on any thread, so the handler has to hop to the main actor.
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

  /// Decodes a result; a host that violates the protocol in it ends the loop.
  private func typed<Result: WireValue>(
    _ request: ExtensionRequest,
    _ outcome: Reply.Outcome?,
    _ type: Result.Type
  ) -> Swift.Result<Result, RequestFailure> {
    guard let outcome else { return .failure(.sessionEnded) }
    do throws(CallFailure) {
      return .success(try ExtensionConnection.result(of: request, outcome, type))
    } catch {
      switch error {
      case .refused(let error): return .failure(.refused(error))
      case .connection(let error):
        failure = error
        return .failure(.sessionEnded)
      }
    }
  }

  /// Ends all pending requests and sequences, and releases the views.
  func close() {
    isClosed = true
    views?.close()
    (layers, views, presented) = ([], nil, nil)
    (handlers.viewFrames, handlers.viewPointers) = ([], [])
    connection.abandonRequests()
    threadCalls.close()
    requirements.finish()
    contentRoom.finish()
    cameraState.finish()
    microphone.finish()
  }
}

/// The reason why an awaited request has no result.
enum RequestFailure: Error {
  /// The host has replied with an error.
  case refused(ErrorObject)
  /// The task was canceled; the host may still have performed the request.
  case cancelled
  /// The session has ended.
  case sessionEnded

  /// The error that the public API throws.
  var publicError: any Error {
    switch self {
    case .refused(let error): LockedCameraCaptureError(error)
    case .cancelled: CancellationError()
    case .sessionEnded: LockedCameraCaptureError.sessionEnded
    }
  }
}
