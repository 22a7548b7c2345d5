// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import CoreMedia
import CoreVideo
import LockedCameraCapture
import SwiftUI
import UIKit

/// Counts the brightness values of each frame of a camera.
final class HistogramSource: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
  let session = AVCaptureSession()
  private let output = AVCaptureVideoDataOutput()
  private let queue = DispatchQueue(label: "com.example.histogram", qos: .userInteractive)
  private let (stream, continuation) = AsyncStream.makeStream(
    of: [Int].self,
    bufferingPolicy: .bufferingNewest(1)
  )

  var histograms: AsyncStream<[Int]> { stream }

  func start() {
    queue.async { [self] in
      guard
        let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .unspecified),
        let input = try? AVCaptureDeviceInput(device: camera)
      else { return }
      session.beginConfiguration()
      session.sessionPreset = .hd1280x720
      if session.canAddInput(input) { session.addInput(input) }
      output.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      ]
      output.alwaysDiscardsLateVideoFrames = true
      output.setSampleBufferDelegate(self, queue: queue)
      if session.canAddOutput(output) { session.addOutput(output) }
      session.commitConfiguration()
      limitFrameRate(of: camera, to: 15)
      session.startRunning()
    }
  }

  private func limitFrameRate(of camera: AVCaptureDevice, to rate: Int32) {
    do {
      try camera.lockForConfiguration()
      camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: rate)
      camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: rate)
      camera.unlockForConfiguration()
    } catch {
      print("The frame rate is unchanged: \(error.localizedDescription)")
    }
  }

  func captureOutput(
    _ output: AVCaptureOutput,
    didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let buffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, 0) else { return }
    let width = CVPixelBufferGetWidthOfPlane(buffer, 0)
    let height = CVPixelBufferGetHeightOfPlane(buffer, 0)
    let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(buffer, 0)
    let luma = base.assumingMemoryBound(to: UInt8.self)
    var bins = [Int](repeating: 0, count: 64)
    for y in stride(from: 0, to: height, by: 4) {
      for x in stride(from: 0, to: width, by: 4) {
        bins[Int(luma[y * bytesPerRow + x]) >> 2] += 1
      }
    }
    continuation.yield(bins)
  }

  func captureOutput(
    _ output: AVCaptureOutput,
    didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
    print("Dropped a frame at \(CMTimeGetSeconds(time)) s")
  }
}

struct HistogramShape: Shape {
  let bins: [Int]

  func path(in rect: CGRect) -> Path {
    var path = Path()
    guard let highest = bins.max(), highest > 0 else { return path }
    let step = rect.width / CGFloat(bins.count)
    path.move(to: CGPoint(x: rect.minX, y: rect.maxY))
    for (index, bin) in bins.enumerated() {
      let height = rect.height * CGFloat(bin) / CGFloat(highest)
      path.addLine(to: CGPoint(x: rect.minX + CGFloat(index) * step, y: rect.maxY - height))
    }
    path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
    path.closeSubpath()
    return path
  }
}

struct HistogramPreview: UIViewRepresentable {
  let session: AVCaptureSession

  final class PreviewView: UIView {
    override static var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
  }

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView()
    if let layer = view.layer as? AVCaptureVideoPreviewLayer {
      layer.session = session
      layer.videoGravity = .resizeAspect
    }
    return view
  }

  func updateUIView(_ uiView: PreviewView, context: Context) {}
}

struct HistogramView: View {
  @State private var source = HistogramSource()
  @State private var bins: [Int] = []
  @State private var isVisible = true

  private var average: Double {
    let total = bins.reduce(0, +)
    guard total > 0 else { return 0 }
    return Double(bins.enumerated().map { $0.offset * $0.element }.reduce(0, +)) / Double(total) / 63
  }

  var body: some View {
    ZStack(alignment: .topTrailing) {
      HistogramPreview(session: source.session).ignoresSafeArea()
      if isVisible {
        VStack(alignment: .leading, spacing: 4) {
          HistogramShape(bins: bins)
            .fill(LinearGradient(colors: [.gray, .white], startPoint: .leading, endPoint: .trailing))
            .frame(width: 200, height: 80)
          Text(average, format: .percent.precision(.fractionLength(0)))
            .font(.caption2)
            .foregroundStyle(average > 0.85 ? .red : .white)
        }
        .padding(8)
        .background(.black.opacity(0.6), in: .rect(cornerRadius: 10))
        .padding()
      }
    }
    .onTapGesture(count: 2) {
      withAnimation(.easeInOut(duration: 0.2)) { isVisible.toggle() }
    }
    .task {
      source.start()
      for await histogram in source.histograms { bins = histogram }
    }
  }
}

@main
struct HistogramCameraExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { _ in
      HistogramView()
    }
  }
}
