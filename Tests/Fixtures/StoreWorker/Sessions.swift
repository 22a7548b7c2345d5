// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import ExtensionProtocol
internal import Glibc
internal import LinuxPrimitives
internal import PhotoLibrary
internal import SessionStore

/// Session operations from the start to the cleanup, and their recovery.
struct SessionOperations {
  private let world: WorkerEnvironment

  init(_ world: WorkerEnvironment) { self.world = world }

  /// Runs a session that writes its plan and is migrated: `PLAN [tell]`.
  func run(_ words: [String]) throws {
    guard let plan = words.first.flatMap(Plan.init(rawValue:)) else { throw WorkerError("no such plan") }
    try world.prepare()
    try runOne(plan, notifiesApp: words.contains("tell"))
  }

  /// Runs a number of sessions one after another: `COUNT PLAN`.
  func runMany(_ words: [String]) throws {
    guard words.count == 2, let count = Int(words[0]), let plan = Plan(rawValue: words[1]) else {
      throw WorkerError("sessions COUNT PLAN")
    }
    try world.prepare()
    for _ in 0..<count { try runOne(plan, notifiesApp: false) }
  }

  /// Runs a session with a prewarmed extension from its launch: `PLAN`.
  func launch(_ words: [String]) throws {
    guard let plan = words.first.flatMap(Plan.init(rawValue:)) else { throw WorkerError("no such plan") }
    try world.prepare()
    var workspace = try SessionWorkspace.prepare(
      for: world.app(),
      extensionID: "\(WorkerEnvironment.extensionID).\(plan.rawValue)",
      stage: .prewarmed
    )
    // The host must not send anything to the extension before this.
    try workspace.markLaunched().write()
    try world.acknowledgments.note("began \(workspace.id) \(plan.rawValue)")
    write(plan, workspace)
    try handOver(workspace)
  }

  private func runOne(_ plan: Plan, notifiesApp: Bool) throws {
    let workspace = try begin(plan)
    write(plan, workspace)
    if notifiesApp { try notifyApp(workspace) }
    try handOver(workspace)
  }

  /// Creates the workspace of a session.
  func begin(_ plan: Plan) throws -> SessionWorkspace {
    let workspace = try SessionWorkspace.prepare(
      for: world.app(),
      extensionID: "\(WorkerEnvironment.extensionID).\(plan.rawValue)"
    )
    try world.acknowledgments.note("began \(workspace.id) \(plan.rawValue)")
    return workspace
  }

  /// Writes the entries of a plan. An extension that cannot write exits; its session is migrated anyway.
  func write(_ plan: Plan, _ workspace: borrowing SessionWorkspace) {
    do {
      for entry in plan.entries {
        try Plan.write(entry, below: workspace.places.contentDirectory)
        try world.acknowledgments.note("wrote \(workspace.id) \(entry.path)")
      }
      guard plan.writesLog else { return }
      try workspace.places.openLog().writeAll(Array("the extension has said this\n".utf8))
      try world.acknowledgments.note("spoke \(workspace.id)")
    } catch { printLine("the extension: \(error)") }
  }

  /// Records a pending delivery for the app.
  private func notifyApp(_ workspace: borrowing SessionWorkspace) throws {
    var delivery = AppDelivery.now(.captureExtension)
    delivery.session = workspace.id.description
    try world.acknowledgments.note("telling \(workspace.id) \(delivery.id)")
    try PendingDelivery.write(delivery, in: workspace.places)
    try world.acknowledgments.note("noted \(workspace.id) \(delivery.id)")
  }

  /// Ends a session and migrates its content.
  func handOver(_ workspace: consuming SessionWorkspace, ingested: [SessionRecord.Ingested] = []) throws {
    let id = workspace.id
    var draft = SessionRecord(
      sessionID: id,
      app: WorkerEnvironment.appID,
      extensionID: workspace.extensionID,
      startedAt: workspace.startedAt,
      endedAt: WallClock.milliseconds,
      outcome: .completed(exitCode: 0)
    )
    draft.ingested = ingested
    let result = try Migration(workspace, draft: draft, digests: .sha256).run()
    // Even if a log fault follows, the content is delivered.
    try world.acknowledgments.note("delivered \(id)")
    if let fault = result.logFault { throw fault }
    try world.acknowledgments.note("ended \(id)")
  }

  /// Runs a session whose extension erases its durable content: `PLAN`.
  func erase(_ words: [String]) throws {
    guard let plan = words.first.flatMap(Plan.init(rawValue:)) else { throw WorkerError("no such plan") }
    try world.prepare()
    let workspace = try begin(plan)
    write(plan, workspace)
    try FileSystem.open(workspace.places.contentDirectory, [.directory]).synchronizeFileSystem()
    try world.acknowledgments.note("erasing \(workspace.id)")
    _ = try ContentEraser.erase(workspace.places)
    try world.acknowledgments.note("erased \(workspace.id)")
    try handOver(workspace)
  }

  /// Creates a workspace and removes it, like a failed launch.
  func abandon() throws {
    try world.prepare()
    let workspace = try begin(.none)
    try world.acknowledgments.note("abandoning \(workspace.id)")
    workspace.abandon()
  }

  /// Runs a session until end of file on standard input: `PLAN [child]`. Prints the session ID once the
  /// session runs, and then the PID of a child that outlives this process, if requested.
  func hold(_ words: [String]) throws {
    guard let plan = words.first.flatMap(Plan.init(rawValue:)) else { throw WorkerError("no such plan") }
    try world.prepare()
    let workspace = try begin(plan)
    write(plan, workspace)
    printLine("\(workspace.id)")
    if words.contains("child") { try startChild() }
    let byte = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    defer { byte.deallocate() }
    while Descriptor.readOnce(0, into: byte) != nil {}
    try handOver(workspace)
  }

  /// Starts a program that survives this process.
  private func startChild() throws {
    let names: [String] = ["/bin/sleep", "60"]
    let words: [UnsafeMutablePointer<CChar>?] = names.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    guard posix_spawn(&process, "/bin/sleep", nil, nil, words, nil) == 0 else {
      throw WorkerError("no child")
    }
    printLine("\(process)")
  }

  /// Invalidates all pending content of the app.
  func invalidate() throws {
    let content = DeliveredContent(try world.app())
    for session in try content.list() {
      try world.acknowledgments.note("invalidating \(session.id)")
      try content.invalidate(session.id)
      try world.acknowledgments.note("invalidated \(session.id)")
    }
  }

  /// Posts a delivery to the app for another reason than the end of a session.
  func post() throws {
    try world.prepare()
    let delivery = AppDelivery.now(.control)
    try world.acknowledgments.note("posting \(delivery.id)")
    try Mailbox(world.app()).post(delivery)
    try world.acknowledgments.note("posted \(delivery.id)")
  }

  /// Performs the operation of `darkroom recover`.
  func recover() throws {
    try world.root.prepare()
    let library = world.library.exists ? try PhotoLibrary(world.library) : nil
    let summary = try Recovery.run(in: world.root, digests: .sha256) { session in
      let assets = (try? library?.added(by: session.description)) ?? []
      return assets.map { .init(asset: $0.id, path: $0.sourcePath ?? "") }
    }
    for report in summary.sessions {
      switch report.finding {
      case .failed(let error), .damaged(let error): throw error
      case .live, .finished, .neverStarted, .erased: continue
      }
    }
    if let fault = summary.fault { throw fault }
    try world.catalog.recover()
    try world.acknowledgments.note("recovered")
  }
}
