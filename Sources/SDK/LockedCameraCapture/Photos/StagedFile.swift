// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import FoundationEssentials
internal import LinuxPrimitives

/// A file in the session's content directory on its way into the photo library.
struct StagedFile {
  /// What the host is asked for.
  var addition: PhotoAddition
  /// The directory that was made for it; nil if it was there already.
  private let directory: String?
  /// The file that is given up when the library has it.
  private let original: String?

  /// Takes a file as it is, or copies it into the content directory if it is elsewhere.
  init(
    _ session: LockedCameraCaptureSession,
    _ url: URL,
    title: String?,
    _ media: PhotoMediaType,
    isMoved: Bool
  ) throws {
    let path = url.path(percentEncoded: false)
    let content = session.sessionContentURL.path(percentEncoded: false)
    if path.hasPrefix(content) {
      let relative = String(path.dropFirst(content.count))
      addition = PhotoAddition(path: relative, title: title, mediaType: media, move: isMoved)
      (directory, original) = (nil, nil)
      return
    }
    let name = url.lastPathComponent
    (addition, directory) = try Self.stage(session, name: name, title: title, media) {
      target throws(SystemCallError) in
      try FileSystem.copyFile(path, to: target, mode: 0o600)
    }
    original = isMoved ? path : nil
  }

  /// Writes bytes into the content directory.
  init(_ session: LockedCameraCaptureSession, _ bytes: [UInt8], title: String?, _ media: PhotoMediaType)
    throws
  {
    let name = "asset.\(Self.suffix(media))"
    (addition, directory) = try Self.stage(session, name: name, title: title, media) {
      target throws(SystemCallError) in
      try FileSystem.replaceContents(target, with: bytes)
    }
    original = nil
  }

  /// Removes what is left when the library has the file.
  func succeed() {
    fail()
    if let original { try? FileSystem.unlink(original) }
  }

  /// Removes what is left when the library does not want the file.
  func fail() {
    if let directory { try? FileSystem.removeTree(directory) }
  }

  /// In a directory of its own, so that the name stays what it is; a crash leaves it to the app, as any capture.
  private static func stage(
    _ session: LockedCameraCaptureSession,
    name: String,
    title: String?,
    _ media: PhotoMediaType,
    write: (String) throws(SystemCallError) -> Void
  ) throws -> (PhotoAddition, String) {
    let folder = "photos-\(Randomness.hexadecimal(bytes: 8))"
    let directory = session.sessionContentURL.path(percentEncoded: false) + folder
    do throws(SystemCallError) {
      try FileSystem.makeDirectory(directory)
      try write("\(directory)/\(name)")
    } catch {
      try? FileSystem.removeTree(directory)
      let isFull = error.errno.isFull
      throw PHPhotosError(
        isFull ? .notEnoughSpace : .invalidResource,
        "the new asset was not copied into the session's content directory: \(error)"
      )
    }
    return (PhotoAddition(path: "\(folder)/\(name)", title: title, mediaType: media, move: true), directory)
  }

  private static func suffix(_ media: PhotoMediaType) -> String {
    switch media {
    case .image: "jpg"
    case .video: "mkv"
    case .audio: "wav"
    case .other: "bin"
    }
  }
}
