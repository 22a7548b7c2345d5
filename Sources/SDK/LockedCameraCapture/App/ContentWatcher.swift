// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A thread that watches a content directory until it is stopped.
///
/// `@unchecked Sendable`, because the watch is created before the thread starts and then used only by the
/// thread.
final class ContentWatcher: @unchecked Sendable {
  /// The location of a change.
  enum Finding: Sendable {
    /// The directory entry with this name has changed.
    case entryChanged(String)
    /// Any entry may have changed: events were lost or are unavailable.
    case rescan
  }

  /// The interval, in nanoseconds, between checks if the kernel delivers no events.
  private static var retryInterval: UInt64 { 1_000_000_000 }

  private let content: ContentDirectory
  private let stopEvent: Descriptor
  private var watch: DirectoryWatch?

  /// Starts to watch; the thread reports the changes from now on after ``start(_:)``.
  init(_ content: ContentDirectory) throws(SystemCallError) {
    self.content = content
    stopEvent = try EventCounter.make()
    watch = Self.makeWatch(content)
  }

  /// Returns a watch of the directory, or `nil` if the directory cannot be watched.
  ///
  /// It creates the directory for an app that has had no session yet.
  private static func makeWatch(_ content: ContentDirectory) -> DirectoryWatch? {
    try? content.makeIfMissing()
    return try? DirectoryWatch(content.path)
  }

  /// Starts the thread, which calls `report` until ``stop()``.
  func start(
    _ report: @escaping @Sendable (ContentWatcher, [Finding]) -> Void
  ) throws(SystemCallError) {
    _ = try PlainThread.start(name: "darkroom-content") { [self] in
      do { try run(report) } catch {
        CurrentProcess.writeToStandardError("\(content.path) is no longer watched: \(error)")
      }
    }
  }

  /// Stops the thread; its last report may still arrive.
  func stop() { try? EventCounter.add(to: stopEvent) }

  private func run(_ report: (ContentWatcher, [Finding]) -> Void) throws(SystemCallError) {
    while true {
      let deadline = watch == nil ? MonotonicClock.now + Self.retryInterval : nil
      let watched = watch?.descriptor.rawValue ?? -1
      let ready = try Poller.wait([(stopEvent.rawValue, .readable), (watched, .readable)], until: deadline)
      if !ready[0].isEmpty { return }
      if let changes = try watch?.changes() {
        report(self, findings(changes))
      } else {
        // There are too many watches, or the app is currently not installed.
        watch = Self.makeWatch(content)
        report(self, [.rescan])
      }
    }
  }

  private func findings(_ changes: [DirectoryChange]) -> [Finding] {
    var findings: [Finding] = []
    for change in changes {
      switch change {
      case .appeared(let name), .disappeared(let name): findings.append(.entryChanged(name))
      case .overflow: findings.append(.rescan)
      case .directoryGone:
        // Another directory may have the same path by now.
        watch = Self.makeWatch(content)
        findings.append(.rescan)
      }
    }
    return findings
  }
}
