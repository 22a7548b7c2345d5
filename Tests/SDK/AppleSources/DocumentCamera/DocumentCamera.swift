// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import LockedCameraCapture
import SwiftUI
import UIKit

/// Finds the bright area of a sheet of paper in a frame, in coordinates from 0 to 1.
struct PageFinder {
  var threshold: UInt8 = 160

  func page(in buffer: CVPixelBuffer) -> CGRect? {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddress(buffer) else { return nil }
    let width = CVPixelBufferGetWidth(buffer)
    let height = CVPixelBufferGetHeight(buffer)
    let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
    var left = width, right = 0, top = height, bottom = 0
    for y in stride(from: 0, to: height, by: 8) {
      let row = base.advanced(by: y * rowBytes).assumingMemoryBound(to: UInt8.self)
      for x in stride(from: 0, to: width, by: 8) where row[x * 4 + 1] > threshold {
        left = min(left, x)
        right = max(right, x)
        top = min(top, y)
        bottom = max(bottom, y)
      }
    }
    guard right > left, bottom > top else { return nil }
    return CGRect(
      x: CGFloat(left) / CGFloat(width),
      y: CGFloat(top) / CGFloat(height),
      width: CGFloat(right - left) / CGFloat(width),
      height: CGFloat(bottom - top) / CGFloat(height)
    )
  }
}

final class DocumentScanner: NSObject, ObservableObject, @unchecked Sendable {
  @Published private(set) var page: CGRect?
  @Published private(set) var scans = 0
  @Published var isTorchOn = false

  let session = AVCaptureSession()
  private let videoOutput = AVCaptureVideoDataOutput()
  private let photoOutput = AVCapturePhotoOutput()
  private let frames = DispatchQueue(label: "scanner.frames")
  private let finder = PageFinder()
  private var camera: AVCaptureDevice?
  private let directory: URL

  init(directory: URL) {
    self.directory = directory
    super.init()
  }

  func setUp() {
    guard let camera = AVCaptureDevice.default(for: .video),
      let input = try? AVCaptureDeviceInput(device: camera)
    else { return }
    self.camera = camera
    session.beginConfiguration()
    session.addInput(input)
    videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
    videoOutput.setSampleBufferDelegate(self, queue: frames)
    session.addOutput(videoOutput)
    session.addOutput(photoOutput)
    if let connection = videoOutput.connection(with: .video), connection.isVideoRotationAngleSupported(90) {
      connection.videoRotationAngle = 90
    }
    session.commitConfiguration()
    DispatchQueue.global(qos: .userInitiated).async { [session] in session.startRunning() }
  }

  func setTorch(_ on: Bool) {
    guard let camera, camera.hasTorch, camera.isTorchAvailable else { return }
    do {
      try camera.lockForConfiguration()
      if on {
        try camera.setTorchModeOn(level: 0.5)
      } else {
        camera.torchMode = .off
      }
      camera.unlockForConfiguration()
    } catch {
      print(error)
    }
  }

  func scan() {
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    settings.maxPhotoDimensions = photoOutput.maxPhotoDimensions
    photoOutput.capturePhoto(with: settings, delegate: self)
  }
}

extension DocumentScanner: AVCaptureVideoDataOutputSampleBufferDelegate {
  func captureOutput(
    _ output: AVCaptureOutput,
    didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let pixels = sampleBuffer.imageBuffer else { return }
    let found = finder.page(in: pixels)
    DispatchQueue.main.async { self.page = found }
  }
}

extension DocumentScanner: AVCapturePhotoCaptureDelegate {
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: Error?
  ) {
    if let error {
      print("The scan failed: \(error.localizedDescription)")
      return
    }
    let file = directory.appendingPathComponent("Scan \(scans + 1).jpg")
    FileManager.default.createFile(atPath: file.path, contents: photo.fileDataRepresentation())
    DispatchQueue.main.async { self.scans += 1 }
  }
}

struct PageOutline: Shape {
  var page: CGRect

  var animatableData: CGRect.AnimatableData {
    get { page.animatableData }
    set { page.animatableData = newValue }
  }

  func path(in rect: CGRect) -> Path {
    Path(
      roundedRect: CGRect(
        x: rect.minX + page.minX * rect.width,
        y: rect.minY + page.minY * rect.height,
        width: page.width * rect.width,
        height: page.height * rect.height
      ),
      cornerRadius: 6
    )
  }
}

struct ScannerPreview: UIViewRepresentable {
  let session: AVCaptureSession

  class PreviewView: UIView {
    override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
  }

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView()
    (view.layer as? AVCaptureVideoPreviewLayer)?.session = session
    return view
  }

  func updateUIView(_ uiView: PreviewView, context: Context) {}
}

struct ScannerView: View {
  @ObservedObject var scanner: DocumentScanner

  var body: some View {
    NavigationStack {
      ScannerPreview(session: scanner.session)
        .overlay {
          if let page = scanner.page {
            PageOutline(page: page)
              .stroke(.blue, style: StrokeStyle(lineWidth: 3, lineJoin: .round))
              .background(PageOutline(page: page).fill(.blue.opacity(0.2)))
              .animation(.linear(duration: 0.1), value: page)
          }
        }
        .navigationTitle("Scan")
        .navigationBarTitleDisplayMode(.inline)
        .toolbar {
          ToolbarItem(placement: .topBarTrailing) {
            Toggle("Light", systemImage: "flashlight.on.fill", isOn: $scanner.isTorchOn)
          }
          ToolbarItem(placement: .bottomBar) {
            Button("Scan Page", action: scanner.scan)
              .buttonStyle(.borderedProminent)
              .disabled(scanner.page == nil)
          }
        }
        .onChange(of: scanner.isTorchOn) { _, isOn in scanner.setTorch(isOn) }
        .onAppear(perform: scanner.setUp)
    }
  }
}

@main
struct DocumentCameraExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      ScannerView(scanner: DocumentScanner(directory: session.sessionContentURL))
    }
  }
}
