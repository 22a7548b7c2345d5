// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import AVFoundation
import AVKit
import AppIntents
import LockedCameraCapture
import SwiftUI
import UIKit
import UniformTypeIdentifiers
import WidgetKit

/// The settings that the app, the extension, and the control share.
struct CameraContext: Codable, Sendable {
  var position = Position.back
  var usesTimer = false
  var lastLens: String?

  enum Position: String, Codable, Sendable, CaseIterable {
    case front, back
  }
}

struct OpenCameraIntent: CameraCaptureIntent {
  typealias AppContext = CameraContext

  static let title: LocalizedStringResource = "Open Camera"
  static let description = IntentDescription("Opens the camera with the last settings.")

  @MainActor
  func perform() async throws -> some IntentResult {
    .result()
  }
}

struct CameraControl: ControlWidget {
  static let kind = "com.example.ControlledCamera.control"

  var body: some ControlWidgetConfiguration {
    StaticControlConfiguration(kind: Self.kind) {
      ControlWidgetButton(action: OpenCameraIntent()) {
        Label("Camera", systemImage: "camera.shutter.button")
      }
    }
    .displayName("Camera")
    .description("Opens the camera.")
  }
}

@MainActor @Observable
final class ControlledModel {
  var context = CameraContext()
  private(set) var isReady = false
  let session = AVCaptureSession()
  private let output = AVCapturePhotoOutput()
  private var input: AVCaptureDeviceInput?
  private var processor: PhotoProcessor?

  func restore() async {
    do {
      if let saved = try await OpenCameraIntent.appContext {
        context = saved
      }
    } catch {
      print("No settings: \(error.localizedDescription)")
    }
    useCamera()
    if session.canAddOutput(output) { session.addOutput(output) }
    let session = session
    await Task.detached { session.startRunning() }.value
    isReady = session.isRunning
  }

  func useCamera() {
    let position: AVCaptureDevice.Position = context.position == .front ? .front : .back
    guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position)
    else { return }
    session.beginConfiguration()
    if let input { session.removeInput(input) }
    input = try? AVCaptureDeviceInput(device: camera)
    if let input, session.canAddInput(input) { session.addInput(input) }
    session.commitConfiguration()
    context.lastLens = camera.localizedName
    save()
  }

  func save() {
    let context = context
    Task {
      try? await OpenCameraIntent.updateAppContext(context)
    }
  }

  func takePhoto(in capture: LockedCameraCaptureSession) {
    let processor = PhotoProcessor(folder: capture.sessionContentURL)
    self.processor = processor
    output.capturePhoto(with: AVCapturePhotoSettings(), delegate: processor)
  }
}

final class PhotoProcessor: NSObject, AVCapturePhotoCaptureDelegate {
  private let folder: URL

  init(folder: URL) {
    self.folder = folder
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: Error?
  ) {
    guard let data = photo.fileDataRepresentation() else { return }
    let url = folder.appendingPathComponent(UUID().uuidString, conformingTo: .heic)
    do {
      try data.write(to: url, options: [.atomic])
    } catch {
      print("Could not save \(url.lastPathComponent): \(error)")
    }
  }
}

struct ControlledPreview: UIViewRepresentable {
  let session: AVCaptureSession

  class PreviewView: UIView {
    override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
    var previewLayer: AVCaptureVideoPreviewLayer { layer as! AVCaptureVideoPreviewLayer }
  }

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView()
    view.previewLayer.session = session
    return view
  }

  func updateUIView(_ uiView: PreviewView, context: Context) {}
}

struct ControlledCameraView: View {
  let capture: LockedCameraCaptureSession
  @State private var model = ControlledModel()
  @State private var isShowingSettings = false

  var body: some View {
    ControlledPreview(session: model.session)
      .ignoresSafeArea()
      .onCameraCaptureEvent { event in
        if event.phase == .ended { model.takePhoto(in: capture) }
      }
      .overlay(alignment: .bottom) {
        HStack {
          Button("Settings", systemImage: "gearshape") { isShowingSettings = true }
          Spacer()
          Button {
            model.takePhoto(in: capture)
          } label: {
            Image(systemName: "circle.fill").font(.system(size: 60))
          }
          .disabled(!model.isReady)
          Spacer()
          Button("Open App", systemImage: "arrow.up.forward.app") { openApp() }
        }
        .labelStyle(.iconOnly)
        .imageScale(.large)
        .foregroundStyle(.white)
        .padding()
      }
      .sheet(isPresented: $isShowingSettings) {
        Form {
          Section("Camera") {
            Picker("Position", selection: $model.context.position) {
              ForEach(CameraContext.Position.allCases, id: \.self) { position in
                Text(position.rawValue.capitalized).tag(position)
              }
            }
            Toggle("Timer", isOn: $model.context.usesTimer)
            LabeledContent("Lens", value: model.context.lastLens ?? "–")
          }
        }
        .presentationDetents([.medium])
        .onDisappear { model.useCamera() }
      }
      .task { await model.restore() }
  }

  private func openApp() {
    Task {
      let activity = NSUserActivity(activityType: NSUserActivityTypeLockedCameraCapture)
      activity.title = "Edit photos"
      activity.userInfo = ["usesTimer": model.context.usesTimer]
      try? await capture.openApplication(for: activity)
    }
  }
}

@main
struct ControlledCameraExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      ControlledCameraView(capture: session)
    }
  }
}
