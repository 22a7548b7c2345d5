// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives
internal import Synchronization

/// A thread that fills the slots of a ring and wakes the extension up, whatever kind of capture the ring is for.
///
/// It is made paused and has to be stopped: until then its thread keeps it alive. A frame is here whatever the kind of
/// ring has in a slot.
package final class RingPump<Filler: RingFiller>: Sendable {
  /// What the thread is to do.
  enum Order: Equatable {
    /// Wait.
    case pause
    /// Deliver; a new generation begins a new schedule.
    case deliver(FrameDelivery, FramePace, generation: Int)
    /// End.
    case stop
  }

  /// What the host and the thread share.
  private struct State {
    /// What the thread is to do.
    var order = Order.pause
    /// How many orders to deliver there were.
    var generation = 0
    /// Whether the ring was erased and the thread has not made that good yet: what it has begun is of before.
    var wasErased = false
    /// What was produced, consumed and dropped.
    var ledger: FrameLedger
    /// Why the thread ended.
    var ending: PumpEnding<Filler.Fault>?
    /// The source's rate, where it has changed and nobody has asked yet.
    var newRate: FrameRate?
    /// The rate that the source had last.
    var rate: FrameRate?
  }

  /// The ring that is filled.
  let ring: CaptureRing<Filler.Geometry>
  /// Ends all waiting of the thread and of its source.
  let stopSignal: StopSignal
  /// An eventfd that becomes readable, and stays so, when the thread has ended.
  package let ended: Descriptor
  /// The counter that wakes the extension up.
  private let frameEvent: Descriptor
  /// The counter by which the extension says that it has finished with frames.
  private let frameDone: Descriptor
  /// Tells the thread that there is a new order.
  private let orders: Descriptor
  /// What the host and the thread share.
  private let state: Mutex<State>
  /// The thread until it was joined.
  private let thread = Mutex<PlainThread?>(nil)

  /// Duplicates what it is given, so that the caller may close its own.
  private init(
    ring: CaptureRing<Filler.Geometry>,
    frameEvent: borrowing Descriptor,
    frameDone: borrowing Descriptor
  ) throws(SystemCallError) {
    self.ring = ring
    stopSignal = try StopSignal()
    ended = try EventCounter.make()
    orders = try EventCounter.make()
    self.frameEvent = try frameEvent.duplicate()
    self.frameDone = try frameDone.duplicate()
    state = Mutex(State(ledger: FrameLedger(slots: ring.geometry.slots)))
  }

  /// Makes a pump that waits for ``start(_:pace:)``.
  ///
  /// - Parameters:
  ///   - filler: Whose frames have the form that the ring was made for.
  ///   - ring: Where they go; nobody else may write to it.
  ///   - frameEvent: An eventfd to which 1 is added for each frame.
  ///   - frameDone: An eventfd to which the extension adds the number of frames that it has finished with.
  /// - Returns: The pump, paused.
  /// - Throws: The system call that failed, if the thread or a counter could not be made.
  package static func make(
    filler: sending Filler,
    ring: CaptureRing<Filler.Geometry>,
    frameEvent: borrowing Descriptor,
    frameDone: borrowing Descriptor
  ) throws(SystemCallError) -> RingPump {
    let pump = try RingPump(ring: ring, frameEvent: frameEvent, frameDone: frameDone)
    // What the extension is told of the source is what it is now: a rate that changes before the first frame is another.
    pump.note(filler.rate)
    let handed = HandedSource(filler)
    try pump.thread.withLock { thread throws(SystemCallError) in
      thread = try PlainThread.start(name: Filler.threadName) {
        var loop = RingPumpLoop(pump: pump, filler: handed.source)
        pump.end(loop.run())
      }
    }
    return pump
  }

  /// Delivers frames from now on, also after a pause.
  ///
  /// What is in the ring already is counted as dropped and waited for no more. `.latest` always has the pace of the
  /// frame rate.
  package func start(_ delivery: FrameDelivery, pace: FramePace = .frameRate) {
    account()
    state.withLock { state in
      guard state.order != .stop else { return }
      state.ledger.forgetOutstanding()
      state.generation += 1
      let pace = delivery == .latest ? FramePace.frameRate : pace
      state.order = .deliver(delivery, pace, generation: state.generation)
    }
    try? EventCounter.add(to: orders)
  }

  /// Publishes no more frames until the next start; one that is on its way waits in its slot.
  package func pause() {
    state.withLock { if $0.order != .stop { $0.order = .pause } }
    try? EventCounter.add(to: orders)
  }

  /// Publishes no more frames until the next start, and erases those in the ring: who reads it may not any more.
  ///
  /// When this returns nothing is in the ring, and nothing is published; what the source is writing at the moment is
  /// erased once more as soon as it is written. Frames that the extension has not said to have finished with are counted as
  /// dropped, whatever it says of them later.
  package func erase() {
    account()
    state.withLock { state in
      if state.order != .stop { state.order = .pause }
      state.wasErased = true
      state.ledger.forgetOutstanding()
      // Not by the thread, which may be waiting for a source that has nothing to say for long.
      ring.erase()
    }
    try? EventCounter.add(to: orders)
  }

  /// Ends the thread and waits for it; nothing is published afterwards.
  package func stop() {
    state.withLock { $0.order = .stop }
    stopSignal.raise()
    while !hasEnded(within: 50_000_000) {
      // A hostile extension can fill the counter and make writing to it wait: then this makes room.
      _ = try? EventCounter.takeShared(frameEvent)
    }
    thread.withLock { $0.take()?.join() }
  }

  /// How many frames went where, up to now.
  package var counts: FrameCounts {
    account()
    return state.withLock { $0.ledger.counts }
  }

  /// Why the thread ended; nil while it has not.
  package var ending: PumpEnding<Filler.Fault>? { state.withLock { $0.ending } }

  /// The source's rate if it has changed since the last call; nil: it has not.
  package func takeNewRate() -> FrameRate? { state.withLock { $0.newRate.take() } }

  /// Whether the thread ends within so many nanoseconds.
  private func hasEnded(within time: UInt64) -> Bool {
    let found = try? Poller.wait([(ended.rawValue, .readable)], until: MonotonicClock.now + time)
    return found?.first?.isEmpty == false
  }
}

// The thread's side.
extension RingPump {
  /// The order that holds now. What the thread has begun before an erasure is erased first, and is no frame any more.
  func takeOrder(afterErasure forget: () -> Void) throws(SystemCallError) -> Order {
    // In this order: an order that comes between the two is seen twice, never missed.
    _ = try EventCounter.take(orders)
    return state.withLock { state in
      if state.wasErased {
        state.wasErased = false
        ring.erase()
        forget()
      }
      return state.order
    }
  }

  /// The source has this rate.
  func note(_ rate: FrameRate) {
    state.withLock { state in
      if let old = state.rate, old != rate { state.newRate = rate }
      state.rate = rate
    }
  }

  /// Adds what the extension has finished with to the books.
  func account() {
    let amount = state.withLock { state in
      let amount = (try? EventCounter.takeShared(frameDone)) ?? 0
      state.ledger.consume(amount)
      return amount
    }
    // Whoever takes the counter takes away what the thread may be waiting for, so it is told by other means.
    if amount > 0 { try? EventCounter.add(to: orders) }
  }

  /// Whether the next frame would overwrite one that nobody has accounted for.
  var isFull: Bool { state.withLock { $0.ledger.isFull } }

  /// Whether the extension has finished with all frames.
  var isDrained: Bool { state.withLock { $0.ledger.outstanding == 0 } }

  /// Takes the slot of the next frame.
  func beginFrame() -> UnsafeMutableRawBufferPointer {
    account()
    state.withLock { $0.ledger.begin() }
    return ring.beginFrame()
  }

  /// Publishes the frame that was begun, with the moment when it was taken, and wakes the extension up; false if the
  /// order is no longer to deliver.
  func publish(takenAt moment: UInt64) throws(SystemCallError) -> Bool {
    // Under the lock, so that nothing is published after `pause` or `stop` returned.
    let isPublished = state.withLock { state in
      guard case .deliver = state.order, !state.wasErased else { return false }
      ring.publish(timestamp: moment)
      state.ledger.publish()
      return true
    }
    if !isPublished { return false }
    // A counter that has no room is readable anyway, and a write to it could wait.
    let now = MonotonicClock.now
    if try Poller.wait([(frameEvent.rawValue, .writable)], until: now)[0].contains(.writable) {
      try EventCounter.add(to: frameEvent)
    }
    return true
  }

  /// Waits for a new order, the stop, the time, or (if asked for) for the extension to finish with frames.
  func wait(until deadline: UInt64? = nil, forConsumption: Bool = false) throws(SystemCallError) {
    _ = try Poller.wait(
      [
        (stopSignal.descriptor.rawValue, .readable), (orders.rawValue, .readable),
        (forConsumption ? frameDone.rawValue : -1, .readable),
      ],
      until: deadline
    )
  }

  /// Notes why the thread ended and tells who waits for it.
  private func end(_ ending: PumpEnding<Filler.Fault>) {
    state.withLock { $0.ending = ending }
    try? EventCounter.add(to: ended)
  }
}
