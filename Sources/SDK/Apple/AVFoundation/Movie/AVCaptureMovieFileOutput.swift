// SPDX-License-Identifier: Apache-2.0

public import CoreMedia
public import Foundation
internal import LockedCameraCapture

/// An output that records QuickTime movies: H.264 or a JPEG file for each frame (Motion JPEG), with uncompressed
/// sound.
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
  ///
  /// A program that was optimized as a whole module contains the encoder of H.264 only if the program calls this
  /// initializer. The compiler then emits the initializer, with its strong reference to the encoder, only into the
  /// module of the caller. In a debug build, the compiler also emits the initializer into this module.
  @_alwaysEmitIntoClient
  public convenience init() { self.init(linkedWith: createH264Encoder) }

  /// Creates an output; the argument is not used.
  @usableFromInline
  init(linkedWith encoder: (OpaquePointer) -> Int32) { super.init([.video, .audio], appliesGeometry: true) }

  /// The codecs of movies, from the default one.
  ///
  /// H.264 is the default for at most 1920 by 1080 pixels at 30 frames per second, and otherwise JPEG, which takes a
  /// quarter of the processor time. H.264 requires an even width and height.
  public var availableVideoCodecTypes: [AVVideoCodecType] {
    connection(with: .video).flatMap(video)?.codecs ?? [.h264, .jpeg]
  }

  /// Returns the keys that ``setOutputSettings(_:for:)`` supports.
  public func supportedOutputSettingsKeys(for connection: AVCaptureConnection) -> [String] {
    [AVVideoCodecKey, AVVideoCompressionPropertiesKey]
  }

  /// Returns the settings of the next recording: the codec under ``AVVideoCodecKey``, and the bit rate if an app has set
  /// it.
  public func outputSettings(for connection: AVCaptureConnection) -> [String: Any] {
    let settings = progress.values.settings
    var dictionary: [String: Any] = [AVVideoCodecKey: settings.codec ?? availableVideoCodecTypes[0]]
    if let bitRate = settings.bitRate {
      dictionary[AVVideoCompressionPropertiesKey] = [AVVideoAverageBitRateKey: bitRate]
    }
    return dictionary
  }

  /// Sets the codec and the bit rate of the next recording.
  ///
  /// - Parameters:
  ///   - outputSettings: The codec under ``AVVideoCodecKey``; for H.264, the bit rate under
  ///     ``AVVideoAverageBitRateKey`` in ``AVVideoCompressionPropertiesKey``; `nil` or an empty dictionary for the
  ///     defaults. A recording with a codec that is not available ends with `encoderNotFound`.
  ///   - connection: The connection of the video.
  public func setOutputSettings(_ outputSettings: [String: Any]?, for connection: AVCaptureConnection) {
    progress.update { [settings = MovieSettings(outputSettings)] in $0.settings = settings }
  }

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
  /// The recording has the rotation and the mirroring that the connection has now. Before the end of the previous recording,
  /// the delegate receives ``AVError/Code/recordingAlreadyInProgress`` instead, and no file is created.
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
    work.begin()
    let end = RecordingEnd(delegate, outputFileURL, connections)
    guard isIdle else {
      let error = AVError(.recordingAlreadyInProgress, isRecordingFinished: false)
      return DispatchQueue.main.async { self.deliver(end, error) }
    }
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
    guard let connection = enabledConnection(with: .video), connection.isActive, let video = video(connection)
    else { throw AVError(.sessionNotRunning) }
    let encoder = try video.encoder(progress.values.settings)
    let format = enabledConnection(with: .audio)?.inputPorts.first?.formatDescription?
      .audioStreamBasicDescription
    return try MovieRecording(
      url.path(percentEncoded: false),
      video: .video(
        width: video.width,
        height: video.height,
        connection.geometry,
        h264: encoder?.configuration
      ),
      sound: format.map { .sound(sampleRate: Int($0.mSampleRate), channels: Int($0.mChannelsPerFrame)) },
      encoder: encoder,
      frameDuration: video.frameDuration,
      progress.values.limits
    )
  }

  /// Returns the size and the rate of the frames of a connection, or `nil` if the connection has no video.
  private func video(_ connection: AVCaptureConnection) -> MovieVideo? {
    guard let size = connection.inputPorts.first?.formatDescription?.dimensions else { return nil }
    let duration = AVCaptureDevice.default(for: .video)?.activeVideoMinFrameDuration ?? .invalid
    return MovieVideo(width: Int(size.width), height: Int(size.height), frameDuration: duration)
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
      self.deliver(end, error)
    }
  }

  /// Notifies the delegate of the end of a recording; runs on the main thread.
  private func deliver(_ end: RecordingEnd, _ error: AVError?) {
    end.delegate.fileOutput(self, didFinishRecordingTo: end.url, from: end.connections, error: error)
    work.end()
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

/// Creates an encoder of OpenH264. It is not called: a reference to this function links the encoder.
@_silgen_name("WelsCreateSVCEncoder")
@usableFromInline
func createH264Encoder(_ encoder: OpaquePointer) -> Int32
