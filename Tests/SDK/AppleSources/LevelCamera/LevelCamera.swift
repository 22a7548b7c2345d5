// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import LockedCameraCapture
import SwiftUI
import UIKit

@MainActor @Observable
final class LevelModel {
  private(set) var previewAngle: CGFloat = 0
  private(set) var captureAngle: CGFloat = 0
  private(set) var isInterrupted = false

  let session = AVCaptureSession()
  @ObservationIgnored let previewLayer = AVCaptureVideoPreviewLayer()
  @ObservationIgnored private let output = AVCapturePhotoOutput()
  @ObservationIgnored private var coordinator: AVCaptureDevice.RotationCoordinator?
  @ObservationIgnored private var observations: [NSKeyValueObservation] = []

  var isLevel: Bool {
    abs(captureAngle.truncatingRemainder(dividingBy: 90)) < 2
  }

  func start() throws {
    guard let camera = AVCaptureDevice.systemPreferredCamera else { return }
    let input = try AVCaptureDeviceInput(device: camera)
    session.beginConfiguration()
    if session.canAddInput(input) { session.addInput(input) }
    if session.canAddOutput(output) { session.addOutput(output) }
    session.commitConfiguration()
    previewLayer.session = session
    observeRotation(of: camera)
    let session = session
    Task.detached(priority: .userInitiated) { session.startRunning() }
  }

  private func observeRotation(of camera: AVCaptureDevice) {
    let coordinator = AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: previewLayer)
    self.coordinator = coordinator
    previewAngle = coordinator.videoRotationAngleForHorizonLevelPreview
    previewLayer.connection?.videoRotationAngle = previewAngle
    observations = [
      coordinator.observe(\.videoRotationAngleForHorizonLevelPreview, options: .new) {
        [weak self] _, change in
        guard let angle = change.newValue else { return }
        Task { @MainActor in
          self?.previewAngle = angle
          self?.previewLayer.connection?.videoRotationAngle = angle
        }
      },
      coordinator.observe(\.videoRotationAngleForHorizonLevelCapture, options: [.initial, .new]) {
        [weak self] _, change in
        guard let angle = change.newValue else { return }
        Task { @MainActor in self?.captureAngle = angle }
      },
    ]
  }

  func observeInterruptions() async {
    for await notification in NotificationCenter.default.notifications(
      named: AVCaptureSession.wasInterruptedNotification,
      object: session
    ) {
      let value = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
      let reason = value.flatMap(AVCaptureSession.InterruptionReason.init(rawValue:))
      isInterrupted = reason != .videoDeviceNotAvailableInBackground
    }
  }

  func observeInterruptionEnds() async {
    for await _ in NotificationCenter.default.notifications(
      named: AVCaptureSession.interruptionEndedNotification
    ) {
      isInterrupted = false
    }
  }

  func capture(delegate: any AVCapturePhotoCaptureDelegate) {
    if let connection = output.connection(with: .video),
      connection.isVideoRotationAngleSupported(captureAngle)
    {
      connection.videoRotationAngle = captureAngle
    }
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    settings.flashMode = .auto
    output.capturePhoto(with: settings, delegate: delegate)
  }
}

final class FileSaver: NSObject, AVCapturePhotoCaptureDelegate {
  let folder: URL

  init(folder: URL) {
    self.folder = folder
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?
  ) {
    do {
      if let error { throw error }
      let stamp = Date.now.formatted(.iso8601)
      try photo.fileDataRepresentation()?.write(to: folder.appending(path: "\(stamp).jpg"))
    } catch let error as AVError where error.code == .diskFull {
      print("The disk is full.")
    } catch {
      print("The photo is lost: \(error)")
    }
  }
}

struct LayerView: UIViewRepresentable {
  let layer: AVCaptureVideoPreviewLayer

  final class HostView: UIView {
    var hosted: CALayer? {
      didSet { if let hosted { layer.addSublayer(hosted) } }
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      hosted?.frame = bounds
    }
  }

  func makeUIView(context: Context) -> HostView {
    let view = HostView()
    view.hosted = layer
    return view
  }

  func updateUIView(_ uiView: HostView, context: Context) {}
}

struct LevelIndicator: View {
  let angle: CGFloat
  let isLevel: Bool

  var body: some View {
    HStack(spacing: 6) {
      Capsule().frame(width: 40, height: 2)
      Capsule()
        .frame(width: 120, height: 2)
        .rotationEffect(.degrees(angle))
      Capsule().frame(width: 40, height: 2)
    }
    .foregroundStyle(isLevel ? Color.yellow : Color.white)
    .animation(.spring(duration: 0.3), value: angle)
    .accessibilityElement(children: .ignore)
    .accessibilityLabel("Level")
    .accessibilityValue(Text("\(Int(angle)) degrees"))
  }
}

struct LevelView: View {
  @Environment(\.scenePhase) private var scenePhase
  @State private var model = LevelModel()
  let saver: FileSaver

  var body: some View {
    ZStack {
      LayerView(layer: model.previewLayer).ignoresSafeArea()
      LevelIndicator(angle: model.previewAngle, isLevel: model.isLevel)
      VStack {
        if model.isInterrupted {
          Label("The camera is in use", systemImage: "video.slash")
            .padding(8)
            .background(.ultraThinMaterial, in: Capsule())
        }
        Spacer()
        Button("Take Photo") { model.capture(delegate: saver) }
          .buttonStyle(.bordered)
          .sensoryFeedback(.impact, trigger: model.isLevel)
      }
      .padding()
    }
    .statusBarHidden()
    .task { await model.observeInterruptions() }
    .task { await model.observeInterruptionEnds() }
    .onChange(of: scenePhase, initial: true) { _, phase in
      if phase == .active { try? model.start() }
    }
  }
}

@main
struct LevelCameraExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      LevelView(saver: FileSaver(folder: session.sessionContentURL))
    }
  }
}
