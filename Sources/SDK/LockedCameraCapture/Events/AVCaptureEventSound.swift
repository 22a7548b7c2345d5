// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
public import FoundationEssentials
internal import LinuxPrimitives

/// A sound that is played for a capture event; Apple's.
public final class AVCaptureEventSound: Sendable {
  /// What the host is asked for.
  let sound: CaptureSound

  private init(_ sound: StandardSound) { self.sound = .standard(sound) }

  /// The sound of a file in the extension's bundle.
  ///
  /// It has to be a WAV file with plain samples: one or two channels of 8, 16, 24 or 32 bits, 8000 to 192000 times a second,
  /// at most 5 seconds and 4 MiB. The host reads it when it is to be played, for a player outside the sandbox is to be given
  /// nothing that has to be decoded; what it does not like it names in its log, and ``AVCaptureEvent/play(_:)`` is false.
  ///
  /// - Parameter url: The file, below ``LockedCameraCaptureSession/bundleURL``.
  /// - Throws: ``LockedCameraCaptureError`` with the code `invalidName` if it is no regular file below the bundle, or this
  ///   process is no capture extension.
  public init(url: URL) throws {
    guard let bundle = CurrentSession.session?.bundleURL.path(percentEncoded: false) else {
      throw LockedCameraCaptureError(
        .invalidName,
        "a sound belongs to a capture extension, and this process is none"
      )
    }
    let path = url.path(percentEncoded: false)
    guard url.isFileURL, path.hasPrefix(bundle), Self.isFile(path, in: bundle) else {
      throw LockedCameraCaptureError(
        .invalidName,
        "\(url) is no file in the extension's bundle, \(bundle); put the sound there and install the app anew"
      )
    }
    sound = .file(String(path.dropFirst(bundle.count)))
  }

  /// A picture was taken.
  public static let cameraShutter = AVCaptureEventSound(.cameraShutter)
  /// A film begins.
  public static let beginVideoRecording = AVCaptureEventSound(.beginVideoRecording)
  /// A film ends.
  public static let endVideoRecording = AVCaptureEventSound(.endVideoRecording)

  /// Whether a path is that of a file below a directory, without leading out of it meanwhile.
  private static func isFile(_ path: String, in directory: String) -> Bool {
    let parts = path.dropFirst(directory.count).split(separator: "/")
    guard !parts.isEmpty, !parts.contains(".."), let status = try? FileSystem.status(path) else {
      return false
    }
    return status.kind == .regular
  }
}
