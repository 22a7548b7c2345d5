// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// One thread that watches a content directory until it is stopped.
///
/// Unchecked, because the watch is made before the thread starts and afterwards touched only by it.
final class ContentWatchRun: @unchecked Sendable {
  /// Where something has changed.
  enum Finding: Sendable {
    /// At this name.
    case touched(String)
    /// Anywhere: events were lost, or could not be had.
    case anything
  }

  /// How long to wait, in nanoseconds, before looking again where the kernel gives no events.
  private static var retry: UInt64 { 1_000_000_000 }

  private let content: ContentDirectory
  private let stopping: Descriptor
  private var watch: DirectoryWatch?

  /// Begins to watch; what happens from now on is found once the thread is started.
  init(_ content: ContentDirectory) throws(SystemCallError) {
    self.content = content
    stopping = try EventCounter.make()
    watch = Self.makeWatch(content)
  }

  /// Watches the directory, which is made if the app has never had a session; nil where that cannot be.
  private static func makeWatch(_ content: ContentDirectory) -> DirectoryWatch? {
    try? content.makeIfMissing()
    return try? DirectoryWatch(content.path)
  }

  /// Starts the thread; it calls `report` until ``stop()``.
  func start(
    _ report: @escaping @Sendable (ContentWatchRun, [Finding]) -> Void
  ) throws(SystemCallError) {
    _ = try PlainThread.start(name: "darkroom-content") { [self] in
      do { try run(report) } catch {
        CurrentProcess.complain("\(content.path) is not watched any more: \(error)")
      }
    }
  }

  /// Ends the thread; its last report may still be on the way.
  func stop() { try? EventCounter.add(to: stopping) }

  private func run(_ report: (ContentWatchRun, [Finding]) -> Void) throws(SystemCallError) {
    while true {
      let deadline = watch == nil ? MonotonicClock.now + Self.retry : nil
      let watched = watch?.descriptor.rawValue ?? -1
      let ready = try Poller.wait([(stopping.rawValue, .readable), (watched, .readable)], until: deadline)
      if !ready[0].isEmpty { return }
      if let changes = try watch?.changes() {
        report(self, findings(changes))
      } else {
        // Too many watches, or the app is not installed at the moment.
        watch = Self.makeWatch(content)
        report(self, [.anything])
      }
    }
  }

  private func findings(_ changes: [DirectoryChange]) -> [Finding] {
    var findings: [Finding] = []
    for change in changes {
      switch change {
      case .appeared(let name), .disappeared(let name): findings.append(.touched(name))
      case .overflow: findings.append(.anything)
      case .directoryGone:
        // Another may have its name by now.
        watch = Self.makeWatch(content)
        findings.append(.anything)
      }
    }
    return findings
  }
}
