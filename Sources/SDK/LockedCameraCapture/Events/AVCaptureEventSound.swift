// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
public import FoundationEssentials
internal import LinuxPrimitives

/// A sound for a capture event; Apple's class.
public final class AVCaptureEventSound: Sendable {
  /// The sound as it is requested from the host.
  let sound: CaptureSound

  private init(_ sound: StandardSound) { self.sound = .standard(sound) }

  /// Creates the sound of a file in the extension's bundle.
  ///
  /// The file must be a WAV file with PCM samples: one or two channels of 8, 16, 24 or 32 bits, 8000 to
  /// 192000 Hz, at most 5 seconds and 4 MiB. The host reads the file when the sound is played, because the
  /// player runs outside the sandbox and must not decode untrusted data. If the file is invalid, the log of
  /// the host contains the reason, and ``AVCaptureEvent/play(_:)`` returns `false`.
  ///
  /// - Parameter url: The file, below ``LockedCameraCaptureSession/bundleURL``.
  /// - Throws: ``LockedCameraCaptureError`` with the code `invalidName` if the URL does not refer to a
  ///   regular file below the bundle, or if this process is not a capture extension.
  public init(url: URL) throws {
    guard let bundle = CurrentSession.session?.bundleURL.path(percentEncoded: false) else {
      throw LockedCameraCaptureError(
        .invalidName,
        "sounds are available only in a capture extension"
      )
    }
    let path = url.path(percentEncoded: false)
    guard url.isFileURL, path.hasPrefix(bundle), Self.isRegularFile(path, in: bundle) else {
      throw LockedCameraCaptureError(
        .invalidName,
        "\(url) is not a regular file in the extension's bundle, \(bundle); add the sound and install the app again"
      )
    }
    sound = .file(String(path.dropFirst(bundle.count)))
  }

  /// The shutter sound of a photo.
  public static let cameraShutter = AVCaptureEventSound(.cameraShutter)
  /// The sound at the start of a video recording.
  public static let beginVideoRecording = AVCaptureEventSound(.beginVideoRecording)
  /// The sound at the end of a video recording.
  public static let endVideoRecording = AVCaptureEventSound(.endVideoRecording)

  /// Returns whether a path refers to a regular file below a directory and contains no `..`.
  private static func isRegularFile(_ path: String, in directory: String) -> Bool {
    let parts = path.dropFirst(directory.count).split(separator: "/")
    guard !parts.isEmpty, !parts.contains(".."), let status = try? FileSystem.status(path) else {
      return false
    }
    return status.kind == .regular
  }
}
