// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import PhotoLibrary

/// An asset of the library. In extensions of ``HostPhotos``, its own name is that of the public type.
typealias PhotoLibraryAsset = Asset

extension HostPhotos {
  /// A photo, video or other capture in the library.
  public struct Asset: Sendable, Hashable {
    /// The ID.
    public let id: String
    /// The display name.
    public let title: String
    /// The type: `image`, `video`, `audio` or `other`, derived from the file name.
    public let mediaType: String
    /// The path of the file.
    public let path: String
    /// The size of the file in bytes.
    public let bytes: Int64
    /// The time of the addition, in milliseconds since 1970.
    public let createdAt: Int64
    /// The ID of the app that added the asset.
    public let appID: String
    /// The ID of the session that added the asset, or `nil` if it was imported.
    public let session: String?

    /// Creates a description of an asset.
    init(_ asset: PhotoLibraryAsset, _ library: PhotoLibrary) {
      (id, title, mediaType) = (asset.id, asset.title, asset.mediaType.rawValue)
      (path, bytes, createdAt) = (library.filePath(asset), asset.bytes, asset.createdAt)
      (appID, session) = (asset.app, asset.session)
    }
  }

  /// The result of an addition of files.
  public struct Additions: Sendable, Hashable {
    /// The new assets.
    public let assets: [Asset]
    /// The files that were not added.
    public let failures: [Failure]

    /// A file that was not added.
    public struct Failure: Sendable, Hashable {
      /// The path.
      public let path: String
      /// The reason.
      public let error: HostError
    }
  }

  /// A difference between the index of the library and the file of an asset.
  public struct Discrepancy: Sendable, Hashable {
    /// The asset.
    public let asset: Asset
    /// Whether the file is missing. Otherwise it was changed after its addition.
    public let isMissing: Bool
  }
}

extension HostError {
  /// Creates an error from an error of the photo library.
  init(_ error: PhotoLibraryError) {
    let message = "\(error)"
    switch error {
    case .noSuchAsset, .unsuitableFile, .notOwn: self = .argument(Failure(message))
    case .noSpace: self = .insufficientSpace(Failure(message))
    case .system(let cause): self = .system(Failure(message, cause))
    case .noLocation, .notPrivate, .newerIndex, .notWriteAhead, .fileMissing, .database, .stopped:
      self = .store(Failure(message))
    }
  }
}
