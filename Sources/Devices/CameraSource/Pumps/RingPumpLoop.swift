// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// The loop of a ``RingPump``'s thread.
struct RingPumpLoop<Filler: RingFiller> {
  /// The stage of the current frame.
  private enum Stage: Equatable {
    /// No frame is in progress.
    case idle
    /// The frame is complete in its slot. It was captured at `since` and is due at `due`.
    case ready(since: UInt64, due: UInt64)
    /// The source has no more frames.
    case finished
  }

  /// The pump that owns the thread.
  let pump: RingPump<Filler>
  /// The source of the frames.
  let filler: Filler
  /// The due times of the frames.
  private var schedule: FrameSchedule
  /// The stage of the current frame.
  private var stage = Stage.idle
  /// The generation of the delivery command that is being executed.
  private var generation = 0
  /// Whether the source is suspended.
  private var isSuspended = true

  /// Creates a loop without a frame.
  init(pump: RingPump<Filler>, filler: Filler) {
    self.pump = pump
    self.filler = filler
    schedule = FrameSchedule(rate: filler.rate)
  }

  /// Runs until the pump ends, and returns the reason.
  mutating func run() -> PumpCompletion<Filler.Fault> {
    // The page faults happen while the extension is being launched.
    pump.ring.prefaultSlot()
    do throws(Filler.Fault) {
      while true {
        if let ending = try executeCommand() { return ending }
      }
    } catch {
      return error.isStop ? .stopped : .failed(error)
    }
  }

  /// Executes the next step of the current command.
  private mutating func executeCommand() throws(Filler.Fault) -> PumpCompletion<Filler.Fault>? {
    var wasErased = false
    let order = try withSourceErrors { () throws(SystemCallError) in try pump.takeCommand { wasErased = true }
    }
    if wasErased {
      filler.slotsWereErased()
      if case .ready = stage { stage = .idle }
    }
    switch order {
    case .stop: return .stopped
    case .pause:
      suspend()
      try withSourceErrors { () throws(SystemCallError) in try pump.wait() }
    case .deliver(let delivery, let pace, let generation):
      isSuspended = false
      if generation != self.generation {
        self.generation = generation
        schedule.restart()
        if case .ready(let since, _) = stage {
          stage = .ready(since: since, due: schedule.nextDeadline(now: MonotonicClock.now))
        }
      }
      return try step(delivery, pace)
    }
    return nil
  }

  /// Suspends the source, once.
  private mutating func suspend() {
    guard !isSuspended else { return }
    filler.suspend()
    // A frame that a camera captured before a pause is stale after it.
    if filler.clock == .source, case .ready = stage { stage = .idle }
    isSuspended = true
  }

  /// Advances the current frame by one stage, or waits for the event that it needs.
  private mutating func step(_ delivery: FrameDelivery, _ pace: FramePace) throws(Filler.Fault)
    -> PumpCompletion<Filler.Fault>?
  {
    switch stage {
    case .idle:
      pump.updateLedger()
      if delivery == .every && pump.isFull {
        try withSourceErrors { () throws(SystemCallError) in try pump.wait(forConsumption: true) }
      } else {
        try fetch(pace)
      }
    case .ready(let since, let due):
      if MonotonicClock.now < due {
        try withSourceErrors { () throws(SystemCallError) in try pump.wait(until: due) }
      } else {
        let isPublished = try withSourceErrors { () throws(SystemCallError) in
          // A source that is faster than its rate simulates a camera, whose frames are captured when they are
          // due.
          try pump.publish(takenAt: filler.clock == .source ? since : max(since, due))
        }
        if isPublished { stage = .idle }
      }
    case .finished:
      pump.updateLedger()
      if delivery == .latest || pump.isDrained { return .sourceEnded }
      try withSourceErrors { () throws(SystemCallError) in try pump.wait(forConsumption: true) }
    }
    return nil
  }

  /// Reads the next frame into its slot.
  private mutating func fetch(_ pace: FramePace) throws(Filler.Fault) {
    let slot = pump.beginFrame()
    let layout = pump.ring.geometry
    guard try filler.fill(slot, of: layout, stop: pump.stopSignal) == .frame else {
      stage = .finished
      return
    }
    pump.updateRate(filler.rate)
    let now = MonotonicClock.now
    let isScheduled = pace == .frameRate && filler.clock == .consumer
    stage = .ready(since: filler.frameTime ?? now, due: isScheduled ? schedule.nextDeadline(now: now) : now)
  }

  /// Converts a failed system call to an error of the source.
  private func withSourceErrors<Result>(_ body: () throws(SystemCallError) -> Result) throws(Filler.Fault)
    -> Result
  {
    do {
      return try body()
    } catch {
      throw Filler.Fault(filler.name, system: error)
    }
  }
}
