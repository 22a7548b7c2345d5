// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import LinuxPrimitives

/// Waits for what comes into a mailbox, and for what is taken out of it.
package struct MailboxWatch: ~Copyable {
  private let mailbox: Mailbox
  private let watch: ChangeWatch

  /// Begins to watch; what happens from now on is noticed.
  package init(_ app: AppStore) throws(StoreError) {
    try app.prepare()
    let made = try system { () throws(SystemCallError) in
      let watch = try ChangeWatch()
      try watch.watch(app.activitiesDirectory)
      return watch
    }
    mailbox = Mailbox(app)
    watch = made
  }

  /// The descriptor to wait on.
  package var descriptor: Int32 { watch.descriptor.rawValue }

  /// Takes the next delivery; nil if none came until `deadline` (`MonotonicClock`), or a signal came.
  package borrowing func takeNext(
    until deadline: UInt64?,
    signals: Int32 = -1
  ) throws(StoreError) -> TakenDelivery? {
    while true {
      try acknowledge()
      if let taken = try mailbox.takeNext() { return taken }
      guard try wait(until: deadline, or: signals) else { return nil }
    }
  }

  /// Waits until a delivery is taken, or `other` is readable, or the time is up; says whether it still waits.
  package borrowing func isWaiting(
    _ delivery: AppDelivery,
    until deadline: UInt64,
    or other: Int32 = -1
  ) throws(StoreError) -> Bool {
    while true {
      try acknowledge()
      guard try mailbox.isWaiting(delivery) else { return false }
      guard try wait(until: deadline, or: other) else { return try mailbox.isWaiting(delivery) }
    }
  }

  /// Forgets what has been reported, so that a look comes after it.
  private borrowing func acknowledge() throws(StoreError) {
    do { try watch.acknowledge() } catch { throw .system(error) }
  }

  /// Waits for a change; false: the time is up, or `other` is readable.
  private borrowing func wait(until deadline: UInt64?, or other: Int32) throws(StoreError) -> Bool {
    let raw = descriptor
    let found = try system { () throws(SystemCallError) in
      try Poller.wait([(raw, .readable), (other, .readable)], until: deadline)
    }
    return found.count == 2 && !found[0].isEmpty && found[1].isEmpty
  }
}
