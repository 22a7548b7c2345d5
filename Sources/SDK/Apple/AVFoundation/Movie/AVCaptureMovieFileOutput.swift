// SPDX-License-Identifier: Apache-2.0

public import CoreMedia
public import Foundation
internal import LockedCameraCapture

/// An output that records QuickTime movies: a JPEG file for each frame (Motion JPEG), with uncompressed sound.
///
/// The file is playable at each moment of the recording: if the extension is terminated, the movie lacks at most
/// the last ``movieFragmentInterval``. If the host dismisses the session, it waits until the file is complete.
/// It may be used on any thread.
public final class AVCaptureMovieFileOutput: AVCaptureFileOutput, @unchecked Sendable {
  /// The queue that encodes and writes. All use of ``recorder`` is on it.
  private let queue = DispatchQueue(label: "AVCaptureMovieFileOutput")
  private var recorder: Recorder?
  private let work = PendingWork()
  /// The number of frames that may wait for the encoder. The host overwrites older ones.
  private static let maximumPendingFrames = 3

  /// A recording and its delegate, which is retained until the recording has ended.
  private struct Recorder {
    let recording: MovieRecording
    let end: RecordingEnd
  }

  /// Creates an output.
  public init() { super.init([.video, .audio], appliesGeometry: true) }

  /// The codecs of movies: only JPEG.
  public var availableVideoCodecTypes: [AVVideoCodecType] { [.jpeg] }

  /// Returns the settings of movies: the codec under ``AVVideoCodecKey``, which is JPEG.
  public func outputSettings(for connection: AVCaptureConnection) -> [String: Any] {
    [AVVideoCodecKey: AVVideoCodecType.jpeg]
  }

  /// Has no effect, because JPEG is the only codec.
  public func setOutputSettings(_ outputSettings: [String: Any]?, for connection: AVCaptureConnection) {}

  /// The maximum duration of the video that a terminated process loses; initially one second. It applies to the
  /// next recording.
  public var movieFragmentInterval: CMTime {
    get { CMTime(value: Int64(progress.values.limits.fragment), timescale: 1_000_000) }
    set {
      guard newValue.isNumeric, newValue > .zero else { return }
      progress.update { $0.limits.fragment = Int(newValue.convertScale(1_000_000).value) }
    }
  }

  /// Starts a recording.
  ///
  /// A call during a recording has no effect, and the session log contains the reason. The recording has the rotation and the mirroring that the connection
  /// has now.
  ///
  /// - Parameters:
  ///   - outputFileURL: The file; an existing file is not replaced. Only files in the session content directory
  ///     outlive the session.
  ///   - delegate: The delegate, which is retained until the recording has ended.
  public func startRecording(
    to outputFileURL: URL,
    recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
  ) {
    let isIdle = progress.update { values in
      guard values.url == nil else { return false }
      (values.url, values.duration, values.size) = (outputFileURL, 0, 0)
      return true
    }
    guard isIdle else {
      CurrentSession.session?.logOnMainThread(
        "the recording to \(outputFileURL.lastPathComponent) did not start: another one has not ended"
      )
      return
    }
    work.begin()
    let end = RecordingEnd(delegate, outputFileURL, connections)
    queue.async { self.start(end) }
  }

  /// Ends the recording, and completes the file. Without a recording, it does nothing.
  public func stopRecording() { queue.async { self.stop(nil) } }

  // MARK: On the queue

  private func start(_ end: RecordingEnd) {
    do throws(AVError) {
      let recording = try recording(at: end.url)
      recorder = Recorder(recording: recording, end: end)
      DispatchQueue.main.async {
        end.delegate.fileOutput(self, didStartRecordingTo: end.url, from: end.connections)
      }
    } catch { finish(end, error) }
  }

  private func recording(at url: URL) throws(AVError) -> MovieRecording {
    guard let video = enabledConnection(with: .video), video.isActive,
      let size = video.inputPorts.first?.formatDescription?.dimensions
    else { throw AVError(.sessionNotRunning) }
    let format = enabledConnection(with: .audio)?.inputPorts.first?.formatDescription?
      .audioStreamBasicDescription
    return try MovieRecording(
      url.path(percentEncoded: false),
      video: .video(width: Int(size.width), height: Int(size.height), video.geometry),
      sound: format.map { .sound(sampleRate: Int($0.mSampleRate), channels: Int($0.mChannelsPerFrame)) },
      frameDuration: AVCaptureDevice.default(for: .video)?.activeVideoMinFrameDuration ?? .invalid,
      progress.values.limits
    )
  }

  private func append(_ frame: CMSampleBuffer) {
    defer { progress.update { $0.pendingFrames -= 1 } }
    guard let recording = recorder?.recording else { return }
    do throws(AVError) { try recording.append(frame) } catch { stop(error) }
    progress.update { ($0.duration, $0.size) = (recording.duration, recording.size) }
  }

  private func appendSound(_ sound: CMSampleBuffer) {
    guard let recording = recorder?.recording else { return }
    do throws(AVError) { try recording.appendSound(sound) } catch { stop(error) }
  }

  /// Completes the file; `reason` is the error that has ended the recording.
  private func stop(_ reason: AVError?) {
    guard let recorder else { return }
    self.recorder = nil
    do throws(AVError) {
      try recorder.recording.finish()
      finish(recorder.end, reason.map { AVError($0.code, $0.description, isRecordingFinished: true) })
    } catch {
      finish(recorder.end, AVError(error.code, error.description, isRecordingFinished: false))
    }
  }

  private func finish(_ end: RecordingEnd, _ error: AVError?) {
    DispatchQueue.main.async {
      self.progress.update { $0.url = nil }
      end.delegate.fileOutput(self, didFinishRecordingTo: end.url, from: end.connections, error: error)
      self.work.end()
    }
  }

  // MARK: On the main thread

  @MainActor
  override func receive(_ frame: CMSampleBuffer, _ connection: AVCaptureConnection) {
    let isAccepted = progress.update { values in
      guard values.url != nil, values.pendingFrames < Self.maximumPendingFrames else { return false }
      values.pendingFrames += 1
      return true
    }
    if isAccepted { queue.async { self.append(frame) } }
  }

  @MainActor
  override func receiveSound(_ sound: CMSampleBuffer, _ connection: AVCaptureConnection) {
    guard isRecording else { return }
    queue.async { self.appendSound(sound) }
  }

  @MainActor
  override func streamsEnded(_ error: AVError?) { queue.async { self.stop(error) } }

  @MainActor
  override func finishWork() async { await work.finished() }
}

/// The delegate of a recording, its file and its connections.
///
/// `@unchecked Sendable`, because Apple's delegates are not Sendable: the delegate is called on the main thread
/// only.
private final class RecordingEnd: @unchecked Sendable {
  let delegate: any AVCaptureFileOutputRecordingDelegate
  let url: URL
  let connections: [AVCaptureConnection]

  init(
    _ delegate: any AVCaptureFileOutputRecordingDelegate,
    _ url: URL,
    _ connections: [AVCaptureConnection]
  ) { (self.delegate, self.url, self.connections) = (delegate, url, connections) }
}
