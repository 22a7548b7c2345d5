// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
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
  /// Its pipes, ring and log.
  let wiring: SessionWiring
  /// Who the extension is outside.
  let identity: LaunchPlan.Identity
  /// The set of shared files that it was shown.
  let assetsPath: String?
  private var watch: WarmWatch
  private var started: StartedSession?
  private var workspace: SessionWorkspace?
  private var assets: HeldAssets?

  /// Takes over what was prepared.
  init(
    _ key: WarmKey,
    _ identity: LaunchPlan.Identity,
    _ wiring: SessionWiring,
    _ watch: WarmWatch,
    _ started: consuming StartedSession,
    _ workspace: consuming SessionWorkspace,
    _ assets: consuming HeldAssets
  ) {
    self.key = key
    self.wiring = wiring
    self.identity = identity
    self.watch = watch
    id = workspace.id
    assetsPath = assets.path
    self.started = consume started
    self.workspace = consume workspace
    self.assets = consume assets
  }

  /// The descriptors on which something happens when it does what it must not, or writes.
  var watched: [Int32] { watch.watched }

  /// When it has to be looked at.
  var nextMoment: UInt64 { watch.nextMoment }

  /// Why it must not be launched any more; nil: it may. What takes time is looked at only when it is time to.
  func fault(at now: UInt64) -> WarmEnd? { watch.fault(at: now) }

  /// Why it must not be launched now; nil: it may.
  func launchFault() -> WarmEnd? { watch.launchFault() }
}

extension WarmSlot {
  /// Makes it a session that was launched, with this context, which a signal to `hostProcess` ends; nil: it was launched
  /// or dropped before.
  func begin(_ context: JSONValue, hostProcess: Int32) throws(SessionError) -> BegunJournal? {
    do throws(SystemCallError) {
      if context != .null, let path = workspace?.places.contextFile {
        let file = try FileSystem.open(path, [.write, .noFollow])
        let bytes = context.bytes()
        try file.writeAll(bytes)
        try file.truncate(to: Int64(bytes.count))
      }
    } catch { throw .host(error) }
    do throws(StoreError) { return try workspace?.begin(hostProcess: hostProcess) } catch {
      throw .store(error)
    }
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
