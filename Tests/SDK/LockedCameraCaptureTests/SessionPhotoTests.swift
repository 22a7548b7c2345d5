// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import FoundationEssentials
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import Testing

extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct SessionPhotoTests {
    let directory: TemporaryDirectory
    let outside: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
      outside = try TemporaryDirectory()
    }

    private nonisolated static func asset(_ id: String, _ type: PhotoMediaType = .image, own: Bool = true)
      -> PhotoAsset
    {
      PhotoAsset(
        id: id,
        title: "Title \(id)",
        mediaType: type,
        bytes: 3,
        createdAt: 1_750_000_000_500,
        session: nil,
        ownSession: own
      )
    }

    @Test func `adds a file of the session in place, and provides its identifier inside the change block`()
      async throws
    {
      try directory.write("abc", to: "deep/one.jpg")
      var identifiers: [String?] = []
      try await runSession(in: directory.path) { host in
        let first = PhotoAddition(path: "deep/one.jpg", title: "Sunset", mediaType: .image, move: true)
        try host.answer(.photos(.add(first)), .success(PhotoAddResult(asset: Self.asset("a")).json))
        let second = PhotoAddition(path: "film.mkv", mediaType: .video)
        try host.answer(.photos(.add(second)), .success(PhotoAddResult(asset: Self.asset("b")).json))
      } task: { session in
        var late: PHObjectPlaceholder?
        try await PHPhotoLibrary.shared().performChanges {
          let options = PHAssetResourceCreationOptions()
          options.originalFilename = "Sunset"
          options.shouldMoveFile = true
          let request = PHAssetCreationRequest.forAsset()
          let url = session.sessionContentURL.appending(path: "deep/one.jpg")
          request.addResource(with: .photo, fileURL: url, options: options)
          identifiers.append(request.placeholderForCreatedAsset?.localIdentifier)
          let film = session.sessionContentURL.appending(path: "film.mkv")
          late =
            PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: film)?.placeholderForCreatedAsset
        }
        identifiers.append(late?.localIdentifier)
      }
      #expect(identifiers == ["a", "b"])
    }

    @Test func `stages data and outside files in the content directory, and leaves nothing there`()
      async throws
    {
      try outside.write("from outside", to: "take me.jpg")
      let content = directory.path
      try await runSession(in: directory.path) { host in
        for expected in ["xyz", "from outside"] {
          let (id, request) = try host.receiveRequest()
          guard case .photos(.add(let addition)) = request else {
            throw FakeHostError(description: "\(request)")
          }
          let bytes = try FileSystem.contents("\(content)/\(addition.path)") ?? []
          #expect(String(decoding: bytes, as: UTF8.self) == expected)
          #expect(addition.move)
          #expect(addition.path.hasSuffix(expected == "xyz" ? "/asset.jpg" : "/take me.jpg"))
          try FileSystem.unlink("\(content)/\(addition.path)")
          try host.send(.reply(Reply(id: id, result: PhotoAddResult(asset: Self.asset("a")))))
        }
      } task: { session in
        try await PHPhotoLibrary.shared().performChanges {
          PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Data("xyz".utf8), options: nil)
          let options = PHAssetResourceCreationOptions()
          options.shouldMoveFile = true
          let url = URL(filePath: "\(outside.path)/take me.jpg")
          PHAssetCreationRequest.forAsset().addResource(with: .photo, fileURL: url, options: options)
        }
      }
      #expect(try FileSystem.names(in: directory.path) == [])
      #expect(try FileSystem.names(in: outside.path) == [])
    }

    @Test(arguments: [
      (4003, PHPhotosError.Code.accessUserDenied), (4016, .invalidResource), (4017, .notEnoughSpace),
      (4014, .operationInterrupted), (-32603, .changeNotSupported),
    ])
    func `keeps a file that the library rejects, and reports the reason`(
      code: Int,
      expected: PHPhotosError.Code
    ) async throws {
      try outside.write("keep me", to: "a.jpg")
      try await runSession(in: directory.path) { host in
        let (id, _) = try host.receiveRequest()
        try host.send(.reply(Reply(id: id, .failure(ErrorObject(code: code, message: "no")))))
      } task: { session in
        let options = PHAssetResourceCreationOptions()
        options.shouldMoveFile = true
        let error = await #expect(throws: PHPhotosError.self) {
          try await PHPhotoLibrary.shared().performChanges {
            let url = URL(filePath: "\(outside.path)/a.jpg")
            PHAssetCreationRequest.forAsset().addResource(with: .photo, fileURL: url, options: options)
          }
        }
        #expect(error?.code == expected)
      }
      #expect(try outside.text("a.jpg") == "keep me")
      #expect(try FileSystem.names(in: directory.path) == [])
    }

    @Test func `rejects an asset without a file or with two images before any change`()
      async throws
    {
      try await runSession(in: directory.path) { _ in
      } task: { session in
        let url = session.sessionContentURL.appending(path: "a.jpg")
        let none = await #expect(throws: PHPhotosError.self) {
          try await PHPhotoLibrary.shared().performChanges {
            _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
            _ = PHAssetCreationRequest.forAsset()
          }
        }
        #expect(none?.code == .missingResource)
        let two = await #expect(throws: PHPhotosError.self) {
          try await PHPhotoLibrary.shared().performChanges {
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .photo, fileURL: url, options: nil)
            request.addResource(with: .photo, fileURL: url, options: nil)
          }
        }
        #expect(two?.code == .invalidResource)
      }
    }

    @Test func `fetches assets page by page, and stops at a repeated page`() async throws {
      try await runSession(in: directory.path) { host in
        let first = PhotoListResult(
          assets: [Self.asset("a"), Self.asset("b", .video, own: false)],
          next: "b"
        )
        let second = PhotoListResult(assets: [Self.asset("c"), Self.asset("a")], next: "b")
        let page = { (after: String?) in ExtensionRequest.photos(.list(after: after, limit: 100)) }
        try host.answer(page(nil), .success(first.json))
        try host.answer(page("b"), .success(second.json))
        try host.answer(page(nil), .success(first.json))
        try host.answer(page("b"), .success(second.json))
        try host.answer(page(nil), .success(first.json))
        let denied = ErrorObject(code: 4003, message: "locked")
        try host.answer(page(nil), .failure(denied))
      } task: { _ in
        let all = PHAsset.fetchAssets(with: nil)
        #expect(all.map(\.localIdentifier) == ["a", "b", "c"])
        #expect(all.firstObject?.creationDate == Date(timeIntervalSince1970: 1_750_000_000.5))
        #expect(all.map(\.isOfThisSession) == [true, false, true])
        #expect(PHAsset.fetchAssets(with: .video, options: nil).map(\.localIdentifier) == ["b"])
        let options = PHFetchOptions()
        options.fetchLimit = 1
        let limited = PHAsset.fetchAssets(withLocalIdentifiers: ["a", "b"], options: options)
        #expect(limited.count == 1)
        #expect(PHAsset.fetchAssets(with: nil).isEmpty)
      }
    }

    @Test func `returns the file URL that the host reports, and fails for a deleted asset`() async throws {
      try await runSession(in: directory.path) { host in
        let list = PhotoListResult(assets: [Self.asset("a")])
        try host.answer(.photos(.list(after: nil, limit: 100)), .success(list.json))
        try host.answer(.photos(.open(asset: "a")), .success(PhotoOpenResult(path: "/library/a.jpg").json))
        try host.answer(.photos(.open(asset: "a")), .success(PhotoOpenResult(path: "b.jpg").json))
        try host.answer(.photos(.delete(asset: "a")))
        let gone = ErrorObject(code: 4015, message: "gone")
        try host.answer(.photos(.open(asset: "a")), .failure(gone))
      } task: { _ in
        let asset = try #require(PHAsset.fetchAssets(with: nil).firstObject)
        let absolute = try await asset.fileURL()
        let relative = try await asset.fileURL()
        #expect(absolute.path(percentEncoded: false) == "/library/a.jpg")
        #expect(relative.path(percentEncoded: false) == "/library/b.jpg")
        try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([asset]) }
        let error = await #expect(throws: PHPhotosError.self) { try await asset.fileURL() }
        #expect(error?.code == .identifierNotFound)
      }
    }

    @Test func `requests authorization from the host without prompting the user`() async throws {
      try await runSession(in: directory.path) { host in
        try host.answer(
          .photos(.authorization(.readWrite)),
          .success(PhotoAuthorizationResult(status: .limited).json)
        )
        let refusal = ErrorObject(code: -32601, message: "unknown")
        try host.answer(.photos(.authorization(.addOnly)), .failure(refusal))
      } task: { _ in
        #expect(await PHPhotoLibrary.requestAuthorization(for: .readWrite) == .limited)
        #expect(await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .denied)
        #expect(await AVCaptureDevice.requestAccess(for: .video))
        #expect(await AVCaptureDevice.requestAccess(for: .audio) == false)
      }
    }

    /// Counts changes.
    final class Observer: PHPhotoLibraryChangeObserver {
      var changes = 0

      func photoLibraryDidChange(_ changeInstance: PHChange) { changes += 1 }
    }

    @Test func `notifies change observers until they are unregistered`() async throws {
      let (first, second) = (Observer(), Observer())
      let library = PHPhotoLibrary.shared()
      library.register(first)
      library.register(first)
      library.register(second)
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.send(.notification(.photosChanged))
        try host.send(.notification(.contextChanged(.null)))
        try host.send(.notification(.photosChanged))
        try host.dismiss()
      } extension: { session in
        session.onAppContextChange { library.unregisterChangeObserver(first) }
      }
      library.unregisterChangeObserver(second)
      #expect((first.changes, second.changes) == (1, 2))
    }
  }
}
