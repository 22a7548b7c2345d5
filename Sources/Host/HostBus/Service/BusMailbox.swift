// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// The events for the thread of the bus. Any thread can post events.
final class BusMailbox: Sendable {
  private let events = Mutex<[BusEvent]>([])
  private let counter: HeldDescriptor

  /// Creates an empty mailbox.
  init() throws(SystemCallError) { counter = HeldDescriptor(try EventCounter.make()) }

  /// A descriptor that is readable while the mailbox contains events.
  var descriptor: Int32 { counter.rawValue }

  /// Adds an event.
  func post(_ event: BusEvent) {
    events.withLock { $0.append(event) }
    // A write to an eventfd fails only if the counter is full, and then the descriptor is readable.
    try? EventCounter.add(to: counter.descriptor)
  }

  /// Adds an event after a time.
  func post(_ event: BusEvent, after time: Duration) {
    Task {
      try? await Task.sleep(for: time)
      post(event)
    }
  }

  /// Removes and returns all events in order.
  func take() -> [BusEvent] {
    // Reset the counter first: an event that is posted afterwards makes the descriptor readable again.
    _ = try? EventCounter.take(counter.descriptor)
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
