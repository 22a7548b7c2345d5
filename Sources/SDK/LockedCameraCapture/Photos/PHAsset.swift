// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
public import FoundationEssentials

/// The media type of an asset; Apple's cases and raw values.
public enum PHAssetMediaType: Int, Sendable {
  /// Another type.
  case unknown = 0
  /// A photo.
  case image = 1
  /// A video.
  case video = 2
  /// A sound recording.
  case audio = 3

  init(_ type: PhotoMediaType) {
    self =
      switch type {
      case .image: .image
      case .video: .video
      case .audio: .audio
      case .other: .unknown
      }
  }
}

/// An asset in the photo library, as it was when it was fetched; Apple's class.
public final class PHAsset: Sendable, Hashable, CustomStringConvertible {
  /// The identifier of the asset, which never changes.
  public let localIdentifier: String
  /// The media type.
  public let mediaType: PHAssetMediaType
  /// The creation time.
  public let creationDate: Date?
  /// The title to show to the user.
  public let title: String
  /// The size in bytes.
  public let byteCount: Int
  /// Whether this session has added the asset.
  public let isOfThisSession: Bool

  init(_ asset: PhotoAsset) {
    localIdentifier = asset.id
    mediaType = PHAssetMediaType(asset.mediaType)
    creationDate = Date(timeIntervalSince1970: Double(asset.createdAt) / 1000)
    title = asset.title
    byteCount = Int(asset.bytes)
    isOfThisSession = asset.ownSession
  }

  /// Returns whether both are the same asset in the library.
  public static func == (left: PHAsset, right: PHAsset) -> Bool {
    left.localIdentifier == right.localIdentifier
  }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(localIdentifier) }

  /// The title and the identifier.
  public var description: String { "\(title) (\(localIdentifier))" }

  /// Requests the file of the asset for reading; Apple's framework has image managers instead.
  ///
  /// The file is readable until access to the asset ends.
  ///
  /// - Returns: The URL of the file, in a read-only directory.
  /// - Throws: ``PHPhotosError`` if the asset was removed or may not be read while the screen is locked.
  nonisolated(nonsending) public func fileURL() async throws -> URL {
    guard let session = CurrentSession.session else { throw PHPhotosError.noSession }
    let result = try await session.runtime.photoRequest(.open(asset: localIdentifier), PhotoOpenResult.self)
    if result.path.hasPrefix("/") { return URL(filePath: result.path, directoryHint: .notDirectory) }
    let library = URL(filePath: await session.runtime.libraryDirectory, directoryHint: .isDirectory)
    return library.appending(path: result.path, directoryHint: .notDirectory)
  }
}

extension PHAsset {
  /// Returns the accessible assets, newest first; while the screen is locked, only those that this session
  /// has added.
  ///
  /// The call may be made on any thread. It blocks until the host has replied, and uses the main thread for
  /// the request.
  ///
  /// - Parameter options: The limit and the order, or `nil` for all assets, newest first.
  /// - Returns: The assets; empty if reading is not permitted. Other errors are logged.
  public class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    fetch(options) { _ in true }
  }

  /// Returns the accessible assets of one media type; see ``fetchAssets(with:)-(PHFetchOptions?)``.
  public class func fetchAssets(
    with mediaType: PHAssetMediaType,
    options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    fetch(options) { $0.mediaType == mediaType }
  }

  /// Returns the accessible assets with the given identifiers; see ``fetchAssets(with:)-(PHFetchOptions?)``.
  public class func fetchAssets(
    withLocalIdentifiers identifiers: [String],
    options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    let wanted = Set(identifiers)
    return fetch(options) { wanted.contains($0.localIdentifier) }
  }

  private class func fetch(
    _ options: PHFetchOptions?,
    _ isWanted: @escaping @Sendable (PHAsset) -> Bool
  ) -> PHFetchResult<PHAsset> {
    guard let session = CurrentSession.session else { return PHFetchResult { [] } }
    let limit = options.map { $0.fetchLimit > 0 ? $0.fetchLimit : .max } ?? .max
    let order = options?.sortDescriptors ?? []
    return PHFetchResult {
      // With another order than the host's, the first assets are known only after all are fetched.
      let needed = order.isEmpty ? limit : .max
      let found = MainThread.run { session.runtime.assets(limit: needed, isWanted) }
      return order.isEmpty ? found : Array(sorted(found, by: order).prefix(limit))
    }
  }

  /// Returns the assets sorted by `order`, most significant comparator first.
  private class func sorted(_ assets: [PHAsset], by order: [any SortComparator<PHAsset>]) -> [PHAsset] {
    assets.sorted { first, second in
      for descriptor in order {
        let result = descriptor.compare(first, second)
        if result != .orderedSame { return result == .orderedAscending }
      }
      return false
    }
  }
}

extension SessionRuntime {
  /// The directory in which files of the library appear.
  var libraryDirectory: String { connection.start.directories.library }

  /// The maximum number of assets in a page. A host of an earlier release exceeds the maximum length of a line with the
  /// maximum of the protocol and long titles.
  private static var assetsPerPage: Int { ProtocolLimits.assetsPerList / 2 }

  /// Returns the accessible assets for which `isWanted` is true, page by page.
  fileprivate func assets(limit: Int, _ isWanted: (PHAsset) -> Bool) -> [PHAsset] {
    var found: [PHAsset] = []
    var seen: Set<String> = []
    var after: String?
    do {
      while found.count < limit {
        let request = PhotoRequest.list(after: after, limit: Self.assetsPerPage)
        let page = try photoRequestAndWait(request, PhotoListResult.self)
        for asset in page.assets where seen.insert(asset.id).inserted {
          let asset = PHAsset(asset)
          if isWanted(asset), found.count < limit { found.append(asset) }
        }
        // Protects against a host whose list never ends or starts again.
        guard let next = page.next, next != after, !page.assets.isEmpty else { break }
        after = next
      }
    } catch let error as PHPhotosError where error.code == .accessUserDenied {
      return []
    } catch {
      report(error)
    }
    return found
  }
}
