// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
package import LinuxPrimitives
internal import Synchronization

/// What happens to a camera that is made up: the thread of the frames goes by it, that of the session changes it.
package final class CameraScenario: Sendable {
  /// How the camera is.
  struct State {
    /// Whether it is still there.
    var isPlugged = true
    /// Whether it gives frames.
    var isFlowing = true
    /// How many frames it gives in a second; nil: as many as its source has.
    var rate: CameraSource.FrameRate?
  }

  private let state = Mutex(State())
  /// Readable after a change, until it is looked at.
  private let changed: Descriptor

  /// A camera to which nothing has happened.
  package init() throws(SystemCallError) { changed = try EventCounter.make() }

  /// Something happens to the camera.
  func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    try? EventCounter.add(to: changed)
  }

  /// How the camera is now; from here on a change is a new one.
  func look() -> State {
    _ = try? EventCounter.take(changed)
    return state.withLock { $0 }
  }

  /// Waits for a change or the time; false: `stop` was raised first.
  func wait(until deadline: UInt64?, _ stop: StopSignal) throws(SystemCallError) -> Bool {
    try stop.wait(for: changed.rawValue, .readable, until: deadline)
  }
}

/// A camera that gives the frames of another source, at a pace of its own, until it is unplugged.
final class ScenarioCamera: FrameSource {
  /// Whose frames it gives.
  private let source: any FrameSource
  /// What happens to it.
  private let scenario: CameraScenario
  /// How many frames it gives in a second.
  private var rate: CameraSource.FrameRate
  /// When the next frame is due; nil: at once.
  private var due: UInt64?
  /// When the newest frame was taken.
  private(set) var frameTime: UInt64?

  /// A camera that sees what a source shows.
  init(_ source: any FrameSource, _ scenario: CameraScenario) {
    self.source = source
    self.scenario = scenario
    rate = source.geometry.frameRate
  }

  var name: String { source.name }
  var title: String { source.title }
  var device: String { source.device }
  var clock: FrameClock { .source }

  func settings() -> sending (any CameraSettings)? { source.settings() }

  var geometry: FrameGeometry {
    let inner = source.geometry
    return FrameGeometry(width: inner.width, height: inner.height, frameRate: rate, range: inner.range)
  }

  func next(
    into slot: UnsafeMutableRawBufferPointer,
    layout: FrameRingGeometry,
    stop: StopSignal
  ) throws(FrameSourceError) -> FrameOutcome {
    while true {
      let state = scenario.look()
      guard state.isPlugged else { throw FrameSourceError(name, .camera(.unplugged)) }
      let now = MonotonicClock.now
      let wanted = state.rate ?? source.geometry.frameRate
      if wanted != rate { (rate, due) = (wanted, now) }
      if state.isFlowing, now >= due ?? now {
        // A taker that was slow has missed frames; they are not made up for.
        due = max((due ?? now) + rate.time(ofFrame: 1), now)
        frameTime = now
        return try source.next(into: slot, layout: layout, stop: stop)
      }
      let goesOn: Bool
      do throws(SystemCallError) {
        goesOn = try scenario.wait(until: state.isFlowing ? due : nil, stop)
      } catch {
        throw FrameSourceError(name, .system(error))
      }
      if !goesOn { throw FrameSourceError(name, .stopped) }
    }
  }

  func slotsWereErased() { source.slotsWereErased() }

  func rest() {
    due = nil
    source.rest()
  }
}
