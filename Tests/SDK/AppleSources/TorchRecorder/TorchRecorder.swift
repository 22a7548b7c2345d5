// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import AVFoundation
import AVKit
import LockedCameraCapture
import Photos
import SwiftUI

@Observable
@MainActor
final class RecorderModel: NSObject {
  enum State {
    case idle, starting, recording, saving
  }

  private(set) var state = State.idle
  private(set) var elapsed: CMTime = .zero
  private(set) var clips: [URL] = []
  var isTorchOn = false {
    didSet { setTorch(isTorchOn) }
  }
  var stabilization = AVCaptureVideoStabilizationMode.auto {
    didSet { applyStabilization() }
  }
  var failure: String?

  @ObservationIgnored nonisolated let session = AVCaptureSession()
  @ObservationIgnored private let movieOutput = AVCaptureMovieFileOutput()
  @ObservationIgnored private var camera: AVCaptureDevice?
  @ObservationIgnored private var clock: Task<Void, Never>?
  @ObservationIgnored private var rotation: AVCaptureDevice.RotationCoordinator?
  @ObservationIgnored private var rotationObservation: NSKeyValueObservation?
  private let lockedSession: LockedCameraCaptureSession

  init(lockedSession: LockedCameraCaptureSession) {
    self.lockedSession = lockedSession
    super.init()
  }

  func prepare() async {
    let isAllowed = await AVCaptureDevice.requestAccess(for: .video)
    guard isAllowed else {
      failure = "Camera access was denied"
      return
    }
    session.beginConfiguration()
    session.sessionPreset = .high
    do {
      guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else {
        failure = "No camera"
        return
      }
      self.camera = camera
      try session.addInput(checked: AVCaptureDeviceInput(device: camera))
      if let microphone = AVCaptureDevice.default(for: .audio) {
        try session.addInput(checked: AVCaptureDeviceInput(device: microphone))
      }
    } catch {
      failure = error.localizedDescription
    }
    if session.canAddOutput(movieOutput) {
      session.addOutput(movieOutput)
      movieOutput.movieFragmentInterval = CMTime(seconds: 5, preferredTimescale: 600)
      movieOutput.maxRecordedDuration = CMTime(seconds: 600, preferredTimescale: 600)
    }
    session.commitConfiguration()
    applyStabilization()
    observeRotation()
    let session = session
    await Task.detached(priority: .userInitiated) {
      session.startRunning()
    }.value
  }

  private func observeRotation() {
    guard let camera else { return }
    let coordinator = AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil)
    rotation = coordinator
    rotationObservation = coordinator.observe(
      \.videoRotationAngleForHorizonLevelCapture,
      options: [.initial, .new]
    ) { [weak self] coordinator, _ in
      let angle = coordinator.videoRotationAngleForHorizonLevelCapture
      Task { @MainActor in
        guard let connection = self?.movieOutput.connection(with: .video),
          connection.isVideoRotationAngleSupported(angle)
        else { return }
        connection.videoRotationAngle = angle
      }
    }
  }

  private func applyStabilization() {
    guard let connection = movieOutput.connection(with: .video), connection.isVideoStabilizationSupported
    else {
      return
    }
    connection.preferredVideoStabilizationMode = stabilization
  }

  private func setTorch(_ isOn: Bool) {
    guard let camera, camera.hasTorch, camera.isTorchAvailable else { return }
    do {
      try camera.lockForConfiguration()
      defer { camera.unlockForConfiguration() }
      if isOn {
        try camera.setTorchModeOn(level: AVCaptureDevice.maxAvailableTorchLevel)
      } else {
        camera.torchMode = .off
      }
    } catch {
      failure = "Torch: \(error.localizedDescription)"
    }
  }

  func toggleRecording() {
    if movieOutput.isRecording {
      state = .saving
      movieOutput.stopRecording()
    } else {
      state = .starting
      let url = lockedSession.sessionContentURL
        .appending(component: "\(Date.now.formatted(.iso8601)).mov", directoryHint: .notDirectory)
      movieOutput.startRecording(to: url, recordingDelegate: self)
    }
  }

  private func startClock() {
    clock = Task {
      while !Task.isCancelled {
        elapsed = movieOutput.recordedDuration
        try? await Task.sleep(for: .milliseconds(250))
      }
    }
  }
}

extension RecorderModel: AVCaptureFileOutputRecordingDelegate {
  nonisolated func fileOutput(
    _ output: AVCaptureFileOutput,
    didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) {
    Task { @MainActor in
      state = .recording
      startClock()
    }
  }

  nonisolated func fileOutput(
    _ output: AVCaptureFileOutput,
    didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?
  ) {
    let message = (error as NSError?)?.localizedDescription
    Task { @MainActor in
      clock?.cancel()
      state = .idle
      failure = message
      clips.append(outputFileURL)
    }
  }
}

extension AVCaptureSession {
  struct RejectedInput: Error {}

  func addInput(checked input: AVCaptureInput) throws {
    guard canAddInput(input) else { throw RejectedInput() }
    addInput(input)
  }
}

extension CMTime {
  var positionalTime: String {
    let total = Int(seconds.rounded(.down))
    return String(format: "%02d:%02d", total / 60, total % 60)
  }
}

struct RecorderView: View {
  @State private var model: RecorderModel
  private let lockedSession: LockedCameraCaptureSession

  init(lockedSession: LockedCameraCaptureSession) {
    self.lockedSession = lockedSession
    _model = State(initialValue: RecorderModel(lockedSession: lockedSession))
  }

  var body: some View {
    GeometryReader { proxy in
      let isLandscape = proxy.size.width > proxy.size.height
      let layout = isLandscape ? AnyLayout(HStackLayout(spacing: 0)) : AnyLayout(VStackLayout(spacing: 0))
      layout {
        ZStack(alignment: .top) {
          RecorderPreview(session: model.session)
          timeLabel
        }
        controls(isVertical: isLandscape)
      }
    }
    .background(.black)
    .task { await model.prepare() }
    .onCameraCaptureEvent { event in
      if event.phase == .ended {
        model.toggleRecording()
      }
    }
    .alert(
      "Recorder",
      isPresented: Binding(get: { model.failure != nil }, set: { if !$0 { model.failure = nil } }),
      presenting: model.failure
    ) { _ in
      Button("OK") {}
    } message: { failure in
      Text(verbatim: failure)
    }
    .persistentSystemOverlays(.hidden)
  }

  private var timeLabel: some View {
    Text(model.elapsed.positionalTime)
      .font(.title3.monospacedDigit().weight(.medium))
      .foregroundStyle(.white)
      .padding(.horizontal, 10)
      .padding(.vertical, 4)
      .background {
        if model.state == .recording {
          RoundedRectangle(cornerRadius: 6).fill(.red.gradient)
        }
      }
      .padding(.top, 12)
  }

  @ViewBuilder
  private func controls(isVertical: Bool) -> some View {
    let layout = isVertical ? AnyLayout(VStackLayout(spacing: 28)) : AnyLayout(HStackLayout(spacing: 28))
    layout {
      Toggle(
        "Torch",
        systemImage: model.isTorchOn ? "flashlight.on.fill" : "flashlight.off.fill",
        isOn: $model.isTorchOn
      )
      .toggleStyle(.button)
      .labelStyle(.iconOnly)
      Button(action: model.toggleRecording) {
        RecordGlyph(isRecording: model.state == .recording)
      }
      .buttonStyle(.plain)
      .disabled(model.state == .starting || model.state == .saving)
      Menu("Stabilization", systemImage: "hand.raised") {
        Picker("Stabilization", selection: $model.stabilization) {
          Text("Off").tag(AVCaptureVideoStabilizationMode.off)
          Text("Standard").tag(AVCaptureVideoStabilizationMode.standard)
          Text("Cinematic").tag(AVCaptureVideoStabilizationMode.cinematic)
          Text("Automatic").tag(AVCaptureVideoStabilizationMode.auto)
        }
      }
      Button("Open", systemImage: "arrow.up.forward.app", action: openApplication)
        .badge(model.clips.count)
    }
    .imageScale(.large)
    .tint(.yellow)
    .padding(24)
  }

  private func openApplication() {
    Task {
      let activity = NSUserActivity(activityType: NSUserActivityTypeLockedCameraCapture)
      activity.userInfo = ["clips": model.clips.map(\.lastPathComponent)]
      try await lockedSession.openApplication(for: activity)
    }
  }
}

struct RecordGlyph: View {
  let isRecording: Bool

  var body: some View {
    Circle()
      .strokeBorder(.white, lineWidth: 4)
      .overlay {
        RoundedRectangle(cornerRadius: isRecording ? 6 : 30)
          .fill(.red)
          .padding(isRecording ? 20 : 7)
      }
      .frame(width: 72, height: 72)
      .animation(.snappy, value: isRecording)
  }
}

struct RecorderPreview: UIViewControllerRepresentable {
  let session: AVCaptureSession

  func makeUIViewController(context: Context) -> PreviewController {
    PreviewController(session: session)
  }

  func updateUIViewController(_ controller: PreviewController, context: Context) {}
}

final class PreviewController: UIViewController {
  private let previewLayer: AVCaptureVideoPreviewLayer

  init(session: AVCaptureSession) {
    previewLayer = AVCaptureVideoPreviewLayer(session: session)
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) {
    fatalError("init(coder:) has not been implemented")
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    view.backgroundColor = .black
    previewLayer.videoGravity = .resizeAspectFill
    view.layer.addSublayer(previewLayer)
  }

  override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    previewLayer.frame = view.bounds
  }
}

@main
struct RecorderExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      RecorderView(lockedSession: session)
    }
  }
}
