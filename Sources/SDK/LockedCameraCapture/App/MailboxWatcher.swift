// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A thread that watches an app's mailbox until it is stopped, and holds `app.lock` meanwhile.
///
/// `@unchecked Sendable`, because the mutable state is created before the thread starts and then used only by
/// the thread.
final class MailboxWatcher: @unchecked Sendable {
  /// The interval, in nanoseconds, between attempts to take the lock or to watch the mailbox.
  private static var retryInterval: UInt64 { 1_000_000_000 }

  private let container: AppContainer
  /// An eventfd that becomes readable when the set of consumers changes.
  private let wakeEvent: Descriptor
  private let stopEvent: Descriptor
  private var watch: DirectoryWatch?
  private var lock: FileLock?

  /// Creates the eventfds and tries to take the lock and to watch the mailbox.
  init(_ container: AppContainer) throws(SystemCallError) {
    self.container = container
    wakeEvent = try EventCounter.make()
    stopEvent = try EventCounter.make()
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

  /// Starts the thread, which calls `handler` whenever a delivery may be pending.
  func start(_ handler: @escaping @Sendable () -> Void) throws(SystemCallError) {
    _ = try PlainThread.start(name: "darkroom-mail") { [self] in
      do { try run(handler) } catch {
        CurrentProcess.writeToStandardError(
          "\(container.activitiesDirectory) is no longer watched: \(error)"
        )
      }
      lock = nil
    }
  }

  /// Wakes the thread, so that it checks the mailbox.
  func wake() { try? EventCounter.add(to: wakeEvent) }

  /// Stops the thread.
  func stop() { try? EventCounter.add(to: stopEvent) }

  private func run(_ handler: () -> Void) throws(SystemCallError) {
    while true {
      prepare()
      // After the lock is held and the watch exists, so that no delivery is missed.
      handler()
      let deadline = watch == nil || lock == nil ? MonotonicClock.now + Self.retryInterval : nil
      let ready = try Poller.wait(
        [
          (stopEvent.rawValue, .readable), (wakeEvent.rawValue, .readable),
          (watch?.descriptor.rawValue ?? -1, .readable),
        ],
        until: deadline
      )
      if !ready[0].isEmpty { return }
      _ = try EventCounter.take(wakeEvent)
      if try watch?.changes().contains(.directoryGone) == true { watch = nil }
    }
  }
}
