// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Synchronization
import Testing

@Suite struct SignalDescriptorTests {
  @Test func `does not report a signal that the process ignores`() throws {
    // No other test of this process uses these signals.
    let (ignored, handled) = (Signal(rawValue: SIGUSR2), Signal(rawValue: SIGUSR1))
    let previous = signal(ignored.rawValue, SIG_IGN)
    defer { signal(ignored.rawValue, previous) }
    let seen = Mutex<[Signal?]>([])
    try PlainThread.start(name: "signals") {
      guard let descriptor = try? SignalDescriptor.make([ignored, handled]) else { return }
      for signal in [ignored, handled] { pthread_kill(pthread_self(), signal.rawValue) }
      for _ in 0..<2 {
        let next = try? SignalDescriptor.next(descriptor)
        seen.withLock { $0.append(next) }
      }
    }
    .join()
    #expect(seen.withLock { $0 } == [handled, nil])
  }
}
