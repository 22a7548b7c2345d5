// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import PhotoLibrary
internal import SessionStore

/// Sessions whose extension adds a file to the photo library.
struct IngestOperations {
  private let world: WorkerEnvironment

  init(_ world: WorkerEnvironment) { self.world = world }

  /// Runs a session of the plan `small` that moves its first file into the library, or copies it with
  /// `stays`, and is migrated.
  func run(_ words: [String]) throws {
    try world.prepare()
    let library = try PhotoLibrary(world.library)
    let plan = Plan.small
    let workspace = try SessionOperations(world).begin(plan)
    SessionOperations(world).write(plan, workspace)
    let stays = words.contains("stays")
    var ingested: [SessionRecord.Ingested] = []
    if let path = plan.entries.first?.path {
      let ingest = Ingest(
        directory: workspace.places.contentDirectory,
        path: path,
        app: WorkerEnvironment.appID,
        session: workspace.id.description,
        source: stays ? .keep : .remove
      )
      try world.acknowledgments.note("\(stays ? "copying" : "ingesting") \(workspace.id) \(path)")
      // A refusal is reported to the extension; the session continues.
      do {
        let content = try FileSystem.open(workspace.places.contentDirectory, [.directory])
        let asset = try library.add(ingest, in: content)
        try world.acknowledgments.note("ingested \(workspace.id) \(path)")
        ingested.append(.init(asset: asset.id, path: path))
      } catch { printLine("the extension receives the error: \(error)") }
    }
    try SessionOperations(world).handOver(workspace, ingested: ingested)
  }
}
