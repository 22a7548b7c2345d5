// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import FoundationEssentials
import LinuxPrimitives
import LockedCameraCapture
import Testing

/// A comparator that orders assets by title.
private struct TitleComparator: SortComparator {
  var order = SortOrder.forward

  func compare(_ first: PHAsset, _ second: PHAsset) -> ComparisonResult {
    if first.title == second.title { return .orderedSame }
    return first.title < second.title ? .orderedAscending : .orderedDescending
  }
}

/// A gallery that shows the fetched assets and follows their changes.
@MainActor
private final class Gallery: PHPhotoLibraryChangeObserver {
  var shown = PHAsset.fetchAssets(with: nil)
  var changes: [String] = []

  nonisolated func photoLibraryDidChange(_ changeInstance: PHChange) {
    MainActor.assumeIsolated { follow(changeInstance) }
  }

  private func follow(_ change: PHChange) {
    guard let details = change.changeDetails(for: shown) else { return changes.append("nothing") }
    shown = details.fetchResultAfterChanges
    let lists = [details.insertedObjects, details.removedObjects, Array(shown)]
    let words = lists.map { $0.map(\.localIdentifier).joined() }
    changes.append("came \(words[0]), gone \(words[1]), now \(words[2])")
  }
}

extension CurrentSessionTests {
  /// The photo library API in the way that code for Apple platforms uses it.
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct PhotoKitCompatibilityTests {
    let directory: TemporaryDirectory
    let outside: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
      outside = try TemporaryDirectory()
    }

    private nonisolated static func asset(_ id: String, title: String = "Title") -> PhotoAsset {
      PhotoAsset(
        id: id,
        title: title,
        mediaType: .image,
        bytes: 3,
        createdAt: 1_750_000_000_500,
        session: nil,
        ownSession: true
      )
    }

    /// Receives a request to add an asset, and replies with an asset ID.
    private nonisolated static func answerAddition(_ host: FakeHost, as asset: String) throws -> PhotoAddition
    {
      let (id, request) = try host.receiveRequest()
      guard case .photos(.add(let addition)) = request else {
        throw FakeHostError(description: "\(request)")
      }
      try host.send(.reply(Reply(id: id, result: PhotoAddResult(asset: Self.asset(asset)))))
      return addition
    }

    @Test func `creates two assets from a raw and a processed image, with the identifier of the first`()
      async throws
    {
      try await runSession(in: directory.path) { host in
        let additions = [try Self.answerAddition(host, as: "a"), try Self.answerAddition(host, as: "b")]
        #expect(additions.map(\.title) == ["one.jpg", "one.dng"])
        #expect(additions.map(\.createdAt) == [1_600_000_000_250, 1_600_000_000_250])
      } task: { _ in
        var identifier: String?
        try await PHPhotoLibrary.shared().performChanges {
          let request = PHAssetCreationRequest.forAsset()
          request.creationDate = Date(timeIntervalSince1970: 1_600_000_000.25)
          for (type, name) in [(PHAssetResourceType.photo, "one.jpg"), (.alternatePhoto, "one.dng")] {
            let options = PHAssetResourceCreationOptions()
            options.originalFilename = name
            request.addResource(with: type, data: Data(name.utf8), options: options)
          }
          identifier = request.placeholderForCreatedAsset?.localIdentifier
        }
        #expect(identifier == "a")
      }
    }

    @Test func `permits blocking requests from any thread`() async throws {
      try await runSession(in: directory.path) { host in
        let list = PhotoListResult(assets: [Self.asset("a")])
        try host.answer(.photos(.list(after: nil, limit: 100)), .success(list.json))
        _ = try Self.answerAddition(host, as: "b")
        _ = try Self.answerAddition(host, as: "c")
      } task: { _ in
        let results = await withCheckedContinuation { continuation in
          _ = try? PlainThread.start(name: "author") {
            let fetched = PHAsset.fetchAssets(with: nil).firstObject?.localIdentifier
            nonisolated(unsafe) var added: [String?] = []
            let changes = {
              let request = PHAssetCreationRequest.forAsset()
              request.addResource(with: .photo, data: Data("x".utf8), options: nil)
              added.append(request.placeholderForCreatedAsset?.localIdentifier)
            }
            do { try PHPhotoLibrary.shared().performChangesAndWait(changes) } catch {
              added.append("\(error)")
            }
            let first = added
            PHPhotoLibrary.shared().performChanges({
              PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Data(), options: nil)
            }) { success, error in
              continuation.resume(returning: [fetched] + first + ["\(success) \(error == nil)"])
            }
          }
        }
        #expect(results == ["a", "b", "true true"])
      }
    }

    @Test func `throws errors with the domain and code of Apple`() async throws {
      try await runSession(in: directory.path) { host in
        for _ in 0..<2 {
          let (id, _) = try host.receiveRequest()
          let denied = ErrorObject(code: ProtocolErrorCode.permissionDenied.rawValue, message: "no")
          try host.send(.reply(Reply(id: id, .failure(denied))))
        }
      } task: { _ in
        let add = {
          PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Data("x".utf8), options: nil)
        }
        do {
          try await PHPhotoLibrary.shared().performChanges(add)
          Issue.record("the asset was added")
        } catch PHPhotosError.invalidResource, PHPhotosError.notEnoughSpace {
          Issue.record("another kind")
        } catch PHPhotosError.accessUserDenied {
          // The expected error. Any other error leaves the task.
        }
        // The completion handler is the only report to a caller that does not wait.
        let sentence = await withCheckedContinuation { continuation in
          PHPhotoLibrary.shared().performChanges({
            PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Data("x".utf8), options: nil)
          }) { success, error in
            continuation.resume(returning: "\(success) \(error?._domain ?? "") \(error?._code ?? 0)")
          }
        }
        #expect(sentence == "false PHPhotosErrorDomain 3311")
      }
    }

    @Test func `sorts fetched assets with the given comparators before it applies the limit`() async throws {
      try await runSession(in: directory.path) { host in
        let titles = ["b", "c", "a"].map { Self.asset($0, title: $0) }
        let list = PhotoListResult(assets: titles)
        for _ in 0..<2 { try host.answer(.photos(.list(after: nil, limit: 100)), .success(list.json)) }
      } task: { _ in
        let options = PHFetchOptions()
        options.sortDescriptors = [TitleComparator()]
        options.fetchLimit = 2
        let found = PHAsset.fetchAssets(with: options)
        #expect(found.map(\.title) == ["a", "b"])
        var seen: [String] = []
        PHAsset.fetchAssets(with: nil)
          .enumerateObjects { asset, index, stop in
            seen.append("\(index) \(asset.title)")
            if index == 1 { stop.pointee = true }
          }
        #expect(seen == ["0 b", "1 c"])
      }
    }

    @Test func `reports inserted and removed objects of a fetch result`() async throws {
      try await runSession(in: directory.path) { host in
        for names in [["a", "b"], ["a", "b"], ["c", "b"], ["c", "b"]] {
          let list = PhotoListResult(assets: names.map { Self.asset($0) })
          try host.answer(.photos(.list(after: nil, limit: 100)), .success(list.json))
          if names == ["a", "b"] { try host.send(.notification(.photosChanged)) }
        }
      } task: { _ in
        let gallery = Gallery()
        PHPhotoLibrary.shared().register(gallery)
        while gallery.changes.count < 2 { await Task.yield() }
        PHPhotoLibrary.shared().unregisterChangeObserver(gallery)
        #expect(gallery.changes == ["nothing", "came c, gone a, now cb"])
        let changed = PHAsset.fetchAssets(with: nil)
        #expect(changed.map(\.localIdentifier) == ["c", "b"])
      }
    }

    @Test func `writes the file of an asset, but does not replace an existing file`() async throws {
      try outside.write("light", to: "library/a.jpg")
      let file = "\(outside.path)/library/a.jpg"
      try await runSession(in: directory.path) { host in
        let list = PhotoListResult(assets: [Self.asset("a", title: "IMG.jpg")])
        try host.answer(.photos(.list(after: nil, limit: 100)), .success(list.json))
        for _ in 0..<2 {
          try host.answer(.photos(.open(asset: "a")), .success(PhotoOpenResult(path: file).json))
        }
      } task: { _ in
        let asset = try #require(PHAsset.fetchAssets(with: nil).firstObject)
        let resource = try #require(PHAssetResource.assetResources(for: asset).first)
        #expect((resource.type, resource.originalFilename) == (.photo, "IMG.jpg"))
        #expect(resource.assetLocalIdentifier == "a")
        let target = URL(filePath: "\(outside.path)/copy.jpg")
        try await PHAssetResourceManager.default().writeData(for: resource, toFile: target, options: nil)
        #expect(try outside.text("copy.jpg") == "light")
        let error = await #expect(throws: PHPhotosError.self) {
          try await PHAssetResourceManager.default().writeData(for: resource, toFile: target, options: nil)
        }
        #expect(error?.code == .invalidResource)
      }
    }
  }
}
