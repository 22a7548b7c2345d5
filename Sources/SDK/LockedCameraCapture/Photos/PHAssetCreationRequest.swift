// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
public import FoundationEssentials
internal import LinuxPrimitives

/// The type of a file of an asset; Apple's names and raw values.
public enum PHAssetResourceType: Int, Sendable {
  /// A photo.
  case photo = 1
  /// A video.
  case video = 2
  /// A sound recording.
  case audio = 3
  /// An alternate format of a photo, for example raw; here it is a separate asset.
  case alternatePhoto = 4
  /// The video of a live photo; here it is a separate asset.
  case pairedVideo = 9

  var mediaType: PhotoMediaType {
    switch self {
    case .photo, .alternatePhoto: .image
    case .video, .pairedVideo: .video
    case .audio: .audio
    }
  }
}

/// The options for adding a file; Apple's class.
public final class PHAssetResourceCreationOptions {
  /// The title to show to the user, or `nil` to use the file name.
  public var originalFilename: String?
  /// Whether the original file is removed.
  public var shouldMoveFile = false

  /// Creates the default options.
  public init() {}
}

/// The future identifier of an asset that is being added; Apple's class.
public final class PHObjectPlaceholder {
  private let request: PHAssetCreationRequest

  init(_ request: PHAssetCreationRequest) { self.request = request }

  /// The identifier of the asset.
  ///
  /// The library assigns it when the file is added. Reading it in the change block therefore adds the file
  /// immediately, on any thread; an error is thrown by ``PHPhotoLibrary/performChanges(_:)``. The value is
  /// empty if the file could not be added.
  public var localIdentifier: String { request.identifier }
}

/// A request to change an asset or to add one; Apple's class.
public class PHAssetChangeRequest {
  init() {}

  /// Requests to add a photo.
  ///
  /// - Parameter fileURL: The file.
  /// - Returns: The request; never `nil`, because errors are thrown by ``PHPhotoLibrary/performChanges(_:)``.
  @discardableResult
  public class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> PHAssetCreationRequest? {
    let request = PHAssetCreationRequest.forAsset()
    request.addResource(with: .photo, fileURL: fileURL, options: nil)
    return request
  }

  /// Requests to add a video.
  ///
  /// - Parameter fileURL: The file.
  /// - Returns: The request; never `nil`, because errors are thrown by ``PHPhotoLibrary/performChanges(_:)``.
  @discardableResult
  public class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> PHAssetCreationRequest? {
    let request = PHAssetCreationRequest.forAsset()
    request.addResource(with: .video, fileURL: fileURL, options: nil)
    return request
  }

  /// Requests to delete assets. While the screen is locked, only assets of this session can be deleted.
  public class func deleteAssets(_ assets: some Sequence<PHAsset>) {
    let changes = PhotoChanges.required("PHAssetChangeRequest.deleteAssets(_:)")
    changes.list.append(.delete(assets.map(\.localIdentifier)))
  }

  /// Requests to delete the assets in a collection of objects, such as an `NSArray`.
  public class func deleteAssets<Objects: Sequence>(_ assets: Objects) where Objects.Element == Any {
    deleteAssets(assets.compactMap { $0 as? PHAsset })
  }
}

/// A request to add an asset; Apple's class.
///
/// Here an asset has one file. A raw photo and its JPEG are therefore two assets; the placeholder identifies
/// the asset of the file that was added to the request first.
public final class PHAssetCreationRequest: PHAssetChangeRequest {
  /// The source of a file's contents.
  fileprivate enum Source {
    case data(Data)
    case file(URL)
  }

  /// A file of the asset.
  struct Resource {
    let type: PHAssetResourceType
    fileprivate let source: Source
    let title: String?
    let isMoved: Bool
  }

  private let changes: PhotoChanges
  /// The files, each of which becomes an asset.
  private(set) var resources: [Resource] = []
  /// The creation time, or `nil` for the current time.
  ///
  /// Set it before the identifier of the placeholder is read.
  public var creationDate: Date?
  /// The new asset, or `nil` until the library has added the file.
  var asset: PhotoAsset?
  /// The error of adding the file when the identifier was read.
  private var error: (any Error)?

  private init(_ changes: PhotoChanges) {
    self.changes = changes
    super.init()
  }

  /// Creates a request for an asset; call it only in the block of ``PHPhotoLibrary/performChanges(_:)``.
  ///
  /// In any other place, the process is terminated.
  @discardableResult
  public class func forAsset() -> PHAssetCreationRequest {
    let changes = PhotoChanges.required("PHAssetCreationRequest.forAsset()")
    let request = PHAssetCreationRequest(changes)
    changes.list.append(.add(request))
    return request
  }

  /// Adds a file to the asset.
  ///
  /// A file in the session content directory is added directly, and also stays there unless `options` request
  /// a move. Any other file is copied through that directory.
  ///
  /// - Parameters:
  ///   - type: The type of the file.
  ///   - fileURL: The file.
  ///   - options: The options, or `nil` for the defaults.
  public func addResource(
    with type: PHAssetResourceType,
    fileURL: URL,
    options: PHAssetResourceCreationOptions?
  ) {
    add(type, .file(fileURL), options)
  }

  /// Adds data to the asset, through a file in the session content directory.
  ///
  /// - Parameters:
  ///   - type: The type of the data.
  ///   - data: The data.
  ///   - options: The options, or `nil` for the defaults.
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

  /// The placeholder that identifies the new asset.
  public var placeholderForCreatedAsset: PHObjectPlaceholder? { PHObjectPlaceholder(self) }

  /// The identifier of the asset; adds the file now if possible.
  fileprivate var identifier: String {
    if asset == nil, error == nil, changes.isOpen {
      let session = changes.session
      // No other thread uses the request meanwhile: this thread is in the change block and waits.
      nonisolated(unsafe) let request = self
      MainThread.run {
        do { try request.add(session) } catch { request.error = error }
      }
    }
    return asset?.id ?? ""
  }

  /// Adds the files, and blocks until the host has replied.
  @MainActor
  func add(_ session: LockedCameraCaptureSession) throws {
    try check()
    for resource in resources {
      let staged = try stage(resource, in: session)
      do {
        let added = try session.runtime.photoRequestAndWait(.add(staged.addition), PhotoAddResult.self).asset
        staged.commit()
        asset = asset ?? added
      } catch {
        staged.discard()
        throw error
      }
    }
  }

  /// Throws an error if the request is invalid, independent of the library.
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
        "the new asset has two files that are not forms of the same photo or video; create a request for each file"
      )
    }
  }

  /// Prepares a file for the host in the session content directory.
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
