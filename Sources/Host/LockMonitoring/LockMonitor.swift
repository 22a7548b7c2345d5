// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// Follows all sources of the lock's state: the person is locked out if any of them says so, or does not know.
///
/// Belongs to one thread. Nothing here waits but ``settle(milliseconds:)`` and ``wait(milliseconds:until:)``.
package final class LockMonitor {
  /// Locked or not.
  package private(set) var state: LockState = .locked
  /// Whether the person was seen unlocked since the machine was started.
  package private(set) var firstUnlock: FirstUnlock
  /// What each source says; the first is that of `darkroom lock`.
  package var reports: [LockReport] { sources.map(\.report) }
  /// The first report that says locked, or else the first.
  package var decisive: LockReport {
    reports.first { $0.state == .locked } ?? reports.first ?? LockReport(.locked, .awaitingLogind)
  }

  private let sources: [any LockSource]
  private let marker: FirstUnlockMarker
  private let control: LockControl
  private var waiting: WaitSet?

  /// Begins to follow what a state root's configuration names.
  package convenience init(root: String) { self.init(root: root, surroundings: .current) }

  /// Begins to follow what a state root's configuration names, in surroundings that tests choose.
  package init(root: String, surroundings: LockSurroundings) {
    let places = LockPlaces(root: root)
    control = LockControl(root: root, surroundings: surroundings)
    marker = FirstUnlockMarker(places: places, boot: surroundings.boot)
    firstUnlock = marker.state
    var sources = Self.sources(places, surroundings)
    waiting = try? WaitSet.make()
    for source in sources {
      guard let descriptor = source.descriptor else { continue }
      do { try waiting?.watch(descriptor) } catch {
        sources.append(UnknowableSource(.notWatchable(error)))
        break
      }
    }
    if waiting?.descriptor.rawValue == nil {
      sources.append(UnknowableSource(.notWatchable(SystemCallError("epoll_create1"))))
    }
    self.sources = sources
    judge()
  }

  /// Readable when ``refresh()`` should be called; nil: the state never changes.
  package var descriptor: Int32? { waiting?.descriptor.rawValue }

  /// Takes in what the sources have announced. Cheap when nothing was.
  package func refresh() {
    for source in sources { source.refresh() }
    judge()
  }

  /// Waits until every source has given its first answer, at most so long: logind's is a message away.
  package func settle(milliseconds: Int = 1000) {
    wait(milliseconds: milliseconds) { monitor in
      !monitor.reports.contains { $0.reason == .awaitingLogind }
    }
  }

  /// Waits until something is so of the monitor, at most so long.
  package func wait(milliseconds: Int, until isSo: (LockMonitor) -> Bool) {
    let deadline = MonotonicClock.now + UInt64(milliseconds) * 1_000_000
    while !isSo(self), MonotonicClock.now < deadline, let descriptor {
      _ = try? Poller.wait([(descriptor, .readable)], until: deadline)
      refresh()
    }
  }

  /// Unlocks after the person was authenticated: what `darkroom lock` locked is unlocked when this returns, and the
  /// sessions of logind that are followed are asked to unlock. Their lockers decide, and ``state`` follows them.
  package func unlock() throws(SystemCallError) {
    try control.unlock()
    for source in sources { (source as? LogindSource)?.requestUnlock() }
    refresh()
  }

  /// Makes one state of all reports.
  private func judge() {
    state = reports.contains { $0.state == .locked } ? .locked : .unlocked
    if state == .unlocked && firstUnlock == .pending {
      firstUnlock = .done
      marker.set()
    }
  }

  /// The sources of a configuration, that of `darkroom lock` first.
  private static func sources(_ places: LockPlaces, _ surroundings: LockSurroundings) -> [any LockSource] {
    let own = LockFileSource(places.stateFile, absence: .neverLocked)
    let configuration: LockConfiguration
    do { configuration = try LockConfiguration.read(places) } catch {
      return [own, UnknowableSource(.configuration(error))]
    }
    return [own]
      + configuration.sources.map { choice -> any LockSource in
        switch choice {
        case .file(let path): LockFileSource(path, absence: .locked)
        case .logind(let session): LogindSource(session, surroundings)
        }
      }
  }
}
