// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import LockedCameraCapture

/// The directory in which the camera stores its photos.
///
/// In the extension, the directory is the session content directory, the only one that outlives the session. In
/// the app, it is a directory of the app's library.
public struct PhotoStorage: Sendable {
  /// The directory.
  public let directory: URL

  /// Creates a storage in any directory.
  public init(directory: URL) { self.directory = directory }

  /// Creates the storage of a session.
  public init(_ session: LockedCameraCaptureSession) { directory = session.sessionContentURL }

  /// The names of the photos in ascending order of their numbers.
  ///
  /// - Throws: The error of Foundation if the directory cannot be read.
  public var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false))
        .compactMap { name in Self.number(of: name).map { (number: $0, name: name) } }
        .sorted { $0.number < $1.number }
        .map(\.name)
    }
  }

  /// Writes a photo to a file, which is complete or does not exist.
  ///
  /// - Parameters:
  ///   - data: The JPEG file.
  ///   - number: The number of the photo, from 1; a photo with the same number is replaced.
  /// - Returns: The name of the file.
  /// - Throws: The error of Foundation if the file cannot be written.
  @discardableResult
  public func save(_ data: Data, number: Int) throws -> String {
    let name = "photo-\(number).jpg"
    try data.write(to: directory.appending(path: name), options: .atomic)
    return name
  }

  /// Copies all photos of another storage.
  ///
  /// - Returns: The number of photos.
  /// - Throws: The error of Foundation if a file cannot be read or written.
  public func copyPhotos(from other: PhotoStorage) throws -> Int {
    let names = try other.names
    for name in names {
      try FileManager.default.copyItem(
        at: other.directory.appending(path: name),
        to: directory.appending(path: name)
      )
    }
    return names.count
  }

  /// Returns the number of a photo, or `nil` if the file has another name.
  private static func number(of name: String) -> Int? {
    guard name.hasPrefix("photo-"), name.hasSuffix(".jpg") else { return nil }
    return Int(name.dropFirst(6).dropLast(4))
  }
}
