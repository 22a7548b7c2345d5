// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import FoundationEssentials
internal import LinuxPrimitives

/// A file in the session content directory that is being added to the photo library.
struct StagedFile {
  /// The request to the host.
  var addition: PhotoAddition
  /// The directory that was created for the file, or `nil` if the file was in the content directory already.
  private let directory: String?
  /// The original file, which is removed after the library has added the copy, or `nil` to keep it.
  private let original: String?

  /// Uses a file in the content directory directly, or copies another file there.
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

  /// Removes the copy and the original after the library has added the file.
  func commit() {
    discard()
    if let original { try? FileSystem.unlink(original) }
  }

  /// Removes the copy after the library has rejected the file.
  func discard() {
    if let directory { try? FileSystem.removeTree(directory) }
  }

  /// Writes a file into a new directory, so that its name is preserved.
  ///
  /// After a crash, the file is migrated to the app like any capture.
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
      let isFull = error.errno.isOutOfSpace
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
