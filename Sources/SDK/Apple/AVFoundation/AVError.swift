// SPDX-License-Identifier: Apache-2.0
// The constants have the names of Apple's C interface.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// An error of capture; Apple's type.
public struct AVError: Error, CustomNSError, LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public let code: Code
  /// The error message.
  public let description: String
  /// Whether a recording that ended with this error has a complete file.
  private let isRecordingFinished: Bool?

  /// The kinds of errors, with Apple's numbers.
  public enum Code: Int, Sendable {
    /// The cause is unknown.
    case unknown = -11800
    /// There is no memory for the operation.
    case outOfMemory = -11801
    /// The session does not run.
    case sessionNotRunning = -11803
    /// Another session uses the device. Not reported here.
    case deviceAlreadyUsedByAnotherSession = -11804
    /// The recording has no frames.
    case noDataCaptured = -11805
    /// The format of the frames has changed.
    case sessionConfigurationChanged = -11806
    /// There is no space for the file.
    case diskFull = -11807
    /// The device or its driver was removed.
    case deviceWasDisconnected = -11808
    /// The recording has the maximum duration.
    case maximumDurationReached = -11810
    /// The file has the maximum size.
    case maximumFileSizeReached = -11811
    /// The session has no such device, or the device has failed.
    case deviceNotConnected = -11814
    /// Another app uses the device. Not reported here: the host shares a camera.
    case deviceInUseByAnotherApplication = -11815
    /// The session was interrupted.
    case sessionWasInterrupted = -11818
    /// The media service was restarted. Not reported here.
    case mediaServicesWereReset = -11819
    /// The file exists already.
    case fileAlreadyExists = -11823
    /// There is no encoder for the codec.
    case encoderNotFound = -11834
    /// The torch does not have the brightness now.
    case torchLevelUnavailable = -11846
    /// The app has no permission for the device.
    case applicationIsNotAuthorizedToUseDevice = -11852
    /// Another recording of the output has not ended.
    case recordingAlreadyInProgress = -11859
  }

  /// Creates an error.
  public init(_ code: Code) { self.init(code, code.text) }

  /// Creates an error of a recording.
  init(_ code: Code, isRecordingFinished: Bool) {
    self.init(code, code.text, isRecordingFinished: isRecordingFinished)
  }

  /// Creates an error with a message.
  ///
  /// - Parameters:
  ///   - code: The kind of error.
  ///   - description: The error message.
  ///   - isRecordingFinished: Whether the file of the recording is complete, or `nil` if the error does not
  ///     concern a recording.
  init(_ code: Code, _ description: String, isRecordingFinished: Bool? = nil) {
    (self.code, self.description, self.isRecordingFinished) = (code, description, isRecordingFinished)
  }

  /// Creates the error for an error of the host.
  init(_ error: any Error) {
    if let error = error as? AVError { self = error } else { self.init(Self.code(of: error), "\(error)") }
  }

  private static func code(of error: any Error) -> Code {
    switch (error as? LockedCameraCaptureError)?.code {
    case .cameraUnavailable?, .microphoneUnavailable?: .deviceNotConnected
    case .permissionDenied?: .applicationIsNotAuthorizedToUseDevice
    case .sessionEnded?: .sessionWasInterrupted
    default: .unknown
    }
  }

  /// The error domain, `AVFoundationErrorDomain`.
  public static var errorDomain: String { "AVFoundationErrorDomain" }

  /// The number of the kind.
  public var errorCode: Int { code.rawValue }

  /// Whether the file of a recording is complete, under ``AVErrorRecordingSuccessfullyFinishedKey``.
  public var errorUserInfo: [String: Any] {
    isRecordingFinished.map { [AVErrorRecordingSuccessfullyFinishedKey: $0] } ?? [:]
  }

  /// The error message.
  public var errorDescription: String? { description }
}

extension AVError.Code {
  /// Returns whether an error has this kind, for `catch AVError.Code.diskFull`.
  public static func ~= (code: AVError.Code, error: any Error) -> Bool { (error as? AVError)?.code == code }
}

/// The key of a Boolean in the user information of an error: whether the file of the recording is complete.
public let AVErrorRecordingSuccessfullyFinishedKey = "AVErrorRecordingSuccessfullyFinishedKey"

extension AVError.Code {
  /// The message of an error that has no other one.
  fileprivate var text: String {
    switch self {
    case .unknown: "the operation failed for an unknown reason"
    case .outOfMemory: "there is no memory for the operation"
    case .sessionNotRunning: "the capture session does not run; call startRunning() first"
    case .noDataCaptured: "the recording has no frames"
    case .sessionConfigurationChanged: "the format of the frames has changed"
    case .diskFull: "there is no space for the file"
    case .deviceWasDisconnected: "the device or its driver was removed"
    case .maximumDurationReached: "the recording has the maximum duration"
    case .maximumFileSizeReached: "the file has the maximum size"
    case .deviceAlreadyUsedByAnotherSession: "another session uses the device"
    case .deviceInUseByAnotherApplication: "another app uses the device"
    case .mediaServicesWereReset: "the media service was restarted"
    case .deviceNotConnected: "the session has no such device"
    case .sessionWasInterrupted: "the session was interrupted"
    case .fileAlreadyExists: "the file exists already; choose another name"
    case .encoderNotFound: "there is no encoder for the codec; use AVVideoCodecType.jpeg"
    case .torchLevelUnavailable: "the torch does not have this brightness now; try again later"
    case .recordingAlreadyInProgress:
      "another recording of the output has not ended; wait for its fileOutput(_:didFinishRecordingTo:from:error:)"
    case .applicationIsNotAuthorizedToUseDevice:
      "the app has no permission for the device; grant it with 'darkroom permission'"
    }
  }
}
