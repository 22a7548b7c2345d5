// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import PhotoLibrary
internal import SessionStore

/// Sessions whose extension adds a file to the photo library.
struct Ingests {
  private let world: World

  init(_ world: World) { self.world = world }

  /// Runs a session of the plan `small` that moves its first file into the library, or copies it with
  /// `stays`, and is migrated.
  func run(_ words: [String]) throws {
    try world.prepare()
    let library = try PhotoLibrary(world.library)
    let plan = Plan.small
    let workspace = try Sessions(world).begin(plan)
    Sessions(world).write(plan, workspace)
    let stays = words.contains("stays")
    var ingested: [SessionRecord.Ingested] = []
    if let path = plan.entries.first?.path {
      let ingest = Ingest(
        directory: workspace.places.contentDirectory,
        path: path,
        app: World.appID,
        session: workspace.id.description,
        source: stays ? .stays : .isRemoved
      )
      try world.marks.note("\(stays ? "copying" : "ingesting") \(workspace.id) \(path)")
      // A refusal is reported to the extension; the session continues.
      do {
        let content = try FileSystem.open(workspace.places.contentDirectory, [.directory])
        let asset = try library.add(ingest, in: content)
        try world.marks.note("ingested \(workspace.id) \(path)")
        ingested.append(.init(asset: asset.id, path: path))
      } catch { say("the extension is told: \(error)") }
    }
    try Sessions(world).handOver(workspace, ingested: ingested)
  }
}
