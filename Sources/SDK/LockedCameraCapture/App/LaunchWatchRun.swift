// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// One thread that waits for an app's mailbox until it is stopped, and holds `app.lock` as long.
///
/// Unchecked, because what changes is made before the thread starts and afterwards touched only by it.
final class LaunchWatchRun: @unchecked Sendable {
  /// How long to wait, in nanoseconds, before trying again what the kernel has refused.
  private static var retry: UInt64 { 1_000_000_000 }

  private let container: AppContainer
  /// Readable when there is somebody new to serve, or nobody any more.
  private let woken: Descriptor
  private let stopped: Descriptor
  private var watch: DirectoryWatch?
  private var lock: FileLock?

  /// Prepares to wait.
  init(_ container: AppContainer) throws(SystemCallError) {
    self.container = container
    woken = try EventCounter.make()
    stopped = try EventCounter.make()
    prepare()
  }

  /// Does what is not done yet: another process of the app may have the lock, and the directory may be missing.
  private func prepare() {
    if lock == nil { lock = (try? FileLock.tryLock(container.listeningLock)) ?? nil }
    if watch == nil {
      try? FileSystem.makeDirectory(container.activitiesDirectory)
      watch = try? DirectoryWatch(container.activitiesDirectory)
    }
  }

  /// Starts the thread; it calls `look` whenever something may be there.
  func start(_ look: @escaping @Sendable () -> Void) throws(SystemCallError) {
    _ = try PlainThread.start(name: "darkroom-mail") { [self] in
      do { try run(look) } catch {
        CurrentProcess.complain("\(container.activitiesDirectory) is not watched any more: \(error)")
      }
      lock = nil
    }
  }

  /// Looks again.
  func wake() { try? EventCounter.add(to: woken) }

  /// Ends the thread.
  func stop() { try? EventCounter.add(to: stopped) }

  private func run(_ look: () -> Void) throws(SystemCallError) {
    while true {
      prepare()
      // After the lock is held and the watch has begun, so that nothing falls between.
      look()
      let deadline = watch == nil || lock == nil ? MonotonicClock.now + Self.retry : nil
      let ready = try Poller.wait(
        [
          (stopped.rawValue, .readable), (woken.rawValue, .readable),
          (watch?.descriptor.rawValue ?? -1, .readable),
        ],
        until: deadline
      )
      if !ready[0].isEmpty { return }
      _ = try EventCounter.take(woken)
      if try watch?.changes().contains(.directoryGone) == true { watch = nil }
    }
  }
}
