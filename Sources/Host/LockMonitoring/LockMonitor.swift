// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// Monitors all sources of the lock state. The screen counts as locked if any source reports that or is
/// unavailable.
///
/// All calls must be made on one thread. Only ``waitForFirstReports(milliseconds:)`` and ``wait(milliseconds:until:)``
/// block.
package final class LockMonitor {
  /// The combined lock state.
  package private(set) var state: LockState = .locked
  /// Whether the screen was unlocked since boot.
  package private(set) var firstUnlock: FirstUnlock
  /// The reports of all sources, starting with `darkroom lock`.
  package var reports: [LockReport] { sources.map(\.report) }
  /// The first report of a locked source, or the first report if all sources are unlocked.
  package var decidingReport: LockReport {
    reports.first { $0.state == .locked } ?? reports.first ?? LockReport(.locked, .awaitingLogind)
  }

  private let sources: [any LockSource]
  private let marker: FirstUnlockMarker
  private let control: LockControl
  private var waiting: WaitSet?

  /// Creates a monitor of the sources in a state root's configuration.
  package convenience init(root: String) { self.init(root: root, environment: .current) }

  /// Creates a monitor with an environment that tests can choose.
  package init(root: String, environment: LockEnvironment) {
    let paths = LockPaths(root: root)
    control = LockControl(root: root, environment: environment)
    marker = FirstUnlockMarker(paths: paths, boot: environment.boot)
    firstUnlock = marker.state
    var sources = Self.sources(paths, environment)
    waiting = try? WaitSet.make()
    for source in sources {
      guard let descriptor = source.descriptor else { continue }
      do { try waiting?.watch(descriptor) } catch {
        sources.append(UnavailableLockSource(.notWatchable(error)))
        break
      }
    }
    if waiting?.descriptor.rawValue == nil {
      sources.append(UnavailableLockSource(.notWatchable(SystemCallError("epoll_create1"))))
    }
    self.sources = sources
    updateState()
  }

  /// A descriptor that is readable when ``refresh()`` should be called, or `nil` if the state never changes.
  package var descriptor: Int32? { waiting?.descriptor.rawValue }

  /// Processes pending events of the sources. It is cheap without events.
  package func refresh() {
    for source in sources { source.refresh() }
    updateState()
  }

  /// Waits until every source has reported a state, at most for the given time. The first report of logind
  /// takes one message round trip.
  package func waitForFirstReports(milliseconds: Int = 1000) {
    wait(milliseconds: milliseconds) { monitor in
      !monitor.reports.contains { $0.reason == .awaitingLogind }
    }
  }

  /// Waits until a condition holds for the monitor, at most for the given time.
  package func wait(milliseconds: Int, until condition: (LockMonitor) -> Bool) {
    let deadline = MonotonicClock.now + UInt64(milliseconds) * 1_000_000
    while !condition(self), MonotonicClock.now < deadline, let descriptor {
      _ = try? Poller.wait([(descriptor, .readable)], until: deadline)
      refresh()
    }
  }

  /// Unlocks after the user was authenticated.
  ///
  /// The lock of `darkroom lock` is unlocked when this function returns. The monitored logind sessions are
  /// asked to unlock; their lockers decide, and ``state`` follows them.
  package func unlock() throws(SystemCallError) {
    try control.unlock()
    for source in sources { (source as? LogindSource)?.requestUnlock() }
    refresh()
  }

  /// Combines the reports into one state.
  private func updateState() {
    state = reports.contains { $0.state == .locked } ? .locked : .unlocked
    if state == .unlocked && firstUnlock == .pending {
      firstUnlock = .done
      marker.set()
    }
  }

  /// Returns the sources of a configuration, starting with `darkroom lock`.
  private static func sources(_ paths: LockPaths, _ environment: LockEnvironment) -> [any LockSource] {
    let own = LockFileSource(paths.stateFile, absence: .neverLocked)
    let configuration: LockConfiguration
    do { configuration = try LockConfiguration.read(paths) } catch {
      return [own, UnavailableLockSource(.configuration(error))]
    }
    return [own]
      + configuration.sources.map { choice -> any LockSource in
        switch choice {
        case .file(let path): LockFileSource(path, absence: .locked)
        case .logind(let session): LogindSource(session, environment)
        }
      }
  }
}
