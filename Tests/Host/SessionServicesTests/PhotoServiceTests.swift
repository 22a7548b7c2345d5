// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import JSONText
import LinuxPrimitives
import PhotoLibrary
import SessionServices
import SessionStore
import Testing

/// Access of an extension to the photo library, by call.
@Suite final class PhotoServiceTests {
  private let directory = "/tmp/darkroom-photos-\(Randomness.hexadecimal(bytes: 8))"
  private let id = SessionID.random()
  private let service: PhotoService
  private let place: LibraryLocation

  private static let everything = Permissions(camera: .authorized, photos: .authorized)
  private static let selected = Permissions(camera: .authorized, photos: .limited)

  init() throws {
    place = LibraryLocation(path: "\(directory)/library")
    service = PhotoService(place)
    for name in ["content", "shown"] { try FileSystem.makeDirectories("\(directory)/\(name)") }
    service.begin(
      PhotoSession(
        id: id,
        app: "org.example.camera",
        content: "\(directory)/content",
        library: "\(directory)/shown",
        insideLibrary: "/library",
        mostAssets: 3,
        maximumBytes: 100,
        maximumAssetBytes: 50
      )
    )
  }

  deinit { try? FileSystem.removeTree(directory) }

  private func write(_ name: String, _ text: String = "light") throws {
    try FileSystem.open("\(directory)/content/\(name)", [.write, .create, .truncate])
      .writeAll(Array(text.utf8))
  }

  /// Sends a request and waits for the reply.
  private func outcome(
    _ request: PhotoRequest,
    _ lock: LockState,
    _ permissions: Permissions
  ) throws -> Reply.Outcome {
    switch service.answer(request, .integer(1), lock: lock, permissions: permissions) {
    case .now(let outcome): return outcome
    case .later: return try #require(try service.nextAnswers().first).outcome
    }
  }

  /// Sends a request and returns the result or throws the error.
  private func ask(
    _ request: PhotoRequest,
    _ lock: LockState = .unlocked,
    _ permissions: Permissions = everything
  ) throws -> JSONValue {
    switch try outcome(request, lock, permissions) {
    case .success(let value): return value
    case .failure(let error): throw error
    }
  }

  /// Sends a request that must be refused and returns the error code.
  private func refusal(
    _ request: PhotoRequest,
    _ lock: LockState = .unlocked,
    _ permissions: Permissions = everything
  ) -> ProtocolErrorCode? {
    if case .failure(let error) = try? outcome(request, lock, permissions) {
      #expect(!error.message.contains(directory), "an extension learns no path of the host")
      return error.knownCode
    }
    return nil
  }

  private func add(_ name: String, _ lock: LockState = .locked) throws -> String {
    try write(name)
    let answer = try ask(.add(PhotoAddition(path: name, move: true)), lock)
    return try #require(answer["asset"]?["id"]?.string)
  }

  /// Adds an asset of an earlier session of the app or of another app.
  private func addEarlierAsset(app: String = "org.example.camera") throws -> Asset {
    try FileSystem.makeDirectories("\(directory)/earlier")
    try FileSystem.open("\(directory)/earlier/old.jpg", [.write, .create]).writeAll([1, 2, 3])
    return try PhotoLibrary(place).add(
      Ingest(
        directory: "\(directory)/earlier",
        path: "old.jpg",
        app: app,
        session: SessionID.random().description
      ),
      in: FileSystem.open("\(directory)/earlier", [.directory])
    )
  }

  @Test func `a page of assets with long titles fits into a line, and the list is complete`() throws {
    let (library, count) = (try PhotoLibrary(place), 200)
    try write("light.jpg")
    let content = try FileSystem.open("\(directory)/content", [.directory])
    for number in 0..<count {
      // JSON writes each quotation mark as two bytes.
      let title = "\(number)" + String(repeating: "\"", count: 250)
      let ingest = Ingest(
        directory: "\(directory)/content",
        path: "light.jpg",
        title: title,
        app: "org.example.camera",
        session: id.description,
        createdAt: Int64(number) * 1000
      )
      _ = try library.add(ingest, in: content)
    }
    var (seen, after, pages): ([String], String?, Int) = ([], nil, 0)
    repeat {
      let result = try ask(.list(after: after, limit: count))
      #expect(HostMessage.reply(Reply(id: .integer(1), .success(result))).line.count <= 65_537)
      seen += (result["assets"]?.elements ?? []).compactMap { $0["title"]?.string }
      after = result["next"]?.string
      pages += 1
    } while after != nil && pages < count
    #expect(pages > 1 && pages < 5)
    #expect(
      seen.compactMap { $0.split(separator: "\"").first.map(String.init) }
        == (0..<count).reversed().map { "\($0)" }
    )
  }

  private func listedAssets(_ lock: LockState, _ permissions: Permissions = everything) throws -> Set<String>
  {
    let answer = try ask(.list(after: nil, limit: 200), lock, permissions)
    return Set((answer["assets"]?.elements ?? []).compactMap { $0["id"]?.string })
  }

  private func shownFiles() throws -> [String] { try FileSystem.names(in: "\(directory)/shown") }

  @Test func `a locked session sees only its own additions in every call`() throws {
    let old = try addEarlierAsset()
    let own = try add("own.jpg")
    #expect(try listedAssets(.locked) == [own])
    #expect(refusal(.open(asset: old.id), .locked) == .noSuchAsset)
    #expect(refusal(.delete(asset: old.id), .locked) == .noSuchAsset)
    #expect(try ask(.open(asset: own), .locked)["path"]?.string == "/library/\(own).jpg")
    #expect(try shownFiles() == ["\(own).jpg"])
    #expect(try listedAssets(.unlocked) == [own, old.id])
    _ = try ask(.delete(asset: own), .locked)
    #expect(try listedAssets(.locked) == [])
    #expect(try shownFiles() == [])
  }

  @Test func `locking removes shown assets, including those that are held open`() throws {
    let old = try addEarlierAsset()
    let own = try add("own.jpg")
    for asset in [old.id, own] { _ = try ask(.open(asset: asset)) }
    let held = try FileSystem.open("\(directory)/shown/\(old.id).jpg", .read)
    let kept = try FileSystem.open("\(directory)/shown/\(own).jpg", .read)
    service.accessChanged(lock: .locked, permissions: Self.everything)
    #expect(try shownFiles() == ["\(own).jpg"])
    #expect(try held.readAll(limit: 99) == [])
    #expect(try kept.readAll(limit: 99) == Array("light".utf8))
    // The asset in the library is unchanged.
    #expect(try PhotoLibrary(place).open(old).readAll(limit: 99) == [1, 2, 3])
  }

  @Test func `the first call after a permission is revoked removes all shown assets`() throws {
    let own = try add("own.jpg")
    _ = try ask(.open(asset: own))
    let denied = Permissions(camera: .authorized, photos: .denied)
    #expect(refusal(.list(after: nil, limit: 1), .unlocked, denied) == .permissionDenied)
    #expect(try shownFiles() == [])
  }

  @Test func `the next call removes an asset that the user has deselected`() throws {
    let old = try addEarlierAsset(app: "org.example.other")
    #expect(try listedAssets(.unlocked, Self.selected) == [])
    try PhotoLibrary(place).select([old.id], for: "org.example.camera", .add)
    #expect(try listedAssets(.unlocked, Self.selected) == [old.id])
    _ = try ask(.open(asset: old.id), .unlocked, Self.selected)
    try PhotoLibrary(place).select([old.id], for: "org.example.camera", .remove)
    #expect(try listedAssets(.unlocked, Self.selected) == [])
    #expect(try shownFiles() == [])
  }

  @Test func `add-only permission allows adding and nothing else`() throws {
    let addOnly = Permissions(camera: .authorized, photos: .denied, photosAddOnly: .authorized)
    try write("a.jpg")
    let answer = try ask(.add(PhotoAddition(path: "a.jpg")), .locked, addOnly)
    let own = try #require(answer["asset"]?["id"]?.string)
    for lock in LockState.allCases {
      #expect(refusal(.list(after: nil, limit: 1), lock, addOnly) == .permissionDenied)
      #expect(refusal(.open(asset: own), lock, addOnly) == .permissionDenied)
      #expect(refusal(.delete(asset: own), lock, addOnly) == .permissionDenied)
    }
    #expect(try ask(.authorization(.addOnly), .locked, addOnly)["status"]?.string == "authorized")
    #expect(try ask(.authorization(.readWrite), .locked, addOnly)["status"]?.string == "denied")
  }

  @Test func `creates no library without permission`() throws {
    let none = Permissions(camera: .authorized, photos: .notDetermined)
    try write("a.jpg")
    #expect(refusal(.add(PhotoAddition(path: "a.jpg")), .unlocked, none) == .permissionDenied)
    #expect(refusal(.list(after: nil, limit: 1), .unlocked, none) == .permissionDenied)
    #expect(!place.exists)
    #expect(service.descriptor == nil)
  }

  /// Whether the session is notified of changes since the last check.
  private func isNotified(_ lock: LockState, _ permissions: Permissions = everything) throws -> Bool {
    let descriptor = try #require(service.descriptor)
    let found = try Poller.wait([(descriptor, .readable)], until: MonotonicClock.now)
    guard found[0] == .readable else { return false }
    try Descriptor.discardReadable(descriptor)
    return service.libraryChanged(lock: lock, permissions: permissions)
  }

  @Test func `a locked session is notified of its own additions only`() throws {
    let old = try addEarlierAsset()
    let own = try add("own.jpg")
    #expect(try isNotified(.locked))
    let other = try addEarlierAsset(app: "org.example.other")
    #expect(try !isNotified(.locked))
    try PhotoLibrary(place).delete(other)
    try PhotoLibrary(place).select([old.id], for: "org.example.camera", .remove)
    #expect(try !isNotified(.locked))
    _ = try ask(.delete(asset: own), .locked)
    #expect(try isNotified(.locked))
    #expect(try !isNotified(.locked))
  }

  @Test func `a limited session is notified of its selection and an add-only session of nothing`() throws {
    _ = try add("own.jpg")
    service.accessChanged(lock: .unlocked, permissions: Self.selected)
    _ = try isNotified(.unlocked, Self.selected)
    let other = try addEarlierAsset(app: "org.example.other")
    #expect(try !isNotified(.unlocked, Self.selected))
    try PhotoLibrary(place).select([other.id], for: "org.example.camera", .add)
    #expect(try isNotified(.unlocked, Self.selected))
    let addOnly = Permissions(camera: .authorized, photos: .denied, photosAddOnly: .authorized)
    service.accessChanged(lock: .unlocked, permissions: addOnly)
    _ = try addEarlierAsset(app: "org.example.other")
    #expect(try !isNotified(.unlocked, addOnly))
  }

  @Test
  func `an unlocked session is notified of all changes, including those just before the unlock`()
    throws
  {
    _ = try add("own.jpg", .unlocked)
    #expect(try isNotified(.unlocked))
    service.accessChanged(lock: .locked, permissions: Self.everything)
    let other = try addEarlierAsset(app: "org.example.other")
    service.accessChanged(lock: .unlocked, permissions: Self.everything)
    #expect(try isNotified(.unlocked))
    _ = try ask(.open(asset: other.id))
    try PhotoLibrary(place).delete(other)
    #expect(try isNotified(.unlocked))
    #expect(try shownFiles() == [], "what is deleted is taken back at once")
  }

  @Test func `an unlocked session can read but not delete an asset of another app`() throws {
    let old = try addEarlierAsset(app: "org.example.other")
    _ = try ask(.open(asset: old.id))
    #expect(refusal(.delete(asset: old.id)) == .permissionDenied)
    #expect(try listedAssets(.unlocked) == [old.id])
  }

  @Test func `limits additions by the policy and reports them at the end`() throws {
    try write("large.jpg", String(repeating: "x", count: 51))
    #expect(refusal(.add(PhotoAddition(path: "large.jpg"))) == .invalidFile)
    let ids = try ["a.jpg", "b.jpg", "c.jpg"].map { try add($0) }
    try write("d.jpg")
    #expect(refusal(.add(PhotoAddition(path: "d.jpg"))) == .noSpace)
    #expect(refusal(.add(PhotoAddition(path: "../shown"))) == .noSpace)
    #expect(service.finish().map(\.asset) == ids)
    #expect(try FileSystem.names(in: "\(directory)/content") == ["d.jpg", "large.jpg"])
  }

  @Test func `rejects hostile paths as invalid files`() {
    for path in ["../earlier/old.jpg", "/etc/passwd", "", "nothing"] {
      #expect(refusal(.add(PhotoAddition(path: path))) == .invalidFile, "\(path)")
    }
    #expect(refusal(.open(asset: "../../etc/passwd")) == .noSuchAsset)
  }
}

extension PhotoService {
  /// Waits for replies.
  func nextAnswers() throws -> [Reply] {
    _ = try Poller.wait([(try #require(answers), .readable)])
    return takeAnswers()
  }
}
