// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LockedCameraCapture
internal import UIKit

/// The JPEG and PNG files that views show, each of which is read once.
@MainActor
enum ImageFiles {
  private static var bitmaps: [String: Bitmap?] = [:]

  /// Returns the image of a file that was loaded, or `nil` if it could not be read.
  static func bitmap(_ name: String) -> Bitmap? { bitmaps[name] ?? nil }

  /// Reads a file of the bundle, unless it was read before.
  ///
  /// - Throws: ``ImageFileError``, at the first attempt only.
  static func load(_ name: String, in session: LockedCameraCaptureSession) throws {
    guard bitmaps[name] == nil else { return }
    bitmaps[name] = .some(nil)
    let hasExtension = [".png", ".jpg", ".jpeg"].contains { name.lowercased().hasSuffix($0) }
    let file = hasExtension ? name : "\(name).png"
    let path = session.bundleURL.appending(path: file, directoryHint: .notDirectory).path(
      percentEncoded: false
    )
    bitmaps[name] = .some(try read(path))
  }

  private static func read(_ path: String) throws(ImageFileError) -> Bitmap {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ImageFileError(path: path, reason: "the file cannot be read")
    }
    do { return Bitmap(try UIImage.decode([UInt8](data))) } catch {
      throw ImageFileError(path: path, reason: error.reason)
    }
  }
}

/// An image file that cannot be shown.
struct ImageFileError: Error, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String { "\(path): \(reason); add a JPEG or PNG file to the extension's bundle" }
}
