// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import LinuxPrimitives

/// A file of an asset, of which there is one here; Apple's name.
public final class PHAssetResource: Sendable {
  /// What the file is.
  public let type: PHAssetResourceType
  /// The asset's identifier.
  public let assetLocalIdentifier: String
  /// What people call the file.
  public let originalFilename: String
  /// The asset.
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

  /// The files of an asset: one.
  public class func assetResources(for asset: PHAsset) -> [PHAssetResource] { [PHAssetResource(asset)] }
}

/// How a file of an asset is read; Apple's name. Nothing comes over a network here.
public final class PHAssetResourceRequestOptions {
  /// Whether the file may be fetched over a network; it never is.
  public var isNetworkAccessAllowed = false

  /// Makes options that say nothing.
  public init() {}
}

/// Reads the files of assets; Apple's name.
public final class PHAssetResourceManager: Sendable {
  private static let only = PHAssetResourceManager()

  private init() {}

  /// The one manager.
  public class func `default`() -> PHAssetResourceManager { only }

  /// Copies the file of an asset to a place where nothing is yet.
  ///
  /// - Throws: ``PHPhotosError``: the asset is gone or may not be read while the machine is locked, there is something
  ///   at the place already, or nothing can be written there.
  nonisolated(nonsending) public func writeData(
    for resource: PHAssetResource,
    toFile fileURL: URL,
    options: PHAssetResourceRequestOptions?
  ) async throws {
    let source = try await resource.asset.fileURL().path(percentEncoded: false)
    let target = fileURL.path(percentEncoded: false)
    do { try FileSystem.copyFile(source, to: target, mode: 0o600) } catch {
      let code: PHPhotosError.Code = error.errno.isFull ? .notEnoughSpace : .invalidResource
      throw PHPhotosError(code, "the asset was not copied to \(target): \(error)")
    }
  }

  /// Copies the file of an asset to a place where nothing is yet, and calls `completionHandler` with what went wrong.
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
