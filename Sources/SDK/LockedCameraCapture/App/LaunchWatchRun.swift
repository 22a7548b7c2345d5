// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A thread that watches an app's mailbox until it is stopped, and holds `app.lock` meanwhile.
///
/// `@unchecked Sendable`, because the mutable state is created before the thread starts and then used only by
/// the thread.
final class LaunchWatchRun: @unchecked Sendable {
  /// The interval, in nanoseconds, between attempts to take the lock or to watch the mailbox.
  private static var retry: UInt64 { 1_000_000_000 }

  private let container: AppContainer
  /// An eventfd that becomes readable when the set of consumers changes.
  private let woken: Descriptor
  private let stopped: Descriptor
  private var watch: DirectoryWatch?
  private var lock: FileLock?

  /// Creates the eventfds and tries to take the lock and to watch the mailbox.
  init(_ container: AppContainer) throws(SystemCallError) {
    self.container = container
    woken = try EventCounter.make()
    stopped = try EventCounter.make()
    prepare()
  }

  /// Takes the lock and creates the watch, if that has not succeeded yet.
  ///
  /// Another process of the app may hold the lock, and the directory may be missing.
  private func prepare() {
    if lock == nil { lock = (try? FileLock.tryLock(container.listeningLock)) ?? nil }
    if watch == nil {
      try? FileSystem.makeDirectory(container.activitiesDirectory)
      watch = try? DirectoryWatch(container.activitiesDirectory)
    }
  }

  /// Starts the thread, which calls `look` whenever a delivery may be pending.
  func start(_ look: @escaping @Sendable () -> Void) throws(SystemCallError) {
    _ = try PlainThread.start(name: "darkroom-mail") { [self] in
      do { try run(look) } catch {
        CurrentProcess.complain("\(container.activitiesDirectory) is not watched any more: \(error)")
      }
      lock = nil
    }
  }

  /// Wakes the thread, so that it checks the mailbox.
  func wake() { try? EventCounter.add(to: woken) }

  /// Stops the thread.
  func stop() { try? EventCounter.add(to: stopped) }

  private func run(_ look: () -> Void) throws(SystemCallError) {
    while true {
      prepare()
      // After the lock is held and the watch exists, so that no delivery is missed.
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
