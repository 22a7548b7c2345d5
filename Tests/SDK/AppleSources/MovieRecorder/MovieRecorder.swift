// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import AVFoundation
import LockedCameraCapture
import OSLog
import SwiftUI
import UIKit

@MainActor @Observable
final class Recorder {
  private(set) var isRecording = false
  private(set) var startDate: Date?
  private(set) var clips: [URL] = []
  private(set) var error: (any Error)?

  let session = AVCaptureSession()
  private let movieOutput = AVCaptureMovieFileOutput()
  private let queue = DispatchQueue(label: "recorder.session", qos: .userInitiated)
  private let folder: URL
  private var delegate: RecordingDelegate?
  private let log = Logger(subsystem: "com.example.MovieRecorder", category: "Recorder")

  init(folder: URL) {
    self.folder = folder
  }

  func prepare() async {
    let video = await AVCaptureDevice.requestAccess(for: .video)
    let audio = await AVCaptureDevice.requestAccess(for: .audio)
    guard video else { return }
    do {
      try configure(withAudio: audio)
    } catch {
      log.error("Configuration failed: \(error)")
      self.error = error
      return
    }
    let session = session
    queue.async { session.startRunning() }
  }

  private func configure(withAudio: Bool) throws {
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.sessionPreset = .high
    if let camera = AVCaptureDevice.default(for: .video) {
      let input = try AVCaptureDeviceInput(device: camera)
      if session.canAddInput(input) { session.addInput(input) }
    }
    if withAudio, let microphone = AVCaptureDevice.default(for: .audio) {
      let input = try AVCaptureDeviceInput(device: microphone)
      if session.canAddInput(input) { session.addInput(input) }
    }
    if session.canAddOutput(movieOutput) { session.addOutput(movieOutput) }
    movieOutput.maxRecordedDuration = CMTime(seconds: 60, preferredTimescale: 600)
    if let connection = movieOutput.connection(with: .video) {
      if connection.isVideoStabilizationSupported {
        connection.preferredVideoStabilizationMode = .auto
      }
      if movieOutput.availableVideoCodecTypes.contains(.hevc) {
        movieOutput.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.hevc], for: connection)
      }
    }
  }

  func toggle() {
    if movieOutput.isRecording {
      movieOutput.stopRecording()
      return
    }
    let url = folder.appendingPathComponent(UUID().uuidString).appendingPathExtension("mov")
    let delegate = RecordingDelegate { [weak self] event in
      Task { @MainActor in self?.handle(event) }
    }
    self.delegate = delegate
    movieOutput.startRecording(to: url, recordingDelegate: delegate)
  }

  private func handle(_ event: RecordingDelegate.Event) {
    switch event {
    case .started:
      isRecording = true
      startDate = .now
    case .finished(let url, let error):
      isRecording = false
      startDate = nil
      delegate = nil
      self.error = error
      if error == nil { clips.append(url) }
    }
  }
}

final class RecordingDelegate: NSObject, AVCaptureFileOutputRecordingDelegate {
  enum Event: Sendable {
    case started
    case finished(URL, (any Error)?)
  }

  private let handler: @Sendable (Event) -> Void

  init(handler: @escaping @Sendable (Event) -> Void) {
    self.handler = handler
  }

  func fileOutput(
    _ output: AVCaptureFileOutput,
    didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) {
    handler(.started)
  }

  func fileOutput(
    _ output: AVCaptureFileOutput,
    didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?
  ) {
    handler(.finished(outputFileURL, error))
  }
}

struct VideoPreview: UIViewRepresentable {
  var session: AVCaptureSession

  class PreviewView: UIView {
    override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }
    var videoLayer: AVCaptureVideoPreviewLayer { layer as! AVCaptureVideoPreviewLayer }
  }

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView()
    view.backgroundColor = .black
    view.videoLayer.session = session
    return view
  }

  func updateUIView(_ view: PreviewView, context: Context) {}
}

struct RecorderView: View {
  @State private var recorder: Recorder

  init(folder: URL) {
    _recorder = State(initialValue: Recorder(folder: folder))
  }

  var body: some View {
    VideoPreview(session: recorder.session)
      .ignoresSafeArea()
      .overlay(alignment: .top) {
        if let start = recorder.startDate {
          Text(start, style: .timer)
            .font(.system(.title3, design: .monospaced))
            .padding(.horizontal, 12)
            .padding(.vertical, 4)
            .background(.red, in: Capsule())
            .padding(.top)
        }
      }
      .overlay(alignment: .bottom) {
        HStack {
          Label("\(recorder.clips.count)", systemImage: "film.stack")
          Spacer()
          Button(action: recorder.toggle) {
            RoundedRectangle(cornerRadius: recorder.isRecording ? 8 : 32)
              .fill(.red)
              .frame(width: recorder.isRecording ? 36 : 64, height: recorder.isRecording ? 36 : 64)
              .frame(width: 76, height: 76)
              .overlay(Circle().stroke(.white, lineWidth: 4))
          }
          .animation(.snappy, value: recorder.isRecording)
          Spacer()
          if let error = recorder.error {
            Text(error.localizedDescription).font(.caption).lineLimit(2)
          }
        }
        .padding()
      }
      .foregroundStyle(.white)
      .task { await recorder.prepare() }
  }
}

@main
struct MovieRecorderExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      RecorderView(folder: session.sessionContentURL)
    }
  }
}
