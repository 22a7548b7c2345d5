// SPDX-License-Identifier: Apache-2.0

public import CoreMedia
public import Foundation

/// An output that records to a file. It may be used on any thread.
public class AVCaptureFileOutput: AVCaptureOutput, @unchecked Sendable {
  /// The state of the recording.
  let progress = RecordingProgress()

  /// The file of the current recording, or `nil` if there is none.
  public var outputFileURL: URL? { progress.values.url }

  /// Whether a recording was started and not finished since.
  public var isRecording: Bool { progress.values.url != nil }

  /// The duration of the current recording.
  public var recordedDuration: CMTime { CMTime(value: Int64(progress.values.duration), timescale: 1_000_000) }

  /// The number of bytes that were written for the current recording.
  public var recordedFileSize: Int64 { Int64(progress.values.size) }

  /// The maximum duration of a recording, or an invalid time for none; applies to the next recording.
  public var maxRecordedDuration: CMTime {
    get { progress.values.limits.duration.map { CMTime(value: Int64($0), timescale: 1_000_000) } ?? .invalid }
    set {
      let duration = newValue.isNumeric ? Int(newValue.convertScale(1_000_000).value) : nil
      progress.update { $0.limits.duration = duration }
    }
  }

  /// The maximum number of bytes of a recording, or 0 for none; applies to the next recording.
  public var maxRecordedFileSize: Int64 {
    get { Int64(progress.values.limits.size ?? 0) }
    set { progress.update { $0.limits.size = newValue > 0 ? Int(newValue) : nil } }
  }
}

/// A delegate that is notified of the progress of a recording, on the main thread.
public protocol AVCaptureFileOutputRecordingDelegate: AnyObject {
  /// The file was created; optional.
  func fileOutput(
    _ output: AVCaptureFileOutput,
    didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  )

  /// The recording has ended.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - outputFileURL: The file.
  ///   - connections: The connections of the recording.
  ///   - error: The reason for which the recording ended, or `nil` if the app has stopped it. The file is
  ///     complete if the user information of the error has `true` under
  ///     ``AVErrorRecordingSuccessfullyFinishedKey``.
  func fileOutput(
    _ output: AVCaptureFileOutput,
    didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection],
    error: (any Error)?
  )
}

extension AVCaptureFileOutputRecordingDelegate {
  /// Does nothing.
  public func fileOutput(
    _ output: AVCaptureFileOutput,
    didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) {}
}
