// SPDX-License-Identifier: Apache-2.0

import AVFoundation

/// A camera that is written as for iOS: a capture session with a queue of its own, delegates and notifications.
@MainActor
final class GraphCamera: NSObject {
  private let directory: URL
  private let session = AVCaptureSession()
  private let photoOutput = AVCapturePhotoOutput()
  private let movieOutput = AVCaptureMovieFileOutput()
  private let counter = FrameCounter()
  private let sessionQueue = DispatchQueue(label: "session")
  private var presses = 0
  private var observers: [any NSObjectProtocol] = []

  init(_ session: LockedCameraCaptureSession) {
    directory = session.sessionContentURL
    super.init()
    observe()
  }

  /// Adds the inputs and outputs, and starts the session on its queue.
  func start() {
    session.beginConfiguration()
    session.sessionPreset = .photo
    for type in [AVMediaType.video, .audio] {
      guard let device = AVCaptureDevice.default(for: type),
        let input = try? AVCaptureDeviceInput(device: device)
      else { continue }
      if session.canAddInput(input) { session.addInput(input) }
    }
    let video = AVCaptureVideoDataOutput()
    video.setSampleBufferDelegate(counter, queue: DispatchQueue(label: "frames"))
    let sound = AVCaptureAudioDataOutput()
    sound.setSampleBufferDelegate(counter, queue: DispatchQueue(label: "sound"))
    for output in [photoOutput, movieOutput, video, sound] where session.canAddOutput(output) {
      session.addOutput(output)
    }
    session.commitConfiguration()
    let session = session
    sessionQueue.async { session.startRunning() }
  }

  /// Takes a photo at the first press, and starts or ends a movie at each later one.
  func press() {
    presses += 1
    if presses == 1 {
      let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
      photoOutput.connection(with: .video)?.videoRotationAngle = 90
      photoOutput.capturePhoto(with: settings, delegate: self)
    } else if movieOutput.isRecording {
      movieOutput.stopRecording()
    } else {
      movieOutput.startRecording(
        to: directory.appendingPathComponent("movie-\(presses).mov"),
        recordingDelegate: self
      )
    }
  }

  private func observe() {
    let names = [
      AVCaptureSession.didStartRunningNotification, AVCaptureSession.didStopRunningNotification,
      AVCaptureSession.runtimeErrorNotification, AVCaptureSession.wasInterruptedNotification,
    ]
    observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
        [weak self] notification in
        let error = (notification.userInfo?[AVCaptureSessionErrorKey] as? AVError).map { " \($0.code)" } ?? ""
        MainActor.assumeIsolated { self?.note("\(name.rawValue)\(error)") }
      }
    }
  }

  /// Appends a line to the notes, and the number of delivered frames to a file of its own.
  private func note(_ line: String) {
    let url = directory.appendingPathComponent("notes")
    let old = (try? Data(contentsOf: url)) ?? Data()
    try? (old + Data("\(line)\n".utf8)).write(to: url)
    try? Data(counter.text.utf8).write(to: directory.appendingPathComponent("counts"))
  }
}

extension GraphCamera: @MainActor AVCapturePhotoCaptureDelegate {
  func photoOutput(
    _ output: AVCapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) { note("willBegin \(resolvedSettings.photoDimensions.width)x\(resolvedSettings.photoDimensions.height)") }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) { note("willCapture") }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) { note("didCapture") }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?
  ) {
    try? photo.fileDataRepresentation()?.write(to: directory.appendingPathComponent("photo.jpg"))
    note("didFinishProcessing")
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) { note("didFinishCapture") }
}

extension GraphCamera: @MainActor AVCaptureFileOutputRecordingDelegate {
  func fileOutput(
    _ output: AVCaptureFileOutput,
    didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) {
    note("didStartRecording \(connections.count)")
  }

  func fileOutput(
    _ output: AVCaptureFileOutput,
    didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?
  ) { note("didFinishRecording \((error as? AVError)?.code.rawValue ?? 0)") }
}
