// SPDX-License-Identifier: Apache-2.0

internal import CoreMedia
internal import LockedCameraCapture
internal import Synchronization

/// The inputs and outputs of a capture session, and the streams between them.
final class CaptureGraph: CaptureStreams {
  private let state = Mutex(State())
  /// The session whose frames, sound and events arrive here, or `nil` before the first start.
  @MainActor var source: LockedCameraCaptureSession?
  /// The duration of a frame of the camera at the first start, or `nil` without a camera.
  @MainActor var frameDuration: CMTime?

  private struct State: Sendable {
    weak var owner: AVCaptureSession?
    var inputs: [AVCaptureInput] = []
    var outputs: [AVCaptureOutput] = []
    var previews: [WeakPreview] = []
    var preset = AVCaptureSession.Preset.high
    var isRunning = false
    var isInterrupted = false
    /// Whether the input of the running camera was removed, and the camera was not stopped since.
    var isCameraUnused = false
    /// The number of calls of ``CaptureGraph/change(_:)`` that have not returned.
    var changes = 0

    /// Returns whether there is an input for a type of media.
    func hasInput(_ mediaType: AVMediaType) -> Bool { inputs.contains { $0.mediaType == mediaType } }
  }

  /// A preview, which is not retained.
  private struct WeakPreview: Sendable { weak var layer: AVCaptureVideoPreviewLayer? }

  init(_ owner: AVCaptureSession) { state.withLock { $0.owner = owner } }

  /// The inputs, in the order in which they were added.
  var inputs: [AVCaptureInput] { state.withLock(\.inputs) }
  /// The outputs, in the order in which they were added.
  var outputs: [AVCaptureOutput] { state.withLock(\.outputs) }
  /// The layers that show the session.
  var previews: [AVCaptureVideoPreviewLayer] { state.withLock { $0.previews.compactMap(\.layer) } }
  /// The preset.
  var preset: AVCaptureSession.Preset {
    get { state.withLock(\.preset) }
    set { state.withLock { $0.preset = newValue } }
  }
  /// Whether the streams were started and not stopped since.
  var isRunning: Bool { state.withLock(\.isRunning) }
  /// The capture session, or `nil` after it is destroyed.
  var owner: AVCaptureSession? { state.withLock(\.owner) }
  /// Whether inputs and outputs are being changed, so that the camera of a new input may not run yet.
  var isChanging: Bool { state.withLock { $0.changes > 0 } }
  /// Whether the session was interrupted.
  var isInterrupted: Bool { state.withLock(\.isInterrupted) }

  /// Records whether the streams run, and returns whether they ran before.
  func setRunning(_ isRunning: Bool) -> Bool {
    state.withLock { state in
      defer { (state.isRunning, state.isCameraUnused) = (isRunning, false) }
      return state.isRunning
    }
  }

  /// Records an interruption, which ends the streams.
  func setInterrupted() { state.withLock { ($0.isRunning, $0.isInterrupted) = (false, true) } }

  /// Changes the inputs and outputs, connects them, and starts or stops devices if the session runs.
  func change(_ body: (inout [AVCaptureInput], inout [AVCaptureOutput]) -> Void) {
    let (ports, outputs, isRunning) = state.withLock { state in
      let hadCamera = state.isCameraUnused || state.hasInput(.video)
      body(&state.inputs, &state.outputs)
      state.isCameraUnused = state.isRunning && hadCamera && !state.hasInput(.video)
      state.changes += 1
      return (state.inputs.flatMap(\.ports), state.outputs, state.isRunning)
    }
    defer { state.withLock { $0.changes -= 1 } }
    for output in outputs { output.connect(to: ports) }
    guard isRunning, let session = CurrentSession.session, startCamera(of: session) else { return }
    onMainThread { self.switchMicrophone(of: session) }
    commitConfiguration(in: session)
  }

  /// Stops the camera if its input was removed, unless an open configuration may still add another input.
  ///
  /// The work of the outputs that depends on the camera ends with an error.
  func commitConfiguration(in session: LockedCameraCaptureSession) {
    guard owner?.isConfiguring != true,
      state.withLock({ state in
        defer { state.isCameraUnused = false }
        return state.isCameraUnused
      })
    else { return }
    stopCamera(of: session)
    let outputs = outputs.filter { $0.mediaTypes.contains(.video) }
    onMainThread { for output in outputs { output.streamsEnded(AVError(.deviceNotConnected)) } }
  }

  /// Adds a layer that shows the session.
  func addPreview(_ layer: AVCaptureVideoPreviewLayer) {
    state.withLock { $0.previews.append(WeakPreview(layer: layer)) }
  }

  /// Removes a layer, and the layers that do not exist any longer.
  func removePreview(_ layer: AVCaptureVideoPreviewLayer) {
    state.withLock { state in state.previews.removeAll { $0.layer == nil || $0.layer === layer } }
  }

  // MARK: Start and stop

  func start(in session: LockedCameraCaptureSession) {
    guard startCamera(of: session), !setRunning(true) else { return }
    onMainThread {
      self.observe(session)
      // If the microphone fails, the notification of the end follows that of the start.
      self.post(AVCaptureSession.didStartRunningNotification)
      self.switchMicrophone(of: session)
    }
  }

  func stop(in session: LockedCameraCaptureSession) {
    guard setRunning(false) else { return }
    stopCamera(of: session)
    onMainThread {
      self.switchMicrophone(of: session)
      self.streamsEnded(nil)
    }
  }

  /// Starts the camera if there is an input for it.
  ///
  /// - Returns: `false` if the camera does not start; the error is logged and reported.
  private func startCamera(of session: LockedCameraCaptureSession) -> Bool {
    do {
      if hasInput(.video), !CurrentSession.isCameraRunning { try session.startCameraOnThisThread() }
    } catch {
      session.logOnMainThread("the capture session did not start: \(error)")
      onMainThread { self.fail(AVError(error)) }
      return false
    }
    return true
  }

  /// Turns off the torch, and stops the camera if it runs; an error is logged.
  private func stopCamera(of session: LockedCameraCaptureSession) {
    do {
      AVCaptureDevice.default(for: .video)?.state.turnOffTorch()
      if CurrentSession.isCameraRunning { try session.stopCameraOnThisThread() }
    } catch { session.logOnMainThread("the capture session did not stop: \(error)") }
  }

  /// Starts the microphone if the session runs and has an input for it; otherwise stops the microphone.
  ///
  /// An error ends the streams of both devices.
  @MainActor
  private func switchMicrophone(of session: LockedCameraCaptureSession) {
    let isNeeded = isRunning && hasInput(.audio)
    do {
      if isNeeded, !session.isMicrophoneRunning { try session.startMicrophone() }
      if !isNeeded, session.isMicrophoneRunning { try session.stopMicrophone() }
    } catch {
      session.log(.error, "the microphone did not start or stop: \(error)")
      stopCamera(of: session)
      fail(AVError(error))
    }
  }

  /// Whether there is an input for a type of media.
  func hasInput(_ mediaType: AVMediaType) -> Bool { state.withLock { $0.hasInput(mediaType) } }

  /// Runs `body` on the main thread: at once if the caller runs there, otherwise later.
  private func onMainThread(_ body: @escaping @MainActor @Sendable () -> Void) {
    if CurrentSession.isInMainQueue { return MainActor.assumeIsolated { body() } }
    DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
  }
}
