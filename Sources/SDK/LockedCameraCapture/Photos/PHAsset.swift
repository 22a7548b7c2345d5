// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
public import FoundationEssentials

/// What an asset is; Apple's cases and numbers.
public enum PHAssetMediaType: Int, Sendable {
  /// Something else.
  case unknown = 0
  /// A picture.
  case image = 1
  /// A film.
  case video = 2
  /// A sound.
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

/// One thing in the photo library, as it was when it was fetched; Apple's name.
public final class PHAsset: Sendable, Hashable, CustomStringConvertible {
  /// What it is called by programs; it never changes.
  public let localIdentifier: String
  /// What it is.
  public let mediaType: PHAssetMediaType
  /// When it was made.
  public let creationDate: Date?
  /// What people call it.
  public let title: String
  /// Its size in bytes.
  public let byteCount: Int
  /// Whether this session has added it.
  public let isOfThisSession: Bool

  init(_ asset: PhotoAsset) {
    localIdentifier = asset.id
    mediaType = PHAssetMediaType(asset.mediaType)
    creationDate = Date(timeIntervalSince1970: Double(asset.createdAt) / 1000)
    title = asset.title
    byteCount = Int(asset.bytes)
    isOfThisSession = asset.ownSession
  }

  /// Whether both are the same thing in the library.
  public static func == (left: PHAsset, right: PHAsset) -> Bool {
    left.localIdentifier == right.localIdentifier
  }

  /// Adds the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(localIdentifier) }

  /// The title and the identifier.
  public var description: String { "\(title) (\(localIdentifier))" }

  /// Asks for the file, which may be read until the asset may not be any more; Apple's framework has image managers.
  ///
  /// - Returns: Where the file is, in a directory that cannot be written to.
  /// - Throws: ``PHPhotosError``: the asset is gone, or may not be read while the machine is locked.
  nonisolated(nonsending) public func fileURL() async throws -> URL {
    guard let session = CurrentSession.session else { throw PHPhotosError.noSession }
    let result = try await session.runtime.photoRequest(.open(asset: localIdentifier), PhotoOpenResult.self)
    if result.path.hasPrefix("/") { return URL(filePath: result.path, directoryHint: .notDirectory) }
    let library = URL(filePath: await session.runtime.libraryDirectory, directoryHint: .isDirectory)
    return library.appending(path: result.path, directoryHint: .notDirectory)
  }
}

extension PHAsset {
  /// The assets that may be seen, newest first: while the machine is locked only those that this session has added.
  ///
  /// It waits for the host, in any thread, which is asked in the main one. The result is empty if reading is not allowed, and what else the host says goes to the log.
  public class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    fetch(options) { _ in true }
  }

  /// The assets of one kind that may be seen; see ``fetchAssets(with:)-(PHFetchOptions?)``.
  public class func fetchAssets(
    with mediaType: PHAssetMediaType,
    options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    fetch(options) { $0.mediaType == mediaType }
  }

  /// Those of the assets with these identifiers that may be seen; see ``fetchAssets(with:)-(PHFetchOptions?)``.
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
      // Which are the first of another order than the host's is known when all are there.
      let needed = order.isEmpty ? limit : .max
      let found = MainThread.run { session.runtime.assets(limit: needed, isWanted) }
      return order.isEmpty ? found : Array(sorted(found, by: order).prefix(limit))
    }
  }

  /// Puts assets into an order, by what counts first.
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
  /// Where files of the library appear.
  var libraryDirectory: String { connection.start.libraryDirectory }

  /// The assets that may be seen and are wanted, from one page after the other.
  fileprivate func assets(limit: Int, _ isWanted: (PHAsset) -> Bool) -> [PHAsset] {
    var found: [PHAsset] = []
    var seen: Set<String> = []
    var after: String?
    do {
      while found.count < limit {
        let request = PhotoRequest.list(after: after, limit: ProtocolLimits.assetsPerList)
        let page = try photoRequestNow(request, PhotoListResult.self)
        for asset in page.assets where seen.insert(asset.id).inserted {
          let asset = PHAsset(asset)
          if isWanted(asset), found.count < limit { found.append(asset) }
        }
        // A host that never ends its list, or begins it again, is not followed for ever.
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
