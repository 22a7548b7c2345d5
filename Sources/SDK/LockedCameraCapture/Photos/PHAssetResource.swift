// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import LinuxPrimitives

/// A file of an asset, of which there is one here; Apple's class.
public final class PHAssetResource: Sendable {
  /// The type of the file.
  public let type: PHAssetResourceType
  /// The identifier of the asset.
  public let assetLocalIdentifier: String
  /// The name of the file to show to the user.
  public let originalFilename: String
  let asset: PHAsset

  private init(_ asset: PHAsset) {
    type =
      switch asset.mediaType {
      case .video: .video
      case .audio: .audio
      case .image, .unknown: .photo
      }
    assetLocalIdentifier = asset.localIdentifier
    originalFilename = asset.title
    self.asset = asset
  }

  /// Returns the only file of an asset, in an array.
  public class func assetResources(for asset: PHAsset) -> [PHAssetResource] { [PHAssetResource(asset)] }
}

/// The options for reading a file of an asset; Apple's class. Here files are never fetched over a network.
public final class PHAssetResourceRequestOptions {
  /// Whether the file may be fetched over a network; ignored.
  public var isNetworkAccessAllowed = false

  /// Creates the default options.
  public init() {}
}

/// Access to the files of assets; Apple's class.
public final class PHAssetResourceManager: Sendable {
  private static let sharedManager = PHAssetResourceManager()

  private init() {}

  /// Returns the shared manager.
  public class func `default`() -> PHAssetResourceManager { sharedManager }

  /// Copies the file of an asset to a new file.
  ///
  /// - Parameters:
  ///   - resource: The file of the asset.
  ///   - fileURL: The URL of the new file.
  ///   - options: Ignored.
  /// - Throws: ``PHPhotosError`` if the asset was removed or may not be read while the screen is locked, if a
  ///   file already exists at `fileURL`, or if the new file cannot be written.
  nonisolated(nonsending) public func writeData(
    for resource: PHAssetResource,
    toFile fileURL: URL,
    options: PHAssetResourceRequestOptions?
  ) async throws {
    let source = try await resource.asset.fileURL().path(percentEncoded: false)
    let target = fileURL.path(percentEncoded: false)
    do { try FileSystem.copyFile(source, to: target, mode: 0o600) } catch {
      let code: PHPhotosError.Code = error.errno.isOutOfSpace ? .notEnoughSpace : .invalidResource
      throw PHPhotosError(code, "the asset was not copied to \(target): \(error)")
    }
  }

  /// Copies the file of an asset to a new file, and calls `completionHandler` with the error or `nil`.
  ///
  /// The handler is called in a task that is not isolated to an actor.
  public func writeData(
    for resource: PHAssetResource,
    toFile fileURL: URL,
    options: PHAssetResourceRequestOptions?,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    Task {
      do {
        try await writeData(for: resource, toFile: fileURL, options: nil)
        completionHandler(nil)
      } catch { completionHandler(error) }
    }
  }
}
