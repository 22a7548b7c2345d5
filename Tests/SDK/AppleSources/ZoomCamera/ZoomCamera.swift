// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import AVFoundation
import AVKit
import LockedCameraCapture
import SwiftUI
import UIKit

@MainActor @Observable
final class ZoomModel: NSObject {
  private(set) var zoomFactor: CGFloat = 1
  private(set) var focusPoint: CGPoint?
  private(set) var isLocked = false
  private(set) var lastPhoto: URL?
  var exposureBias: Float = 0 {
    didSet { applyExposureBias() }
  }

  @ObservationIgnored let session = AVCaptureSession()
  @ObservationIgnored private var device: AVCaptureDevice?
  @ObservationIgnored private let output = AVCapturePhotoOutput()
  @ObservationIgnored private let sessionQueue = DispatchQueue(label: "zoom.session")
  @ObservationIgnored private var baseZoom: CGFloat = 1
  @ObservationIgnored var folder: URL?

  var zoomRange: ClosedRange<CGFloat> {
    guard let device else { return 1...1 }
    return device.minAvailableVideoZoomFactor...min(device.maxAvailableVideoZoomFactor, 8)
  }

  func configure() throws {
    let types: [AVCaptureDevice.DeviceType] = [
      .builtInTripleCamera, .builtInDualWideCamera, .builtInWideAngleCamera,
    ]
    device =
      AVCaptureDevice.DiscoverySession(deviceTypes: types, mediaType: .video, position: .back).devices.first
    guard let device else { throw AVError(.deviceNotConnected) }
    session.beginConfiguration()
    session.sessionPreset = .photo
    let input = try AVCaptureDeviceInput(device: device)
    if session.canAddInput(input) { session.addInput(input) }
    if session.canAddOutput(output) { session.addOutput(output) }
    addControls(for: device)
    session.commitConfiguration()
    let session = session
    sessionQueue.async { session.startRunning() }
  }

  private func addControls(for device: AVCaptureDevice) {
    guard session.supportsControls else { return }
    let zoom = AVCaptureSystemZoomSlider(device: device) { [weak self] factor in
      Task { @MainActor in self?.zoomFactor = factor }
    }
    for control in [zoom, AVCaptureSystemExposureBiasSlider(device: device)]
    where session.canAddControl(control) {
      session.addControl(control)
    }
  }

  func zoom(to factor: CGFloat, ramped: Bool = false) {
    guard let device else { return }
    let factor = min(max(factor, zoomRange.lowerBound), zoomRange.upperBound)
    do {
      try device.lockForConfiguration()
      defer { device.unlockForConfiguration() }
      if ramped {
        device.ramp(toVideoZoomFactor: factor, withRate: 4)
      } else {
        device.videoZoomFactor = factor
      }
      zoomFactor = factor
    } catch {
      print("Could not zoom: \(error)")
    }
  }

  func magnify(by magnification: CGFloat) {
    zoom(to: baseZoom * magnification)
  }

  func endMagnification() {
    baseZoom = zoomFactor
  }

  func focus(at point: CGPoint, in size: CGSize) {
    guard let device, (try? device.lockForConfiguration()) != nil else { return }
    defer { device.unlockForConfiguration() }
    let devicePoint = CGPoint(x: point.x / size.width, y: point.y / size.height)
    if device.isFocusPointOfInterestSupported, device.isFocusModeSupported(.autoFocus) {
      device.focusPointOfInterest = devicePoint
      device.focusMode = .autoFocus
    }
    if device.isExposurePointOfInterestSupported {
      device.exposurePointOfInterest = devicePoint
      device.exposureMode = .continuousAutoExposure
    }
    device.isSubjectAreaChangeMonitoringEnabled = true
    focusPoint = point
  }

  private func applyExposureBias() {
    guard let device, (try? device.lockForConfiguration()) != nil else { return }
    device.setExposureTargetBias(exposureBias) { _ in }
    device.unlockForConfiguration()
  }

  func capture() {
    output.capturePhoto(with: AVCapturePhotoSettings(), delegate: self)
  }
}

extension ZoomModel: AVCapturePhotoCaptureDelegate {
  nonisolated func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?
  ) {
    guard let data = photo.fileDataRepresentation() else { return }
    Task { @MainActor in
      guard let url = folder?.appending(component: "zoom-\(Date.now.timeIntervalSince1970).heic") else {
        return
      }
      try? data.write(to: url)
      lastPhoto = url
    }
  }
}

struct ZoomPreview: UIViewRepresentable {
  let session: AVCaptureSession

  final class PreviewView: UIView {
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

struct ZoomView: View {
  let folder: URL
  @State private var model = ZoomModel()
  @GestureState private var isPinching = false

  var body: some View {
    GeometryReader { proxy in
      ZStack {
        ZoomPreview(session: model.session)
        if let point = model.focusPoint {
          Rectangle()
            .stroke(.yellow, lineWidth: 1.5)
            .frame(width: 80, height: 80)
            .position(point)
            .transition(.opacity)
        }
      }
      .contentShape(Rectangle())
      .gesture(
        MagnifyGesture()
          .updating($isPinching) { _, state, _ in state = true }
          .onChanged { model.magnify(by: $0.magnification) }
          .onEnded { _ in model.endMagnification() }
      )
      .simultaneousGesture(
        SpatialTapGesture().onEnded { model.focus(at: $0.location, in: proxy.size) }
      )
    }
    .ignoresSafeArea()
    .safeAreaInset(edge: .bottom) {
      VStack(spacing: 16) {
        if isPinching {
          Text("\(model.zoomFactor, specifier: "%.1f")×").monospacedDigit()
        }
        HStack(spacing: 12) {
          ForEach([1, 2, 4], id: \.self) { factor in
            Button("\(factor)×") { model.zoom(to: CGFloat(factor), ramped: true) }
              .buttonStyle(.bordered)
              .tint(model.zoomFactor == CGFloat(factor) ? .yellow : .white)
          }
        }
        Slider(value: $model.exposureBias, in: -2...2, step: 0.5) {
          Text("Exposure")
        } minimumValueLabel: {
          Image(systemName: "sun.min")
        } maximumValueLabel: {
          Image(systemName: "sun.max")
        }
        .padding(.horizontal, 40)
      }
      .foregroundStyle(.white)
      .padding(.bottom)
    }
    .onCameraCaptureEvent { event in
      if event.phase == .ended { model.capture() }
    }
    .task {
      model.folder = folder
      try? model.configure()
    }
  }
}

@main
struct ZoomCameraExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      ZoomView(folder: session.sessionContentURL)
    }
  }
}
