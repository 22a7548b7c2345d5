// SPDX-License-Identifier: Apache-2.0

@testable import CaptureImage
@testable import ExtensionProtocol
@testable import LockedCameraCapture

/// The types of the floor SDK that produce messages.
enum SDKMessages {
  static var types: [any MessageSamples.Type] {
    [
      ExtensionFailure.self, LockedCameraCapture.UserActivityError.self, PHPhotosError.self,
      LockedCameraCaptureSession.ApplicationLaunchError.self, ApplicationLaunchFailure.self,
      LockedCameraCaptureError.self, AppContextTooLarge.self, JPEGEncodingError.self,
    ]
  }

  /// An error that the host reports.
  static let refusal = ErrorObject(
    code: ProtocolErrorCode.invalidParams.rawValue,
    message: "the host's message"
  )
}

extension ExtensionFailure: CaseSamples {
  static var catalogSamples: [(String, ExtensionFailure)] {
    [
      ("hostClosed", .hostClosed), ("notLaunched", .notLaunched(.noDescriptors)),
      ("notLaunched", .notLaunched(.otherProcess(meant: "4711", own: 4712))),
      ("notLaunched", .notLaunched(.countMismatch(count: "2", names: "control:camera:sound"))),
      ("notLaunched", .notLaunched(.missingDescriptor("control"))),
      ("notLaunched", .notLaunched(.closedDescriptor("control", number: 3))),
      ("violation", .violation(ProtocolViolation(method: "frame", .unexpectedReply))),
      ("unsupportedVersion", .unsupportedVersion(VersionMismatch(offered: [1], supported: [7]))),
      ("invalidFrameRing", .invalidFrameRing(.tooShort(bytes: 100, needed: 4096))),
      ("invalidSoundRing", .invalidSoundRing(.tooShort(bytes: 100, needed: 4096))),
      ("system", .system(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .hostClosed, .notLaunched, .violation, .unsupportedVersion, .invalidFrameRing, .invalidSoundRing,
      .system:
      true
    }
  }
}

extension LockedCameraCapture.UserActivityError: CaseSamples {
  static var catalogSamples: [(String, LockedCameraCapture.UserActivityError)] {
    let path = "userInfo.shots[2]"
    return [
      ("tooLarge", .tooLarge(bytes: 70_000, limit: 65536)),
      ("unsupportedValue", .unsupportedValue(path: path, type: "Image")),
      ("unsupportedNumber", .unsupportedNumber(path: path)),
      ("unsupportedKey", .unsupportedKey(path: path, key: "42")),
      ("tooDeep", .tooDeep(path: path, limit: 32)),
      ("malformed", .malformed(path: path, expected: "a string")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .tooLarge, .unsupportedValue, .unsupportedNumber, .unsupportedKey, .tooDeep, .malformed: true
    }
  }
}

extension PHPhotosError: MessageSamples {
  static var catalogSamples: [(String, PHPhotosError)] {
    [("", PHPhotosError(SDKMessages.refusal)), ("", .sessionEnded), ("", .noSession)]
  }
}

extension LockedCameraCaptureSession.ApplicationLaunchError: CaseSamples {
  static var catalogSamples: [(String, Self)] {
    [
      ("unknown", .unknown), ("applicationNotFound", .applicationNotFound),
      ("authenticationFailed", .authenticationFailed),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unknown, .applicationNotFound, .authenticationFailed: true
    }
  }
}

extension ApplicationLaunchFailure: MessageSamples {
  static var catalogSamples: [(String, ApplicationLaunchFailure)] {
    [("", ApplicationLaunchFailure(SDKMessages.refusal)), ("", .sessionEnded)]
  }
}

extension LockedCameraCaptureError: MessageSamples {
  static var catalogSamples: [(String, LockedCameraCaptureError)] {
    [("", LockedCameraCaptureError(SDKMessages.refusal)), ("", .sessionEnded)]
  }
}

extension AppContextTooLarge: MessageSamples {
  static var catalogSamples: [(String, AppContextTooLarge)] {
    [("", AppContextTooLarge(bytes: 5000, limit: 4096))]
  }
}

extension JPEGEncodingError: MessageSamples {
  static var catalogSamples: [(String, JPEGEncodingError)] {
    [("", JPEGEncodingError(reason: "out of memory"))]
  }
}
