// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives
internal import Synchronization

/// A thread that fills the slots of a ring and wakes the extension, for any kind of capture.
///
/// A pump is created paused and must be stopped; until then its thread keeps it alive. Here, a frame is the
/// content of a slot of any kind of ring.
package final class RingPump<Filler: RingFiller>: Sendable {
  /// A command to the thread.
  enum Command: Equatable {
    /// Wait.
    case pause
    /// Deliver frames. A new generation starts a new schedule.
    case deliver(FrameDelivery, FramePace, generation: Int)
    /// End.
    case stop
  }

  /// The state that the host and the thread share.
  private struct State {
    /// The current command.
    var command = Command.pause
    /// The number of delivery commands so far.
    var generation = 0
    /// Whether the ring was erased and the thread has not discarded its frame in progress yet.
    var wasErased = false
    /// The numbers of produced, consumed and dropped frames.
    var ledger: FrameLedger
    /// The reason why the thread ended, or `nil` while it runs.
    var completion: PumpCompletion<Filler.Fault>?
    /// The rate of the source, if it changed and ``RingPump/takeChangedRate()`` has not returned it yet.
    var changedRate: FrameRate?
    /// The last known rate of the source.
    var rate: FrameRate?
  }

  /// The ring that is filled.
  let ring: CaptureRing<Filler.Geometry>
  /// Ends all waits of the thread and of its source.
  let stopSignal: StopSignal
  /// An eventfd that becomes readable, and stays so, when the thread has ended.
  package let completionEvent: Descriptor
  /// The eventfd that wakes the extension.
  private let frameEvent: Descriptor
  /// The eventfd with which the extension reports consumed frames.
  private let frameDone: Descriptor
  /// An eventfd that notifies the thread of a new command.
  private let commandEvent: Descriptor
  /// The state that the host and the thread share.
  private let state: Mutex<State>
  /// Called on the thread after each publication, or `nil`.
  private let published: (@Sendable () -> Void)?
  /// The thread, until it is joined.
  private let thread = Mutex<PlainThread?>(nil)

  /// Creates the shared part of a pump. The descriptors are duplicated, so that the caller can close its own.
  private init(
    ring: CaptureRing<Filler.Geometry>,
    frameEvent: borrowing Descriptor,
    frameDone: borrowing Descriptor,
    published: (@Sendable () -> Void)?
  ) throws(SystemCallError) {
    (self.ring, self.published) = (ring, published)
    stopSignal = try StopSignal()
    completionEvent = try EventCounter.make()
    commandEvent = try EventCounter.make()
    self.frameEvent = try frameEvent.duplicate()
    self.frameDone = try frameDone.duplicate()
    state = Mutex(State(ledger: FrameLedger(slots: ring.geometry.slots)))
  }

  /// Creates a pump that waits for ``start(_:pace:)``.
  ///
  /// - Parameters:
  ///   - filler: The source of the frames. Its frames must have the geometry of the ring.
  ///   - ring: The ring to fill. Nothing else may write to it.
  ///   - frameEvent: An eventfd to which 1 is added for each frame.
  ///   - frameDone: An eventfd to which the extension adds the number of frames that it has consumed.
  ///   - published: Called on the pump's thread after each publication; must not block.
  /// - Returns: The pump, paused.
  /// - Throws: The system call that failed, if the thread or an eventfd could not be created.
  package static func make(
    filler: sending Filler,
    ring: CaptureRing<Filler.Geometry>,
    frameEvent: borrowing Descriptor,
    frameDone: borrowing Descriptor,
    published: (@Sendable () -> Void)? = nil
  ) throws(SystemCallError) -> RingPump {
    let pump = try RingPump(ring: ring, frameEvent: frameEvent, frameDone: frameDone, published: published)
    // The extension is launched with the current rate. A rate that changes before the first frame must be
    // reported as a change.
    pump.updateRate(filler.rate)
    let handed = TransferredSource(filler)
    try pump.thread.withLock { thread throws(SystemCallError) in
      thread = try PlainThread.start(name: Filler.threadName) {
        var loop = RingPumpLoop(pump: pump, filler: handed.source)
        pump.finish(loop.run())
      }
    }
    return pump
  }

  /// Starts the delivery of frames, or resumes it after a pause.
  ///
  /// Frames that are already in the ring are counted as dropped. `.latest` always has the pace of the frame
  /// rate.
  package func start(_ delivery: FrameDelivery, pace: FramePace = .frameRate) {
    updateLedger()
    state.withLock { state in
      guard state.command != .stop else { return }
      state.ledger.dropOutstanding()
      state.generation += 1
      let pace = delivery == .latest ? FramePace.frameRate : pace
      state.command = .deliver(delivery, pace, generation: state.generation)
    }
    try? EventCounter.add(to: commandEvent)
  }

  /// Pauses the delivery until the next start. A frame in progress stays in its slot.
  package func pause() {
    state.withLock { if $0.command != .stop { $0.command = .pause } }
    try? EventCounter.add(to: commandEvent)
  }

  /// Pauses the delivery and erases all frames in the ring, because the reader lost its permission.
  ///
  /// When this method returns, the ring is empty and nothing is published. A frame that the source is writing
  /// at this moment is erased again as soon as it is complete. Frames that were not reported as consumed are
  /// counted as dropped, even if the extension reports them later.
  package func erase() {
    updateLedger()
    state.withLock { state in
      if state.command != .stop { state.command = .pause }
      state.wasErased = true
      state.ledger.dropOutstanding()
      // The host erases the ring itself: the thread can be blocked in its source for a long time.
      ring.erase()
    }
    try? EventCounter.add(to: commandEvent)
  }

  /// Ends the thread and waits for it. Nothing is published afterwards.
  package func stop() {
    state.withLock { $0.command = .stop }
    stopSignal.raise()
    while !hasEnded(within: 50_000_000) {
      // A hostile extension can fill the counter, so that a write to it blocks. Resetting the counter
      // unblocks the thread.
      _ = try? EventCounter.takeShared(frameEvent)
    }
    thread.withLock { $0.take()?.join() }
  }

  /// The current numbers of published, consumed and dropped frames.
  package var counts: FrameCounts {
    updateLedger()
    return state.withLock { $0.ledger.counts }
  }

  /// The reason why the thread ended, or `nil` while it runs.
  package var completion: PumpCompletion<Filler.Fault>? { state.withLock { $0.completion } }

  /// Returns the source's rate if it changed since the last call, or `nil`.
  package func takeChangedRate() -> FrameRate? { state.withLock { $0.changedRate.take() } }

  /// Whether the thread ends within `time` nanoseconds.
  private func hasEnded(within time: UInt64) -> Bool {
    let found = try? Poller.wait([(completionEvent.rawValue, .readable)], until: MonotonicClock.now + time)
    return found?.first?.isEmpty == false
  }
}

// Methods for the pump's thread.
extension RingPump {
  /// Returns the current command. If the ring was erased, the frame in progress is erased first and `forget`
  /// is called.
  func takeCommand(afterErasure forget: () -> Void) throws(SystemCallError) -> Command {
    // The counter is reset before the command is read: a command that arrives in between is then seen twice,
    // never missed.
    _ = try EventCounter.take(commandEvent)
    return state.withLock { state in
      if state.wasErased {
        state.wasErased = false
        ring.erase()
        forget()
      }
      return state.command
    }
  }

  /// Records the current rate of the source.
  func updateRate(_ rate: FrameRate) {
    state.withLock { state in
      if let old = state.rate, old != rate { state.changedRate = rate }
      state.rate = rate
    }
  }

  /// Updates the counts with the frames that the extension reported as consumed.
  func updateLedger() {
    let amount = state.withLock { state in
      let amount = (try? EventCounter.takeShared(frameDone)) ?? 0
      state.ledger.consume(amount)
      return amount
    }
    // Reading the counter also consumes the event that the thread may be waiting for. The thread is therefore
    // woken by the command counter.
    if amount > 0 { try? EventCounter.add(to: commandEvent) }
  }

  /// Whether the next frame would overwrite an outstanding one.
  var isFull: Bool { state.withLock { $0.ledger.isFull } }

  /// Whether the extension has consumed all frames.
  var isDrained: Bool { state.withLock { $0.ledger.outstanding == 0 } }

  /// Returns the slot of the next frame, after updating the counts.
  func beginFrame() -> UnsafeMutableRawBufferPointer {
    updateLedger()
    state.withLock { $0.ledger.begin() }
    return ring.beginFrame()
  }

  /// Publishes the frame in progress with its capture time, and wakes the extension. Returns `false` if the
  /// current command is not to deliver.
  func publish(takenAt moment: UInt64) throws(SystemCallError) -> Bool {
    // The lock ensures that nothing is published after `pause` or `stop` returned.
    let isPublished = state.withLock { state in
      guard case .deliver = state.command, !state.wasErased else { return false }
      ring.publish(timestamp: moment)
      state.ledger.publish()
      return true
    }
    if !isPublished { return false }
    published?()
    // A full counter is readable anyway, and a write to it could block.
    let now = MonotonicClock.now
    if try Poller.wait([(frameEvent.rawValue, .writable)], until: now)[0].contains(.writable) {
      try EventCounter.add(to: frameEvent)
    }
    return true
  }

  /// Waits for a new command, the stop signal or the deadline, and on request for the extension to consume
  /// frames.
  func wait(until deadline: UInt64? = nil, forConsumption: Bool = false) throws(SystemCallError) {
    _ = try Poller.wait(
      [
        (stopSignal.descriptor.rawValue, .readable), (commandEvent.rawValue, .readable),
        (forConsumption ? frameDone.rawValue : -1, .readable),
      ],
      until: deadline
    )
  }

  /// Records the reason why the thread ended, and signals the end.
  private func finish(_ ending: PumpCompletion<Filler.Fault>) {
    state.withLock { $0.completion = ending }
    try? EventCounter.add(to: completionEvent)
  }
}
