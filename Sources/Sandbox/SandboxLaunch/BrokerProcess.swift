// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// One process of a broker, with the mounts of the host at the time of its creation.
///
/// `@unchecked Sendable`, because only the thread that uses the broker calls it, and it is freed after its
/// thread has exited.
final class BrokerProcess: @unchecked Sendable {
  /// The process in the C code.
  let raw: OpaquePointer
  /// The host's mount table, whose descriptor reports each later change once (proc_pid_mountinfo(5)).
  private let mounts: Descriptor
  /// The mounts before they were copied, or `nil` if changes cannot be detected.
  private let before: MountState?
  /// The reusable network namespaces. A process of an unprivileged user has privileges only over those that
  /// it has created.
  let networks: SpareNetworks
  private let view = Mutex(View())
  private let prepared = Mutex<BrokerPreparation?>(nil)
  /// The thread whose exit ends the process, or `nil` when it was joined.
  private let thread: Mutex<PlainThread?>
  /// The error of creating the process.
  private let refusal: Refusal

  /// The error because of which a process could not be created, or `nil`.
  private final class Refusal: Sendable {
    let errno = Mutex<Errno?>(nil)
  }

  /// The state of the process's view of the host's mounts.
  private struct View {
    /// Whether no mount had changed at a time when the mounts were copied already.
    var isCopyCurrent = false
    /// Whether the mounts differ permanently from the copy.
    var isStale = false
  }

  /// A pointer that is passed to the thread.
  private struct Handle: @unchecked Sendable {
    var raw: OpaquePointer
  }

  /// Creates the process for launches of this process's user, or for other users if it is root. Sessions of
  /// root use the network namespaces of `spares`.
  init(spares: SpareNetworks) throws(SandboxLaunchError) {
    // The table is opened before the mounts are copied, so that no change is missed.
    do { mounts = try FileSystem.open("/proc/self/mountinfo", .read) } catch { throw .host(error) }
    before = (try? MountState.read(mounts)) ?? nil
    let isRoot = CurrentProcess.effectiveUserID == 0
    guard
      let raw = darkroom_broker_make(
        isRoot ? .other : .brokered,
        CurrentProcess.effectiveUserID,
        CurrentProcess.effectiveGroupID
      )
    else { throw .host(SystemCallError("mmap")) }
    networks = isRoot ? spares : SpareNetworks(ofBroker: true)
    let handle = Handle(raw: raw)
    let refusal = Refusal()
    do {
      thread = Mutex(
        try PlainThread.start(name: "launch-broker") {
          // A launch of a client, with the client's directory, may create this thread.
          try? ThreadContext.moveToRoot()
          let error = darkroom_broker_run(handle.raw)
          if error < 0 { refusal.errno.withLock { $0 = Errno(rawValue: -error) } }
        }
      )
    } catch {
      darkroom_broker_free(raw)
      throw .host(error)
    }
    self.raw = raw
    self.refusal = refusal
  }

  deinit {
    darkroom_broker_stop(raw)
    thread.withLock { $0.take() }?.join()
    darkroom_broker_free(raw)
  }

  /// The end of the process, or `nil` while it is running.
  var end: LaunchBroker.End? {
    darkroom_broker_is_over(raw) == 0 ? nil : LaunchBroker.End(errno: refusal.errno.withLock { $0 })
  }

  /// The preparation that the process uses. It is kept as long as the process may use it.
  var preparation: BrokerPreparation? {
    get { prepared.withLock { $0 } }
    set { prepared.withLock { $0 = newValue } }
  }

  /// Returns whether the process sees the current mounts of the host.
  ///
  /// If the host's mounts are private, as in most containers, the copy does not receive later mounts. The
  /// process is then replaced after a change that was not undone. If the mounts are shared, the copy receives
  /// each change. A mount that was removed can still be in the prepared resources, which are not used then.
  func hasCurrentMounts() -> Bool {
    view.withLock { view in
      if view.isStale { return false }
      // This is read before the mount table: the mounts may be copied in between, with a mount that is
      // removed at once.
      let isCopied = darkroom_broker_is_ready(raw) != 0
      if (try? Poller.hasException(mounts.rawValue)) == false {
        view.isCopyCurrent = view.isCopyCurrent || isCopied
        return true
      }
      view.isStale = !view.isCopyCurrent || before == nil || (try? MountState.read(mounts)) != before
      preparation?.isOutdated = true
      return !view.isStale
    }
  }

  /// Releases a process on a separate thread, because the kernel takes some time to end it.
  static func retire(_ process: consuming BrokerProcess) {
    let old = process
    _ = try? PlainThread.start(name: "broker-end") { withExtendedLifetime(old) {} }
  }
}
