// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// What the thread of a ``RingPump`` does.
struct RingPumpLoop<Filler: RingFiller> {
  /// Where a frame is on its way.
  private enum Stage: Equatable {
    /// None was begun.
    case idle
    /// It is in its slot since a time, and due at another.
    case ready(since: UInt64, due: UInt64)
    /// There are no more.
    case finished
  }

  /// Whose thread this is.
  let pump: RingPump<Filler>
  /// Where the frames come from.
  let filler: Filler
  /// When they are due.
  private var schedule: FrameSchedule
  /// Where the current frame is.
  private var stage = Stage.idle
  /// Which order to deliver is being carried out.
  private var generation = 0
  /// Whether the source was told that no frame is wanted.
  private var isResting = true

  /// Begins with no frame.
  init(pump: RingPump<Filler>, filler: Filler) {
    self.pump = pump
    self.filler = filler
    schedule = FrameSchedule(rate: filler.rate)
  }

  /// Works until there is a reason to end.
  mutating func run() -> PumpEnding<Filler.Fault> {
    // While the extension is launched.
    pump.ring.provideSlot()
    do throws(Filler.Fault) {
      while true {
        if let ending = try carryOutOrder() { return ending }
      }
    } catch {
      return error.isStop ? .stopped : .failed(error)
    }
  }

  /// Does the next step of the order that holds now.
  private mutating func carryOutOrder() throws(Filler.Fault) -> PumpEnding<Filler.Fault>? {
    var wasErased = false
    let order = try naming { () throws(SystemCallError) in try pump.takeOrder { wasErased = true } }
    if wasErased {
      filler.slotsWereErased()
      if case .ready = stage { stage = .idle }
    }
    switch order {
    case .stop: return .stopped
    case .pause:
      rest()
      try naming { () throws(SystemCallError) in try pump.wait() }
    case .deliver(let delivery, let pace, let generation):
      isResting = false
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

  /// Tells the source once that no frame is wanted.
  private mutating func rest() {
    guard !isResting else { return }
    filler.rest()
    // What a camera saw before a pause is not what it sees after it.
    if filler.clock == .source, case .ready = stage { stage = .idle }
    isResting = true
  }

  /// Moves the current frame one stage on, or waits for what it needs.
  private mutating func step(_ delivery: FrameDelivery, _ pace: FramePace) throws(Filler.Fault)
    -> PumpEnding<Filler.Fault>?
  {
    switch stage {
    case .idle:
      pump.account()
      if delivery == .every && pump.isFull {
        try naming { () throws(SystemCallError) in try pump.wait(forConsumption: true) }
      } else {
        try fetch(pace)
      }
    case .ready(let since, let due):
      if MonotonicClock.now < due {
        try naming { () throws(SystemCallError) in try pump.wait(until: due) }
      } else {
        let isPublished = try naming { () throws(SystemCallError) in
          // A source that is ahead of its rate stands for a camera, which takes a frame when it is due.
          try pump.publish(takenAt: filler.clock == .source ? since : max(since, due))
        }
        if isPublished { stage = .idle }
      }
    case .finished:
      pump.account()
      if delivery == .latest || pump.isDrained { return .sourceEnded }
      try naming { () throws(SystemCallError) in try pump.wait(forConsumption: true) }
    }
    return nil
  }

  /// Brings the next frame to its slot.
  private mutating func fetch(_ pace: FramePace) throws(Filler.Fault) {
    let slot = pump.beginFrame()
    let layout = pump.ring.geometry
    guard try filler.fill(slot, of: layout, stop: pump.stopSignal) == .frame else {
      stage = .finished
      return
    }
    pump.note(filler.rate)
    let now = MonotonicClock.now
    let isScheduled = pace == .frameRate && filler.clock == .taker
    stage = .ready(since: filler.frameTime ?? now, due: isScheduled ? schedule.nextDeadline(now: now) : now)
  }

  /// Makes a failed system call an error of the source.
  private func naming<Result>(_ body: () throws(SystemCallError) -> Result) throws(Filler.Fault) -> Result {
    do {
      return try body()
    } catch {
      throw Filler.Fault(filler.name, system: error)
    }
  }
}
