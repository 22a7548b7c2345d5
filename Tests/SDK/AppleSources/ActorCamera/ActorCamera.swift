// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import AVFoundation
import Combine
import LockedCameraCapture
import OSLog
import SwiftUI

let logger = Logger(subsystem: "com.example.actorcam", category: "capture")

enum CameraStatus: Equatable {
  case unknown
  case unauthorized
  case failed
  case running
  case interrupted
}

enum CameraError: Error, LocalizedError {
  case videoDeviceUnavailable
  case addInputFailed
  case addOutputFailed
  case noPhotoData

  var errorDescription: String? {
    switch self {
    case .videoDeviceUnavailable: "No camera is available."
    case .addInputFailed: "The camera couldn't be added."
    case .addOutputFailed: "The output couldn't be added."
    case .noPhotoData: "The photo has no data."
    }
  }
}

struct Photo: Sendable, Identifiable {
  let id = UUID()
  let data: Data
  let date: Date
}

actor CaptureService {
  @Published private(set) var isCapturing = false
  nonisolated let session = AVCaptureSession()
  private let photoOutput = AVCapturePhotoOutput()
  private var activeVideoInput: AVCaptureDeviceInput?
  private var isSetUp = false
  private var observers: [Task<Void, Never>] = []
  private let discovery = AVCaptureDevice.DiscoverySession(
    deviceTypes: [.builtInDualWideCamera, .builtInWideAngleCamera, .external],
    mediaType: .video,
    position: .unspecified
  )

  private let sessionQueue = DispatchSerialQueue(label: "com.example.actorcam.session")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    sessionQueue.asUnownedSerialExecutor()
  }

  var isAuthorized: Bool {
    get async {
      let status = AVCaptureDevice.authorizationStatus(for: .video)
      var isAuthorized = status == .authorized
      if status == .notDetermined {
        isAuthorized = await AVCaptureDevice.requestAccess(for: .video)
      }
      return isAuthorized
    }
  }

  var currentDevice: AVCaptureDevice? { activeVideoInput?.device }

  func start() async throws {
    guard await isAuthorized, !session.isRunning else { return }
    try setUpSession()
    session.startRunning()
  }

  func stop() {
    session.stopRunning()
    observers.forEach { $0.cancel() }
    observers.removeAll()
  }

  private func setUpSession() throws {
    guard !isSetUp else { return }
    observeNotifications()
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.sessionPreset = .photo
    guard let device = AVCaptureDevice.systemPreferredCamera ?? AVCaptureDevice.default(for: .video) else {
      throw CameraError.videoDeviceUnavailable
    }
    let input = try AVCaptureDeviceInput(device: device)
    guard session.canAddInput(input) else { throw CameraError.addInputFailed }
    session.addInput(input)
    activeVideoInput = input
    guard session.canAddOutput(photoOutput) else { throw CameraError.addOutputFailed }
    session.addOutput(photoOutput)
    photoOutput.maxPhotoDimensions = device.activeFormat.supportedMaxPhotoDimensions.last ?? .init()
    photoOutput.maxPhotoQualityPrioritization = .quality
    photoOutput.isResponsiveCaptureEnabled = photoOutput.isResponsiveCaptureSupported
    photoOutput.isFastCapturePrioritizationEnabled = photoOutput.isFastCapturePrioritizationSupported
    isSetUp = true
  }

  private func observeNotifications() {
    observers.append(
      Task {
        for await notification in NotificationCenter.default.notifications(
          named: AVCaptureSession.runtimeErrorNotification
        ) {
          guard let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError else { continue }
          logger.error("Capture session error: \(error.localizedDescription, privacy: .public)")
          if error.code == .mediaServicesWereReset, !session.isRunning {
            session.startRunning()
          }
        }
      }
    )
    observers.append(
      Task {
        for await _ in NotificationCenter.default.notifications(
          named: AVCaptureSession.wasInterruptedNotification
        ) {
          logger.notice("The session was interrupted.")
        }
      }
    )
  }

  func selectNextDevice() {
    let devices = discovery.devices
    guard let current = currentDevice, let index = devices.firstIndex(of: current) else { return }
    let next = devices[(index + 1) % devices.count]
    guard next != current, let input = try? AVCaptureDeviceInput(device: next) else { return }
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.removeInput(activeVideoInput!)
    if session.canAddInput(input) {
      session.addInput(input)
      activeVideoInput = input
      AVCaptureDevice.userPreferredCamera = next
    } else {
      session.addInput(activeVideoInput!)
    }
  }

  func focusAndExpose(at point: CGPoint) throws {
    guard let device = currentDevice else { return }
    try device.lockForConfiguration()
    if device.isFocusPointOfInterestSupported, device.isFocusModeSupported(.autoFocus) {
      device.focusPointOfInterest = point
      device.focusMode = .autoFocus
    }
    if device.isExposurePointOfInterestSupported, device.isExposureModeSupported(.autoExpose) {
      device.exposurePointOfInterest = point
      device.exposureMode = .autoExpose
    }
    device.isSubjectAreaChangeMonitoringEnabled = true
    device.unlockForConfiguration()
  }

  func capturePhoto(flash: AVCaptureDevice.FlashMode) async throws -> Photo {
    isCapturing = true
    defer { isCapturing = false }
    return try await withCheckedThrowingContinuation { continuation in
      let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
      if photoOutput.supportedFlashModes.contains(flash) {
        settings.flashMode = flash
      }
      settings.photoQualityPrioritization = .balanced
      let delegate = PhotoDelegate(continuation: continuation)
      photoOutput.capturePhoto(with: settings, delegate: delegate)
    }
  }
}

private final class PhotoDelegate: NSObject, AVCapturePhotoCaptureDelegate {
  private let continuation: CheckedContinuation<Photo, any Error>
  private var data: Data?

  init(continuation: CheckedContinuation<Photo, any Error>) {
    self.continuation = continuation
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: Error?
  ) {
    if let error {
      logger.debug("Error capturing photo: \(String(describing: error))")
      return
    }
    data = photo.fileDataRepresentation()
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: Error?
  ) {
    if let error {
      continuation.resume(throwing: error)
    } else if let data {
      continuation.resume(returning: Photo(data: data, date: .now))
    } else {
      continuation.resume(throwing: CameraError.noPhotoData)
    }
  }
}

@MainActor
@Observable
final class CameraModel {
  private(set) var status = CameraStatus.unknown
  private(set) var lastPhoto: Photo?
  private(set) var shouldFlashScreen = false
  private(set) var error: Error?
  var flashMode = AVCaptureDevice.FlashMode.auto
  let service = CaptureService()

  func start() async {
    guard await service.isAuthorized else {
      status = .unauthorized
      return
    }
    do {
      try await service.start()
      status = .running
    } catch {
      logger.error("Failed to start the capture service: \(error)")
      status = .failed
    }
  }

  func capture(into url: URL) async {
    do {
      let photo = try await service.capturePhoto(flash: flashMode)
      try photo.data.write(to: url.appending(path: "\(photo.id.uuidString).jpg"), options: .atomic)
      lastPhoto = photo
    } catch {
      self.error = error
    }
  }

  func flashScreen() {
    shouldFlashScreen = true
    withAnimation(.linear(duration: 0.01)) {
      shouldFlashScreen = false
    }
  }

  func focus(at point: CGPoint) async {
    try? await service.focusAndExpose(at: point)
  }
}

struct CameraPreview: UIViewRepresentable {
  let session: AVCaptureSession

  final class PreviewView: UIView {
    override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
    var previewLayer: AVCaptureVideoPreviewLayer { layer as! AVCaptureVideoPreviewLayer }
  }

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView()
    view.backgroundColor = .black
    view.previewLayer.session = session
    view.previewLayer.videoGravity = .resizeAspectFill
    return view
  }

  func updateUIView(_ uiView: PreviewView, context: Context) {}
}

struct CameraView: View {
  @State private var camera = CameraModel()
  @Environment(\.scenePhase) private var scenePhase
  let captureSession: LockedCameraCaptureSession

  var body: some View {
    ZStack {
      CameraPreview(session: camera.service.session)
        .opacity(camera.shouldFlashScreen ? 0 : 1)
        .onTapGesture { location in
          Task { await camera.focus(at: location) }
        }
        .ignoresSafeArea()
      VStack {
        StatusBanner(status: camera.status)
        Spacer()
        controls
      }
    }
    .task { await camera.start() }
    .onChange(of: scenePhase) { _, newPhase in
      guard newPhase == .background else { return }
      Task { await camera.service.stop() }
    }
    .alert("Capture Failed", isPresented: .constant(camera.error != nil)) {
      Button("OK", role: .cancel) {}
    } message: {
      Text(camera.error?.localizedDescription ?? "")
    }
  }

  private var controls: some View {
    HStack {
      Menu {
        Picker("Flash", selection: $camera.flashMode) {
          Text("Off").tag(AVCaptureDevice.FlashMode.off)
          Text("Auto").tag(AVCaptureDevice.FlashMode.auto)
          Text("On").tag(AVCaptureDevice.FlashMode.on)
        }
      } label: {
        Image(systemName: "bolt.fill")
      }
      Spacer()
      Button {
        Task {
          camera.flashScreen()
          await camera.capture(into: captureSession.sessionContentURL)
        }
      } label: {
        Circle()
          .inset(by: 4)
          .fill(.white)
          .overlay(Circle().strokeBorder(.white, lineWidth: 2))
          .frame(width: 68, height: 68)
      }
      .buttonStyle(ShutterStyle())
      .disabled(camera.status != .running)
      .accessibilityLabel("Take photo")
      Spacer()
      Button("Switch camera", systemImage: "arrow.triangle.2.circlepath") {
        Task { await camera.service.selectNextDevice() }
      }
      .labelStyle(.iconOnly)
    }
    .font(.title2)
    .foregroundStyle(.white)
    .padding(.horizontal, 32)
    .padding(.bottom)
  }
}

struct ShutterStyle: ButtonStyle {
  func makeBody(configuration: Configuration) -> some View {
    configuration.label
      .scaleEffect(configuration.isPressed ? 0.85 : 1)
      .animation(.easeOut(duration: 0.15), value: configuration.isPressed)
  }
}

struct StatusBanner: View {
  let status: CameraStatus

  var body: some View {
    if let message {
      Text(message)
        .font(.footnote.weight(.semibold))
        .padding(.vertical, 6)
        .padding(.horizontal, 12)
        .background(.thinMaterial, in: Capsule())
        .transition(.move(edge: .top).combined(with: .opacity))
    }
  }

  private var message: LocalizedStringKey? {
    switch status {
    case .unauthorized: "Allow access to the camera in Settings."
    case .failed: "The camera failed to start."
    case .interrupted: "The camera was interrupted."
    default: nil
    }
  }
}

@main
struct ActorCamExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      CameraView(captureSession: session)
    }
  }
}
