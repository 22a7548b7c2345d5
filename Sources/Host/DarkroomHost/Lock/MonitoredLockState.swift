// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import LockMonitoring
internal import Synchronization

/// The lock state of the system, as the sessions of a host with ``LockStateSelection/standard`` see it. The
/// state is locked until the sources of the system have reported it.
final class MonitoredLockState: LockStateSource {
  private let value = AdjustableLockState(.locked)
  private let event: HeldDescriptor
  private let isStopped: StopFlag

  /// Whether the thread must end.
  private final class StopFlag: Sendable {
    let value = Atomic(false)
  }

  /// Starts the thread that monitors the sources.
  init(root: String) throws(SystemCallError) {
    (event, isStopped) = (HeldDescriptor(try EventCounter.make()), StopFlag())
    let (value, event, isStopped) = (value, event, isStopped)
    _ = try PlainThread.start(name: "lock-state") {
      let environment = LockEnvironment(environment: SessionLaunching.environment)
      let monitor = LockMonitor(root: root, environment: environment)
      monitor.waitForFirstReports()
      while !isStopped.value.load(ordering: .acquiring) {
        value.set(ScreenLockState(monitor.state))
        let watched: [(descriptor: Int32, interest: Readiness)] = [
          (event.rawValue, .readable), (monitor.descriptor ?? -1, .readable),
        ]
        if (try? Poller.wait(watched)) == nil { break }
        monitor.refresh()
      }
      // Without the monitor, the state is unknown.
      value.set(.locked)
    }
  }

  deinit {
    isStopped.value.store(true, ordering: .releasing)
    try? EventCounter.add(to: event.descriptor)
  }

  var state: ScreenLockState { value.state }

  func changes() -> AsyncStream<ScreenLockState> { value.changes() }
}
