// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

/// One extension that was started ahead, in its sandbox, and waits to be launched once.
///
/// It has an empty session directory, an empty ring without a camera, and a context file that says `null`. It is in one
/// pair of hands at a time: the pool's, under its lock, until it is taken out; then those of who took it out.
final class WarmSlot: @unchecked Sendable {
  /// What a launch has to be for.
  let key: WarmKey
  /// The session that it becomes.
  let id: SessionID
  /// When it is too old, in ``MonotonicClock`` nanoseconds.
  let expiry: UInt64
  /// Its pipes, ring and log.
  let wiring: SessionWiring
  /// Who the extension is outside.
  let identity: LaunchPlan.Identity
  /// The set of shared files that it was shown.
  let assetsPath: String?
  /// When it is looked at next, in ``MonotonicClock`` nanoseconds.
  private(set) var nextLook: UInt64
  private let handle: Int32
  private let meter: TreeMeter
  private let refusals: RefusalSupervisor?
  private var started: StartedSession?
  private var workspace: SessionWorkspace?
  private var assets: HeldAssets?

  /// How often its directory and its program's file are looked at, in nanoseconds.
  private static let interval: UInt64 = 2_000_000_000

  /// Takes over what was prepared.
  private init(
    _ key: WarmKey,
    _ expiry: UInt64,
    _ wiring: SessionWiring,
    _ identity: LaunchPlan.Identity,
    _ started: consuming StartedSession,
    _ workspace: consuming SessionWorkspace,
    _ assets: consuming HeldAssets
  ) {
    self.key = key
    self.expiry = expiry
    self.wiring = wiring
    self.identity = identity
    id = workspace.id
    assetsPath = assets.path
    handle = started.launch.process.handle.descriptor.rawValue
    meter = started.meter
    refusals = started.refusals
    nextLook = MonotonicClock.now + Self.interval
    self.started = consume started
    self.workspace = consume workspace
    self.assets = consume assets
  }

  /// The descriptors on which an extension that waits must stay silent: its end, its messages, too many refused calls.
  var watched: [Int32] { [handle, wiring.channel?.readable ?? -1, refusals?.flooded.rawValue ?? -1] }

  /// When it has to be looked at.
  var nextMoment: UInt64 { min(expiry, nextLook, meter.nextMoment) }
}

// MARK: - Start

extension WarmSlot {
  /// Starts an extension that waits.
  static func prepare(_ recipe: WarmRecipe, _ planner: LaunchPlanner, lifetime: UInt64) throws -> WarmSlot {
    let app = recipe.key.app
    return try recipe.holding {
      let assets = try SharedAssets(app).hold()
      var request = recipe.request()
      request.room = try SessionRunner.room(for: request)
      guard assets.path == recipe.key.assets, request.mostBytes == recipe.key.mostBytes else {
        throw WarmFault.changed
      }
      let identity = SessionIdentity.forOneSession()
      let workspace = try SessionRunner.workspace(for: request, identity, .waiting)
      do {
        let wiring = try SessionWiring(waiting: request, log: workspace.log, camera: recipe.key.camera)
        let session = try RunningSession(waiting: request, workspace, identity, assets.path)
        let started = try session.start(planner, wiring)
        // A program that was exchanged while it was started may be either.
        guard started.launch.paths == .ownRoot, recipe.key.isCurrent else {
          let isRestricted = started.launch.paths != .ownRoot
          started.end()
          throw isRestricted ? WarmFault.restricted : .changed
        }
        let expiry = MonotonicClock.now + lifetime
        return WarmSlot(recipe.key, expiry, wiring, identity, started, workspace, assets)
      } catch {
        workspace.abandon()
        throw error
      }
    }
  }
}

extension RunningSession {
  /// A session that has not begun: it has no context, and is never driven.
  fileprivate init(
    waiting request: SessionRequest,
    _ workspace: borrowing SessionWorkspace,
    _ identity: LaunchPlan.Identity,
    _ assets: String?
  ) throws {
    let file = workspace.places.contextFile
    // Readable for the extension, which may be another user; its mount is what keeps it from writing.
    try FileSystem.replaceContents(file, with: JSONValue.null.bytes())
    try FileSystem.open(file, [.read, .noFollow]).setPermissions(0o644)
    self.init(
      request: request,
      id: workspace.id,
      startedAt: workspace.startedAt,
      contentPath: workspace.places.contentDirectory,
      assetsPath: assets,
      context: .null,
      identity: identity,
      began: MonotonicClock.now,
      contextFile: file
    )
  }
}

// MARK: - Waiting

extension WarmSlot {
  /// Why it must not be launched any more; nil: it may. What takes time is looked at only when it is time to.
  func fault(at now: UInt64) -> WarmEnd? {
    if now >= expiry { return .expired }
    if let fault = sign { return fault }
    if meter.measure(at: now) != nil { return .exceeded }
    guard now >= nextLook else { return nil }
    nextLook = now + Self.interval
    return key.isCurrent ? contentFault : .changed
  }

  /// Why it must not be launched now; nil: it may.
  var launchFault: WarmEnd? { MonotonicClock.now >= expiry ? .expired : sign ?? contentFault }

  /// What its descriptors say.
  private var sign: WarmEnd? {
    guard let found = try? Poller.wait(watched.map { ($0, .readable) }, until: 0) else { return .died }
    if !found[0].isEmpty { return .died }
    // Whoever ends closes everything a moment before.
    if !found[1].isEmpty { return found[1].contains(.readable) ? .spoke : .died }
    return found[2].isEmpty ? nil : .exceeded
  }

  /// What its session directory says.
  private var contentFault: WarmEnd? {
    switch workspace {
    case .some(let workspace): workspace.hasContent() ? .wrote : nil
    case .none: .died
    }
  }
}

// MARK: - Launch and end

extension WarmSlot {
  /// Makes it a session that was launched, with this context; nil: it was launched or dropped before.
  func begin(_ context: JSONValue) throws(SessionError) -> BegunJournal? {
    do throws(SystemCallError) {
      if context != .null, let path = workspace?.places.contextFile {
        let file = try FileSystem.open(path, [.write, .noFollow])
        let bytes = context.bytes()
        try file.writeAll(bytes)
        try file.truncate(to: Int64(bytes.count))
      }
    } catch { throw .host(error) }
    do throws(StoreError) { return try workspace?.begin() } catch { throw .store(error) }
  }

  /// Gives its processes away.
  func takeStarted() -> StartedSession? { started.take() }

  /// Gives its directory away.
  func takeWorkspace() -> SessionWorkspace? { workspace.take() }

  /// Ends it; what it has made is deleted, and nobody ever sees it.
  func drop() {
    started.take()?.end()
    wiring.camera.stop()
    workspace.take()?.abandon()
    assets = nil
  }
}
