// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import LinuxPrimitives

/// A watch for deliveries that are posted to a mailbox or claimed from it.
package struct MailboxWatch: ~Copyable {
  private let mailbox: Mailbox
  private let watch: ChangeWatch

  /// Starts watching the mailbox.
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

  /// The descriptor to poll for readability.
  package var descriptor: Int32 { watch.descriptor.rawValue }

  /// Claims the next delivery, or returns `nil` at the deadline or on a signal.
  ///
  /// The deadline is a time of `MonotonicClock`; `nil` waits indefinitely. `signals` is a descriptor that
  /// becomes readable on a signal, or -1 for none.
  package borrowing func claimNext(
    until deadline: UInt64?,
    signals: Int32 = -1
  ) throws(StoreError) -> TakenDelivery? {
    while true {
      try acknowledge()
      if let taken = try mailbox.claimNext() { return taken }
      guard try wait(until: deadline, or: signals) else { return nil }
    }
  }

  /// Waits until a delivery is claimed, `other` is readable, or the deadline has passed.
  ///
  /// - Returns: Whether the delivery is still unclaimed.
  package borrowing func isPending(
    _ delivery: AppDelivery,
    until deadline: UInt64,
    or other: Int32 = -1
  ) throws(StoreError) -> Bool {
    while true {
      try acknowledge()
      guard try mailbox.isPending(delivery) else { return false }
      guard try wait(until: deadline, or: other) else { return try mailbox.isPending(delivery) }
    }
  }

  /// Discards pending events, so that later changes are noticed after a check of the mailbox.
  private borrowing func acknowledge() throws(StoreError) {
    do { try watch.acknowledge() } catch { throw .system(error) }
  }

  /// Waits for a change.
  ///
  /// - Returns: `false` if the deadline has passed or `other` is readable.
  private borrowing func wait(until deadline: UInt64?, or other: Int32) throws(StoreError) -> Bool {
    let raw = descriptor
    let found = try system { () throws(SystemCallError) in
      try Poller.wait([(raw, .readable), (other, .readable)], until: deadline)
    }
    return found.count == 2 && !found[0].isEmpty && found[1].isEmpty
  }
}
