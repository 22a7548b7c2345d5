// SPDX-License-Identifier: Apache-2.0

internal import CaptureImage
internal import CoreMedia
internal import LinuxPrimitives

/// One recording: it encodes the frames, and writes them with the sound to a file.
///
/// It is used on one queue only. The sound begins with the first frame; lost sound becomes silence, so that
/// sound and video stay synchronous.
final class MovieRecording {
  /// The limits of a recording.
  struct Limits: Sendable {
    /// The maximum duration in microseconds, or `nil` for none.
    var duration: Int?
    /// The maximum size in bytes, or `nil` for none.
    var size: Int?
    /// The duration of a fragment in microseconds.
    var fragment = 1_000_000
  }

  /// A frame that waits for the next frame, which determines its duration.
  private struct Frame {
    let encoded: EncodedFrame
    /// The capture time in nanoseconds.
    let time: Int64
  }

  private let limits: Limits
  private let videoFormat: MovieTrack.Format
  private let jpeg = JPEGEncoder(quality: 85)
  private let h264: H264Encoder?
  private let soundFormat: MovieTrack.Format?
  /// The duration of a frame, in microseconds, if there is no next frame.
  private let defaultDuration: Int
  private var file: MovieFile
  private var start: Int64?
  private var last: Frame?
  /// The number of frames in succession that the encoder of H.264 has failed to encode.
  private var failures = 0
  /// The number of failures in succession that end the recording.
  private static let maximumFailures = 3
  /// The maximum number of bytes that wait in memory for their fragment.
  private static let maximumPendingBytes = 32 << 20

  /// Creates the file of a recording.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - video: The format of the video.
  ///   - sound: The format of the sound, or `nil` for a movie without sound.
  ///   - encoder: The encoder if the format of the video is H.264.
  ///   - frameDuration: The duration of the last frame, or an invalid time for the default.
  ///   - limits: The limits of the recording.
  /// - Throws: ``AVError``: `fileAlreadyExists`, `diskFull` or `unknown`.
  init(
    _ path: String,
    video: MovieTrack.Format,
    sound: MovieTrack.Format?,
    encoder: H264Encoder? = nil,
    frameDuration: CMTime,
    _ limits: Limits
  ) throws(AVError) {
    self.limits = limits
    (videoFormat, soundFormat, h264) = (video, sound, encoder)
    defaultDuration = frameDuration.isNumeric ? Int(frameDuration.seconds * 1_000_000) : 33_333
    do { file = try MovieFile.create(path, video: video, sound: sound) } catch { throw AVError(error) }
  }

  /// The duration of the recording in microseconds.
  var duration: Int { file.duration }

  /// The number of bytes that were written.
  var size: Int { file.size }

  /// Adds a frame; a frame that the host has overwritten is dropped.
  ///
  /// - Throws: ``AVError``: `sessionConfigurationChanged` if the frame has another size than the video; `unknown` if the
  ///   encoder fails repeatedly; otherwise if the file cannot be written, or if a limit is reached.
  func append(_ sample: CMSampleBuffer) throws(AVError) {
    let time = sample.presentationTimeStamp.value
    guard last.map({ $0.time < time }) ?? true else { return }
    let start = start ?? time
    // The end of a frame is relative to the start of the recording, so that rounding does not accumulate.
    let duration = Int(time - start) / 1000 - file.duration
    // The frame is the first one of its fragment if the last frame completes the fragment before it.
    let startsFragment = last.map { isFragmentComplete($0.encoded.bytes.count, duration) } ?? true
    guard let frame = try encode(sample, startsFragment, milliseconds: (time - start) / 1_000_000) else {
      return
    }
    self.start = start
    if let last { file.appendFrame(last.encoded, duration: duration) }
    last = Frame(encoded: frame, time: time)
    try writeCompleteFragment()
    if let limit = limits.duration, file.duration >= limit { throw AVError(.maximumDurationReached) }
    if let limit = limits.size, file.size + file.pendingBytes >= limit {
      throw AVError(.maximumFileSizeReached)
    }
  }

  /// Returns the encoded frame, or `nil` if the encoder fails or the host has overwritten the frame.
  private func encode(
    _ sample: CMSampleBuffer,
    _ isKeyframe: Bool,
    milliseconds: Int64
  ) throws(AVError) -> EncodedFrame? {
    let encoded = try sample.imageBuffer?.withFrame { frame throws(AVError) -> EncodedFrame? in
      guard case .video(frame.width, frame.height, _, _) = videoFormat else {
        throw AVError(.sessionConfigurationChanged)
      }
      guard let h264 else { return (try? jpeg.encode(frame)).map { EncodedFrame(bytes: $0) } }
      // Later frames depend on an encoded frame, which therefore cannot be dropped if the host overwrites its pixels.
      guard let copy = frame.copy() else { return nil }
      let result = h264.encode(copy, isKeyframe: isKeyframe, milliseconds: milliseconds)
      failures = result == nil ? failures + 1 : 0
      // Without an error, an encoder that does not recover would silently leave out the rest of the movie.
      if failures >= Self.maximumFailures { throw AVError(.unknown, "the encoder of H.264 failed") }
      return result
    }
    return h264 != nil || sample.isValid ? encoded ?? nil : nil
  }

  /// Appends the next fragment to the file if the fragment is complete or has many bytes.
  private func writeCompleteFragment() throws(AVError) {
    guard isFragmentComplete() else { return }
    do { try file.writeFragment() } catch { throw AVError(error) }
  }

  /// Returns whether the next fragment is complete with a further frame, whose bytes and microseconds are given.
  private func isFragmentComplete(_ bytes: Int = 0, _ duration: Int = 0) -> Bool {
    file.pendingDuration + duration >= limits.fragment || isSoundAhead
      || file.pendingBytes + bytes >= Self.maximumPendingBytes
  }

  /// Whether the next fragment has sound for more than two fragments, because the camera delivers no frames.
  private var isSoundAhead: Bool {
    guard case .sound(let rate, _)? = soundFormat else { return false }
    return Double(file.pendingSoundFrames) / Double(rate) >= 2 * Double(limits.fragment) / 1_000_000
  }

  /// Adds a block of sound; sound before the first frame is dropped.
  ///
  /// - Throws: ``AVError`` if the file cannot be written.
  func appendSound(_ sample: CMSampleBuffer) throws(AVError) {
    guard let start, let data = sample.dataBuffer, case .sound(let rate, let channels)? = soundFormat else {
      return
    }
    let position = Double(sample.presentationTimeStamp.value - start) * Double(rate) / 1_000_000_000
    guard position >= 0 else { return }
    var missing = Int(position) - file.soundFrames
    // The clocks of the camera and the microphone differ a little; a larger gap is lost sound.
    if missing <= rate / 20 { missing = 0 }
    while missing > 0 {
      let part = min(missing, rate)
      file.appendSound(MovieAtom.zeros(part * channels * 2), frames: part)
      missing -= part
      try writeCompleteFragment()
    }
    file.appendSound(data.withUnsafeBytes { Array($0) }, frames: sample.numSamples)
    try writeCompleteFragment()
  }

  /// Completes the file.
  ///
  /// - Throws: ``AVError``: `noDataCaptured` if there is no frame, otherwise if the file cannot be written.
  func finish() throws(AVError) {
    guard let last else { throw AVError(.noDataCaptured) }
    file.appendFrame(last.encoded, duration: defaultDuration)
    self.last = nil
    do { try file.finish() } catch { throw AVError(error) }
  }
}

extension AVError {
  /// Creates the error for a failed system call on the file of a recording.
  fileprivate init(_ error: SystemCallError) {
    let code: Code =
      switch error.errno {
      case .fileExists: .fileAlreadyExists
      case .noSpace, .overQuota: .diskFull
      case .fileTooLarge: .maximumFileSizeReached
      default: .unknown
      }
    self.init(code, "the recording failed: \(error)")
  }
}
