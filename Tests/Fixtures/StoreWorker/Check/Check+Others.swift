// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import JSONText
internal import LinuxPrimitives
internal import PhotoLibrary
internal import SessionStore

/// Checks of data other than sessions.
extension Check {
  /// Checks that each delivery is in the mailbox exactly once.
  func checkMailbox() throws {
    var left = try FileSystem.names(in: world.app().activitiesDirectory)
    var wanted = promises.posts
    for session in promises.sessions.values {
      guard let delivery = session.delivery else { continue }
      wanted[delivery.id] = delivery.isNoted && !session.mayBeRemoved
    }
    for (id, isPromised) in wanted {
      let found = left.filter { $0.hasSuffix("-\(id).json") && !$0.hasPrefix(".") }
      left.removeAll { found.contains($0) }
      expect(
        found.count == 1 || found.isEmpty && !isPromised,
        "the app received \(found.count) notifications about \(id)"
      )
    }
    for name in left { fail("the mailbox contains the unexpected file \(name)") }
  }

  /// Checks that the app context is one that was set.
  func checkContext() throws {
    let context = try AppContextStore(world.app()).get()?.string ?? "-"
    expect(
      promises.contexts.contains(context),
      "the context is \(context), not \(promises.contexts.sorted())"
    )
  }

  /// Checks that the installed bundle is a complete one that was installed.
  func checkBundle() throws {
    let listing = try world.catalog.list()
    for failure in listing.failures { fail("\(failure)") }
    guard let app = listing.apps.first(where: { $0.manifest.id == WorkerEnvironment.appID }) else {
      return expect(
        promises.versions.contains("-"),
        "no version is installed, but \(promises.versions.sorted())"
      )
    }
    guard let installed = app.extensions.first else { return fail("the extension is missing") }
    try installed.verifyDigest()
    let program = String(decoding: try FileSystem.contents(installed.executablePath) ?? [], as: UTF8.self)
    let versions = promises.versions.filter { $0 != "-" }
    expect(
      versions.contains { BundleOperations.program($0) == program },
      "what is installed is not one of \(versions.sorted()): \(program)"
    )
    let copies = try FileSystem.names(in: FileSystem.directoryName(app.bundlePath))
    expect(copies.count == 1, "there are copies \(copies)")
  }

  /// Returns the assets of the library.
  func ingested() throws -> [Asset] {
    guard world.library.exists else { return [] }
    return try PhotoLibrary(world.library).list(for: .user, atMost: 10_000).assets
  }

  /// Checks that the library has each image exactly once with its bytes, and nothing else.
  func checkLibrary() throws {
    guard world.library.exists else { return }
    let assets = try ingested()
    for (id, session) in promises.sessions {
      guard let path = session.ingest else { continue }
      let found = assets.filter { $0.session == id }
      expect(
        found.count == 1 || found.isEmpty && !session.reportedStates.contains("ingested"),
        "\(id) has \(found.count) assets"
      )
      for asset in found { try check(asset, path, session.plan) }
    }
    for asset in assets where promises.sessions[asset.session ?? ""]?.ingest == nil {
      fail("the library contains \(asset.path), which no session has added")
    }
    let files = try Tree.list(world.library.path).filter { $0.status.kind == .regular }
      .map(\.path).filter { !$0.hasPrefix(".darkroom/") }
    expect(Set(files) == Set(assets.map(\.path)), "the library has the files \(files)")
    for directory in ["incoming", "owners", "changes"] {
      let names = try FileSystem.names(in: "\(world.library.path)/.darkroom/\(directory)")
      expect(names.isEmpty, "\(directory) of the library has \(names)")
    }
  }

  private func check(_ asset: Asset, _ path: String, _ plan: Plan) throws {
    for case .file(let count) in plan.entries.filter({ $0.path == path }).map(\.kind) {
      let bytes = try FileSystem.contents("\(world.library.path)/\(asset.path)")
      expect(bytes == Plan.bytes(path, count), "\(asset.path) of the library is not what was written")
    }
  }

  /// Checks that no file below the root is locked.
  func checkLocks(_ entries: [Tree.Entry]) throws {
    let held = try FileSystem.contents("/proc/locks") ?? []
    let numbers = String(decoding: held, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.split(separator: " ").first { $0.filter { $0 == ":" }.count == 2 }?.split(separator: ":").last
    }
    let inodes = Set(numbers.compactMap { UInt64($0) })
    for entry in entries where inodes.contains(entry.status.inode) {
      // Inodes of other file systems may have the same numbers: a file that can be locked is not locked.
      guard entry.status.kind == .regular || entry.status.kind == .directory else { continue }
      let isHeld = try FileLock.isHeld("\(world.root.path)/\(entry.path)")
      expect(isHeld != true, "\(entry.path) is locked")
    }
  }
}
