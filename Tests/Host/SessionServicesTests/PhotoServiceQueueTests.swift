// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import JSONText
import LinuxPrimitives
import PhotoLibrary
import SessionServices
import SessionStore
import Testing

/// Behavior of the photo library during a copy.
@Suite(.timeLimit(.minutes(20))) final class PhotoServiceQueueTests {
  private let directory = "/tmp/darkroom-photos-\(Randomness.hexadecimal(bytes: 8))"
  private let gate: Gate
  private let service: PhotoService
  private static let everything = Permissions(camera: .authorized, photos: .authorized)

  /// A gate at which copying stops until the test opens it.
  private final class Gate: Sendable {
    /// Readable when a copy waits at the gate.
    private let arrivals: Descriptor
    /// Readable when the gate is open.
    private let passes: Descriptor

    init() throws {
      arrivals = try EventCounter.make()
      passes = try EventCounter.make()
    }

    /// Reports the arrival and waits until the gate is open.
    func block() {
      try? EventCounter.add(to: arrivals)
      _ = try? Poller.wait([(passes.rawValue, .readable)])
    }

    /// Waits until a copy arrives.
    func awaitArrival() throws {
      _ = try Poller.wait([(arrivals.rawValue, .readable)])
      _ = try EventCounter.take(arrivals)
    }

    /// Opens the gate permanently.
    func open() throws { try EventCounter.add(to: passes) }
  }

  init() throws {
    let gate = try Gate()
    self.gate = gate
    service = PhotoService(LibraryLocation(path: "\(directory)/library")) { gate.block() }
    for name in ["content", "shown"] { try FileSystem.makeDirectories("\(directory)/\(name)") }
    service.begin(
      PhotoSession(
        id: SessionID.random(),
        app: "org.example.camera",
        content: "\(directory)/content",
        library: "\(directory)/shown",
        insideLibrary: "/library",
        mostAssets: 300,
        maximumBytes: 10_000,
        maximumAssetBytes: 50
      )
    )
  }

  deinit {
    try? gate.open()
    try? FileSystem.removeTree(directory)
  }

  private func write(_ name: String) throws {
    try FileSystem.open("\(directory)/content/\(name)", [.write, .create]).writeAll(Array("light".utf8))
  }

  private func ask(_ request: PhotoRequest, _ number: Int64, _ lock: LockState = .unlocked) -> PhotoAnswer {
    service.answer(request, .integer(number), lock: lock, permissions: Self.everything)
  }

  /// Adds an asset of another app.
  private func addForeignAsset() throws -> Asset {
    try write("other.jpg")
    let ingest = Ingest(directory: "\(directory)/content", path: "other.jpg", app: "org.example.other")
    return try PhotoLibrary(LibraryLocation(path: "\(directory)/library"))
      .add(ingest, in: FileSystem.open("\(directory)/content", [.directory]))
  }

  @Test(arguments: LockState.allCases)
  func `does not show an asset whose copy was in progress when the device was locked`(lock: LockState) throws
  {
    let other = try addForeignAsset()
    #expect(ask(.open(asset: other.id), 1) == .later)
    try gate.awaitArrival()
    // An unfinished file is not visible.
    #expect(try FileSystem.names(in: "\(directory)/shown") == [])
    service.accessChanged(lock: lock, permissions: Self.everything)
    try gate.open()
    let reply = try #require(try service.nextAnswers().first)
    let isShown = lock == .unlocked
    #expect(try FileSystem.names(in: "\(directory)/shown") == (isShown ? ["\(other.id).jpg"] : []))
    if case .failure(let error) = reply.outcome {
      #expect(error.knownCode == .noSuchAsset && !isShown)
    } else {
      #expect(isShown)
    }
    #expect(try Set(FileSystem.names(in: directory)) == ["content", "library", "shown"])
  }

  @Test func `a copy does not block the session and requests are answered in order`() throws {
    try write("a.jpg")
    #expect(ask(.add(PhotoAddition(path: "a.jpg")), 1) == .later)
    try gate.awaitArrival()
    #expect(ask(.list(after: nil, limit: 9), 2) == .later)
    #expect(ask(.authorization(.addOnly), 3) != .later)
    #expect(service.takeAnswers() == [])
    try gate.open()
    var replies: [Reply] = []
    while replies.count < 2 { replies += try service.nextAnswers() }
    #expect(replies.map(\.id) == [.integer(1), .integer(2)])
    guard case .success(let list) = replies[1].outcome else { throw UnexpectedOutcome() }
    #expect(list["assets"]?.elements?.count == 1, "it is there before it is asked for")
  }

  @Test func `answers requests beyond the queue limit with busy`() throws {
    try write("a.jpg")
    #expect(ask(.add(PhotoAddition(path: "a.jpg")), 0) == .later)
    try gate.awaitArrival()
    let answers = (1...100).map { ask(.list(after: nil, limit: 1), $0) }
    #expect(answers.filter { $0 == .later }.count == 64)
    guard case .now(.failure(let error)) = answers[99] else { throw UnexpectedOutcome() }
    #expect(error.knownCode == .busy)
  }

  @Test func `ending a session finishes the addition in progress and starts no other`() throws {
    for name in ["a.jpg", "b.jpg"] { try write(name) }
    #expect(ask(.add(PhotoAddition(path: "a.jpg", move: true)), 1) == .later)
    try gate.awaitArrival()
    #expect(ask(.add(PhotoAddition(path: "b.jpg", move: true)), 2) == .later)
    let gate = gate
    // The addition in progress is completed whether the gate opens before or after the end is noticed, and no
    // file exists twice.
    let opener = try PlainThread.start(name: "opener") { try? gate.open() }
    let ingested = service.finish().map(\.path)
    opener.join()
    #expect(ingested.first == "a.jpg")
    let left = try FileSystem.names(in: "\(directory)/content")
    #expect(Set(left).isDisjoint(with: ingested) && left.count + ingested.count == 2)
    #expect(service.answers == nil)
  }

  private struct UnexpectedOutcome: Error {}
}
