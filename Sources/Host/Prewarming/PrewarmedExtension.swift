// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

/// A prewarmed extension in its sandbox, which can be launched once.
///
/// The extension has an empty session directory, an empty ring without a camera, and a context file that
/// contains `null`.
///
/// The class is safe to send because it has one owner at a time. The owner is the pool, under its lock, and
/// then the caller that has taken the extension out.
final class PrewarmedExtension: @unchecked Sendable {
  /// The key that a request must match.
  let key: PrewarmKey
  /// The ID of the session.
  let id: SessionID
  /// The pipes, ring and log.
  let wiring: SessionWiring
  /// The user and group that the extension runs as, outside its namespaces.
  let identity: LaunchPlan.Identity
  /// The path of the shared assets that the extension was shown.
  let assetsPath: String?
  private var monitor: PrewarmMonitor
  private var started: StartedSession?
  private var workspace: SessionWorkspace?
  private var assets: HeldAssets?

  /// Creates a prewarmed extension from its prepared parts.
  init(
    _ key: PrewarmKey,
    _ identity: LaunchPlan.Identity,
    _ wiring: SessionWiring,
    _ watch: PrewarmMonitor,
    _ started: consuming StartedSession,
    _ workspace: consuming SessionWorkspace,
    _ assets: consuming HeldAssets
  ) {
    self.key = key
    self.wiring = wiring
    self.identity = identity
    self.monitor = watch
    id = workspace.id
    assetsPath = assets.path
    self.started = consume started
    self.workspace = consume workspace
    self.assets = consume assets
  }

  /// The descriptors that become readable when the extension misbehaves or writes output.
  var watched: [Int32] { monitor.watched }

  /// The time of the next check, in ``MonotonicClock`` nanoseconds.
  var nextDeadline: UInt64 { monitor.nextDeadline }

  /// Returns the reason why the extension must not be launched any longer, or `nil`. Expensive checks run
  /// only when they are due.
  func fault(at now: UInt64) -> PrewarmEndReason? { monitor.fault(at: now) }

  /// Returns the reason why the extension must not be launched now, or `nil`.
  func launchFault() -> PrewarmEndReason? { monitor.launchFault() }
}

extension PrewarmedExtension {
  /// Turns the prewarmed session into a launched one. Writes the app context. A signal to `hostProcess` will
  /// dismiss the session.
  ///
  /// Returns the journal, or `nil` if the session was launched or dropped before.
  func begin(_ context: JSONValue, hostProcess: Int32) throws(SessionError) -> LaunchJournal? {
    do throws(SystemCallError) {
      if context != .null, let path = workspace?.places.contextFile {
        let file = try FileSystem.open(path, [.write, .noFollow])
        let bytes = context.bytes()
        try file.writeAll(bytes)
        try file.truncate(to: Int64(bytes.count))
      }
    } catch { throw .host(error) }
    do throws(StoreError) { return try workspace?.markLaunched(hostProcess: hostProcess) } catch {
      throw .store(error)
    }
  }

  /// Returns the processes, once.
  func takeStarted() -> StartedSession? { started.take() }

  /// Returns the directories, once.
  func takeWorkspace() -> SessionWorkspace? { workspace.take() }

  /// Terminates the extension and deletes the files that the session created.
  func drop() {
    started.take()?.terminate()
    wiring.camera.stop()
    workspace.take()?.abandon()
    assets = nil
  }
}
