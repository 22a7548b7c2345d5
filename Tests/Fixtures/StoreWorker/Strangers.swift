// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import LinuxPrimitives
internal import SessionStore

/// Sessions whose extensions misbehave, until the worker is killed or has run some of them.
struct MisbehavingSessions {
  private let world: WorkerEnvironment

  init(_ world: WorkerEnvironment) { self.world = world }

  /// A deterministic pseudorandom generator.
  struct Numbers {
    private var state: UInt64

    /// Creates a generator with a seed.
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// Returns the next number below a limit.
    mutating func next(below limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state >> 33) % limit
    }
  }

  /// A variant of a written file; its bytes are accounted for in any case.
  enum FileVariant: Int, CaseIterable {
    case plain, nested, deep, setUserID, noAccess, lockedDirectory, hardLink, newline, unportable, future,
      sparse,
      attribute
  }

  /// Runs sessions: `SEED`.
  func run(_ words: [String]) throws {
    guard let seed = words.first.flatMap(UInt64.init) else { throw WorkerError("misbehave SEED") }
    try world.prepare()
    var numbers = Numbers(seed)
    for _ in 0..<20 {
      try session(&numbers)
      if numbers.next(below: 8) == 0 { try removeDeliveredContent() }
    }
  }

  private func session(_ numbers: inout Numbers) throws {
    let workspace = try SessionWorkspace.prepare(for: world.app(), extensionID: WorkerEnvironment.extensionID)
    let id = workspace.id
    try world.acknowledgments.note("strange \(id)")
    for index in 0..<numbers.next(below: 6) {
      let variant = FileVariant(rawValue: numbers.next(below: FileVariant.allCases.count)) ?? .plain
      let count = numbers.next(below: 20_000)
      try Self.write(variant, index, Self.bytes(id, index, count), below: workspace.places.contentDirectory)
      try world.acknowledgments.note("put \(id) \(index) \(count)")
    }
    // Entries other than regular files have no bytes to account for.
    try? FileSystem.makeSymbolicLink("\(workspace.places.contentDirectory)/link", to: "/etc/passwd")
    if numbers.next(below: 4) == 0 { mkfifo("\(workspace.places.contentDirectory)/pipe", 0o600) }
    if numbers.next(below: 2) == 0 {
      // A worker that is killed between the two marks may have written the log.
      try world.acknowledgments.note("speaks \(id)")
      try workspace.places.openLog().writeAll(Array("it is said\n".utf8))
      try world.acknowledgments.note("spoke \(id)")
    }
    if numbers.next(below: 10) == 0 { throw WorkerError("the host has stopped in the middle") }
    var draft = SessionRecord(
      sessionID: id,
      app: WorkerEnvironment.appID,
      extensionID: workspace.extensionID,
      startedAt: workspace.startedAt,
      endedAt: WallClock.milliseconds,
      outcome: .completed(exitCode: 0)
    )
    draft.violations = ["it was strange"]
    let result = try Migration(workspace, draft: draft, digests: .sha256).run()
    try world.acknowledgments.note("handed \(id)")
    if let fault = result.logFault { throw fault }
  }

  /// Removes the delivered content of one session like the app; another process may do so first.
  private func removeDeliveredContent() throws {
    let content = DeliveredContent(try world.app())
    guard let first = try content.list().first else { return }
    do { try content.invalidate(first.id) } catch {
      guard case .noSuchContent = error else { throw error }
      return
    }
    try world.acknowledgments.note("took \(first.id)")
  }

  /// Returns the bytes of a file, which are unique.
  static func bytes(_ id: SessionID, _ index: Int, _ count: Int) -> [UInt8] {
    count == 0 ? [] : Plan.bytes("\(id)/\(index)", count)
  }

  private static func write(_ variant: FileVariant, _ index: Int, _ bytes: [UInt8], below content: String)
    throws
  {
    var path = "\(content)/f\(index)"
    switch variant {
    case .nested: path = "\(content)/d\(index)/e/f"
    case .deep: path = content + String(repeating: "/d\(index)", count: 40) + "/f"
    case .lockedDirectory: path = "\(content)/l\(index)/f"
    case .newline: path = "\(content)/n\n\(index)"
    case .unportable: path = "\(content)/-\(index)/.git/CON"
    default: break
    }
    try FileSystem.makeDirectories(FileSystem.directoryName(path))
    let file = try FileSystem.open(path, [.write, .create, .truncate])
    try file.writeAll(bytes)
    switch variant {
    case .setUserID: try file.setPermissions(0o6755)
    case .noAccess: try file.setPermissions(0)
    case .lockedDirectory:
      try FileSystem.open(FileSystem.directoryName(path), [.directory]).setPermissions(0)
    case .hardLink: link(path, "\(content)/g\(index)")
    case .attribute: try? file.setAttribute("user.mine", to: [1, 2, 3])
    case .future:
      var times = [timespec(tv_sec: 4_000_000_000, tv_nsec: 0), timespec(tv_sec: 4_000_000_000, tv_nsec: 0)]
      utimensat(AT_FDCWD, path, &times, 0)
    case .sparse: try FileSystem.open("\(content)/s\(index)", [.write, .create]).truncate(to: 1 << 20)
    default: break
    }
  }
}
