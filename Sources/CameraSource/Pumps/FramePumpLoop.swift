// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// What the thread of a ``FramePump`` does.
struct FramePumpLoop {
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
  let pump: FramePump
  /// Where the frames come from.
  let source: any FrameSource
  /// When they are due.
  private var schedule: FrameSchedule
  /// Where the current frame is.
  private var stage = Stage.idle
  /// Which order to deliver is being carried out.
  private var generation = 0
  /// Whether the source was told that no frame is wanted.
  private var isResting = true

  /// Begins with no frame.
  init(pump: FramePump, source: any FrameSource) {
    self.pump = pump
    self.source = source
    schedule = FrameSchedule(rate: source.geometry.frameRate)
  }

  /// Works until there is a reason to end.
  mutating func run() -> PumpEnding {
    do throws(FrameSourceError) {
      while true {
        if let ending = try carryOutOrder() { return ending }
      }
    } catch {
      return error.reason == .stopped ? .stopped : .failed(error)
    }
  }

  /// Does the next step of the order that holds now.
  private mutating func carryOutOrder() throws(FrameSourceError) -> PumpEnding? {
    var wasErased = false
    let order = try naming { () throws(SystemCallError) in try pump.takeOrder { wasErased = true } }
    if wasErased {
      source.slotsWereErased()
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
    source.rest()
    // What a camera saw before a pause is not what it sees after it.
    if source.clock == .source, case .ready = stage { stage = .idle }
    isResting = true
  }

  /// Moves the current frame one stage on, or waits for what it needs.
  private mutating func step(_ delivery: FrameDelivery, _ pace: FramePace) throws(FrameSourceError)
    -> PumpEnding?
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
          try pump.publish(takenAt: source.clock == .source ? since : max(since, due))
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
  private mutating func fetch(_ pace: FramePace) throws(FrameSourceError) {
    let slot = pump.beginFrame()
    let layout = pump.ring.geometry
    guard try source.next(into: slot, layout: layout, stop: pump.stopSignal) == .frame else {
      stage = .finished
      return
    }
    if source.geometry.range == .limited { RangeExpansion.expand(slot, layout: layout) }
    pump.note(source.geometry.frameRate)
    let now = MonotonicClock.now
    let isScheduled = pace == .frameRate && source.clock == .taker
    stage = .ready(since: source.frameTime ?? now, due: isScheduled ? schedule.nextDeadline(now: now) : now)
  }

  /// Makes a failed system call an error of the source.
  private func naming<Result>(_ body: () throws(SystemCallError) -> Result) throws(FrameSourceError) -> Result
  {
    do {
      return try body()
    } catch {
      throw FrameSourceError(source.name, .system(error))
    }
  }
}
