// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
public import FoundationEssentials
internal import LinuxPrimitives

/// What a file of an asset is; Apple's names and numbers.
public enum PHAssetResourceType: Int, Sendable {
  /// A picture.
  case photo = 1
  /// A film.
  case video = 2
  /// A sound.
  case audio = 3
  /// The same picture in another format, for example raw; here it is an asset of its own.
  case alternatePhoto = 4
  /// The film of a moving picture; here it is an asset of its own.
  case pairedVideo = 9

  var mediaType: PhotoMediaType {
    switch self {
    case .photo, .alternatePhoto: .image
    case .video, .pairedVideo: .video
    case .audio: .audio
    }
  }
}

/// How a file is added; Apple's names.
public final class PHAssetResourceCreationOptions {
  /// What people shall call it; nil: its name.
  public var originalFilename: String?
  /// Whether the file leaves where it was.
  public var shouldMoveFile = false

  /// Makes options that say nothing.
  public init() {}
}

/// What an asset will be called that is being added; Apple's name.
public final class PHObjectPlaceholder {
  private let request: PHAssetCreationRequest

  init(_ request: PHAssetCreationRequest) { self.request = request }

  /// The identifier of the asset.
  ///
  /// The library gives it when it takes the file. If this is read in the change block, in any thread, the file is
  /// therefore added at that moment, and an error is thrown by ``PHPhotoLibrary/performChanges(_:)``. If adding has
  /// failed, it is empty.
  public var localIdentifier: String { request.identifier }
}

/// A change to an asset, or a new one; Apple's name.
public class PHAssetChangeRequest {
  init() {}

  /// Adds a picture; nil never, errors are thrown by ``PHPhotoLibrary/performChanges(_:)``.
  @discardableResult
  public class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> PHAssetCreationRequest? {
    let request = PHAssetCreationRequest.forAsset()
    request.addResource(with: .photo, fileURL: fileURL, options: nil)
    return request
  }

  /// Adds a film; nil never, errors are thrown by ``PHPhotoLibrary/performChanges(_:)``.
  @discardableResult
  public class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> PHAssetCreationRequest? {
    let request = PHAssetCreationRequest.forAsset()
    request.addResource(with: .video, fileURL: fileURL, options: nil)
    return request
  }

  /// Deletes assets. While the machine is locked, those of this session can be deleted.
  public class func deleteAssets(_ assets: some Sequence<PHAsset>) {
    let changes = PhotoChanges.required("PHAssetChangeRequest.deleteAssets(_:)")
    changes.list.append(.delete(assets.map(\.localIdentifier)))
  }

  /// Deletes the assets among some objects, such as those of an `NSArray`.
  public class func deleteAssets<Objects: Sequence>(_ assets: Objects) where Objects.Element == Any {
    deleteAssets(assets.compactMap { $0 as? PHAsset })
  }
}

/// A new asset; Apple's name.
///
/// An asset has one file here: a raw picture and its JPEG are two assets, of which the placeholder names that of the file
/// that was added to the request first.
public final class PHAssetCreationRequest: PHAssetChangeRequest {
  /// Where the bytes are.
  fileprivate enum Source {
    case data(Data)
    case file(URL)
  }

  /// One file of the asset.
  struct Resource {
    let type: PHAssetResourceType
    fileprivate let source: Source
    let title: String?
    let isMoved: Bool
  }

  private let changes: PhotoChanges
  /// The files, each of which becomes an asset.
  private(set) var resources: [Resource] = []
  /// When it was made; nil: now. It has to be set before the placeholder's identifier is read.
  public var creationDate: Date?
  /// What has become of the request; nil until the library has taken the file.
  var asset: PhotoAsset?
  /// Why the library has not taken it when its identifier was asked for.
  private var error: (any Error)?

  private init(_ changes: PhotoChanges) {
    self.changes = changes
    super.init()
  }

  /// Makes a request for an asset; only in the block of ``PHPhotoLibrary/performChanges(_:)``.
  @discardableResult
  public class func forAsset() -> PHAssetCreationRequest {
    let changes = PhotoChanges.required("PHAssetCreationRequest.forAsset()")
    let request = PHAssetCreationRequest(changes)
    changes.list.append(.add(request))
    return request
  }

  /// Says which file the asset is made of.
  ///
  /// One in the session's content directory is taken where it is. It stays there as well, unless the options say that it
  /// is moved. One that is elsewhere is copied through that directory.
  public func addResource(
    with type: PHAssetResourceType,
    fileURL: URL,
    options: PHAssetResourceCreationOptions?
  ) {
    add(type, .file(fileURL), options)
  }

  /// Says which bytes the asset is made of; they go through a file in the session's content directory.
  public func addResource(
    with type: PHAssetResourceType,
    data: Data,
    options: PHAssetResourceCreationOptions?
  ) {
    add(type, .data(data), options)
  }

  private func add(_ type: PHAssetResourceType, _ source: Source, _ options: PHAssetResourceCreationOptions?)
  {
    resources.append(
      Resource(
        type: type,
        source: source,
        title: options?.originalFilename,
        isMoved: options?.shouldMoveFile ?? false
      )
    )
  }

  /// What the asset will be called.
  public var placeholderForCreatedAsset: PHObjectPlaceholder? { PHObjectPlaceholder(self) }

  /// The identifier of the asset; adds it now if that is possible.
  fileprivate var identifier: String {
    if asset == nil, error == nil, changes.isOpen {
      let session = changes.session
      // The request is used in no other thread meanwhile: this one is in the middle of its change block, and waits.
      nonisolated(unsafe) let request = self
      MainThread.run {
        do { try request.add(session) } catch { request.error = error }
      }
    }
    return asset?.id ?? ""
  }

  /// Adds the files, and waits.
  @MainActor
  func add(_ session: LockedCameraCaptureSession) throws {
    try check()
    for resource in resources {
      let staged = try stage(resource, in: session)
      do {
        let added = try session.runtime.photoRequestNow(.add(staged.addition), PhotoAddResult.self).asset
        staged.succeed()
        asset = asset ?? added
      } catch {
        staged.fail()
        throw error
      }
    }
  }

  /// Throws if the request cannot be fulfilled, whatever the library says.
  func check() throws {
    if let error { throw error }
    guard !resources.isEmpty else {
      throw PHPhotosError(
        .missingResource,
        "the new asset has no file; call addResource(with:fileURL:options:)"
      )
    }
    guard resources.dropFirst().allSatisfy({ $0.type == .alternatePhoto || $0.type == .pairedVideo }) else {
      throw PHPhotosError(
        .invalidResource,
        "the new asset has two files that are not the same in another form; make a request for each"
      )
    }
  }

  /// Puts a file where the host takes it.
  func stage(_ resource: Resource, in session: LockedCameraCaptureSession) throws -> StagedFile {
    let media = resource.type.mediaType
    var staged =
      switch resource.source {
      case .data(let data): try StagedFile(session, Array(data), title: resource.title, media)
      case .file(let url):
        try StagedFile(session, url, title: resource.title, media, isMoved: resource.isMoved)
      }
    staged.addition.createdAt = creationDate.map { date in
      let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
      let (first, last) = (PhotoAddition.times.lowerBound, PhotoAddition.times.upperBound)
      return Int64(max(Double(first), min(Double(last), milliseconds)))
    }
    return staged
  }
}
