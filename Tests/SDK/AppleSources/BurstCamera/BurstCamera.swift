// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import AVFoundation
import LockedCameraCapture
import SwiftUI
import UIKit

@MainActor
final class BurstModel: ObservableObject {
  enum Delay: Int, CaseIterable, Identifiable {
    case none = 0
    case short = 3
    case long = 10

    var id: Self { self }
    var title: LocalizedStringKey {
      switch self {
      case .none: "Off"
      case .short: "3 s"
      case .long: "10 s"
      }
    }
  }

  @Published var delay = Delay.none
  @Published var burstLength = 5
  @Published private(set) var remainingSeconds: Int?
  @Published private(set) var shotsTaken = 0

  let session = AVCaptureSession()
  private let output = AVCapturePhotoOutput()
  private let folder: URL
  private var delegates: [Int64: ShotDelegate] = [:]
  private var timer: Timer?

  init(session: LockedCameraCaptureSession) {
    folder = session.sessionContentURL
  }

  func start() async {
    guard await AVCaptureDevice.requestAccess(for: .video),
      let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back),
      let input = try? AVCaptureDeviceInput(device: camera)
    else { return }
    session.beginConfiguration()
    session.sessionPreset = .photo
    session.addInput(input)
    session.addOutput(output)
    output.maxPhotoQualityPrioritization = .speed
    if output.isResponsiveCaptureSupported {
      output.isResponsiveCaptureEnabled = true
      output.isFastCapturePrioritizationEnabled = output.isFastCapturePrioritizationSupported
    }
    session.commitConfiguration()
    await Task.detached { [session] in session.startRunning() }.value
  }

  func press() {
    if let timer {
      timer.invalidate()
      self.timer = nil
      remainingSeconds = nil
    } else if delay == .none {
      Task { await burst() }
    } else {
      countDown()
    }
  }

  private func countDown() {
    remainingSeconds = delay.rawValue
    timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in
      MainActor.assumeIsolated { self?.tick() }
    }
  }

  private func tick() {
    guard let seconds = remainingSeconds, seconds > 1 else {
      timer?.invalidate()
      timer = nil
      remainingSeconds = nil
      Task { await burst() }
      return
    }
    remainingSeconds = seconds - 1
  }

  private func burst() async {
    for _ in 0..<burstLength {
      let settings = AVCapturePhotoSettings()
      settings.photoQualityPrioritization = .speed
      let id = settings.uniqueID
      let delegate = ShotDelegate(folder: folder) { [weak self] in
        Task { @MainActor in
          self?.delegates[id] = nil
          self?.shotsTaken += 1
        }
      }
      delegates[id] = delegate
      output.capturePhoto(with: settings, delegate: delegate)
      try? await Task.sleep(for: .milliseconds(200))
    }
  }
}

final class ShotDelegate: NSObject, AVCapturePhotoCaptureDelegate {
  private let folder: URL
  private let completion: @Sendable () -> Void

  init(folder: URL, completion: @escaping @Sendable () -> Void) {
    self.folder = folder
    self.completion = completion
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    let size = resolvedSettings.photoDimensions
    print("Taking a photo of \(size.width) by \(size.height) pixels")
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?
  ) {
    guard let data = photo.fileDataRepresentation() else { return }
    let name = String(
      format: "burst-%04d.heic",
      photo.photoCount + Int(photo.timestamp.seconds * 10) % 10_000
    )
    try? data.write(to: folder.appending(path: name, directoryHint: .notDirectory))
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    completion()
  }
}

struct BurstPreview: UIViewRepresentable {
  let session: AVCaptureSession

  final class PreviewView: UIView {
    override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
    var previewLayer: AVCaptureVideoPreviewLayer { layer as! AVCaptureVideoPreviewLayer }
  }

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView()
    view.previewLayer.session = session
    view.previewLayer.videoGravity = .resizeAspectFill
    return view
  }

  func updateUIView(_ uiView: PreviewView, context: Context) {}
}

struct BurstView: View {
  @StateObject private var model: BurstModel
  @AppStorage("grid") private var showsGrid = false

  init(session: LockedCameraCaptureSession) {
    _model = StateObject(wrappedValue: BurstModel(session: session))
  }

  var body: some View {
    ZStack {
      BurstPreview(session: model.session).ignoresSafeArea()
      if showsGrid {
        GridLines().stroke(.white.opacity(0.4), lineWidth: 1).ignoresSafeArea()
      }
      if let seconds = model.remainingSeconds {
        Text(seconds, format: .number)
          .font(.system(size: 120, weight: .bold, design: .rounded))
          .contentTransition(.numericText())
          .shadow(radius: 8)
      }
      VStack {
        Toggle("Grid", isOn: $showsGrid).fixedSize()
        Spacer()
        Picker("Timer", selection: $model.delay) {
          ForEach(BurstModel.Delay.allCases) { delay in
            Text(delay.title).tag(delay)
          }
        }
        .pickerStyle(.segmented)
        Stepper("Shots: \(model.burstLength)", value: $model.burstLength, in: 1...20)
        ProgressView(
          value: Double(model.shotsTaken % (model.burstLength + 1)),
          total: Double(model.burstLength)
        )
        Button(model.remainingSeconds == nil ? "Take Burst" : "Cancel", action: model.press)
          .buttonStyle(.borderedProminent)
          .controlSize(.large)
      }
      .padding()
    }
    .foregroundColor(.white)
    .task { await model.start() }
  }
}

struct GridLines: Shape {
  func path(in rect: CGRect) -> Path {
    Path { path in
      for third in [1.0 / 3, 2.0 / 3] {
        path.move(to: CGPoint(x: rect.width * third, y: 0))
        path.addLine(to: CGPoint(x: rect.width * third, y: rect.height))
        path.move(to: CGPoint(x: 0, y: rect.height * third))
        path.addLine(to: CGPoint(x: rect.width, y: rect.height * third))
      }
    }
  }
}

@main
struct BurstCameraExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      BurstView(session: session)
    }
  }
}
