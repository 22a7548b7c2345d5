// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// One process of a broker, with the mounts that the host had when it was made.
///
/// `@unchecked Sendable`, because only whoever has taken the broker's turn asks it for anything, and it is freed after its
/// thread has ended.
final class BrokerProcess: @unchecked Sendable {
  /// The process as C knows it.
  let raw: OpaquePointer
  /// The host's table of mounts, which tells of every change since it was opened (proc_pid_mountinfo(5)), but of each only
  /// once.
  private let mounts: Descriptor
  /// What was mounted before they were copied; nil: it cannot be known again.
  private let before: MountState?
  /// What the sessions that it makes leave of networks. Over those of an ordinary user it alone has privileges.
  let networks: SpareNetworks
  private let view = Mutex(View())
  private let prepared = Mutex<BrokerPreparation?>(nil)
  /// The thread that the process lives as long as; nil once it was waited for.
  private let thread: Mutex<PlainThread?>
  /// Why it could not be made; nil: it could, or it is being made.
  private let refusal: Refusal

  /// Why a process could not be made.
  private final class Refusal: Sendable {
    let errno = Mutex<Errno?>(nil)
  }

  /// What is known of how the process sees the host's mounts.
  private struct View {
    /// Whether the mounts had been copied by a moment until which nothing had come or gone.
    var isCopySame = false
    /// Whether they are others by now; they stay so.
    var isOther = false
  }

  /// Carries a pointer into the thread.
  private struct Handle: @unchecked Sendable {
    var raw: OpaquePointer
  }

  /// Makes the process for launches of this process's own user, or of others where that is root, which have networks of
  /// `spares`.
  init(spares: SpareNetworks) throws(SandboxLaunchError) {
    // Opened before the mounts are copied, so that no change is missed.
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
          // It may be made anew by the launch of a client that has a directory of its own.
          try? ThreadPlace.leave()
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

  /// That the process is no more; nil: it lives.
  var end: LaunchBroker.End? {
    darkroom_broker_is_over(raw) == 0 ? nil : LaunchBroker.End(errno: refusal.errno.withLock { $0 })
  }

  /// What the process prepares, or has prepared; it stays as long as the process may work with it.
  var preparation: BrokerPreparation? {
    get { prepared.withLock { $0 } }
    set { prepared.withLock { $0 = newValue } }
  }

  /// Whether the process sees what the host sees. Where the host shares its mounts with nobody, as in most containers, a
  /// copy of them does not learn of what is mounted later; so no process outlives a change, unless that was undone. Where
  /// they are shared, what comes and goes comes to the copy and goes from it as well; but it can be in what was prepared
  /// meanwhile, which is not used any more then.
  func seesTheHostsMounts() -> Bool {
    view.withLock { view in
      if view.isOther { return false }
      // Asked ahead of the table: it may be copied in between, with something in it that goes at once.
      let isCopied = darkroom_broker_is_ready(raw) != 0
      if (try? Poller.hasException(mounts.rawValue)) == false {
        view.isCopySame = view.isCopySame || isCopied
        return true
      }
      view.isOther = !view.isCopySame || before == nil || (try? MountState.read(mounts)) != before
      preparation?.isOutdated = true
      return !view.isOther
    }
  }

  /// Lets go of a process on a thread of its own: the kernel takes a while to end it.
  static func retire(_ process: consuming BrokerProcess) {
    let old = process
    _ = try? PlainThread.start(name: "broker-end") { withExtendedLifetime(old) {} }
  }
}
