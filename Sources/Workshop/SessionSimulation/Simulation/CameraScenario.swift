// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
package import LinuxPrimitives
internal import Synchronization

/// The state of a simulated camera. The thread of the session changes it, and the thread of the frames reads
/// it.
package final class CameraScenario: Sendable {
  /// The state of the camera.
  struct State {
    /// Whether the camera is connected.
    var isConnected = true
    /// Whether the camera delivers frames.
    var isStreaming = true
    /// The frame rate, or `nil` for that of the source.
    var rate: CameraSource.FrameRate?
  }

  private let state = Mutex(State())
  /// A descriptor that is readable after a change, until the state is read.
  private let changed: Descriptor

  /// Creates a connected camera that delivers frames.
  package init() throws(SystemCallError) { changed = try EventCounter.make() }

  /// Changes the state.
  func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    try? EventCounter.add(to: changed)
  }

  /// Returns the current state, and acknowledges its changes.
  func takeState() -> State {
    _ = try? EventCounter.take(changed)
    return state.withLock { $0 }
  }

  /// Waits for a change or the deadline. Returns `false` if `stop` was raised first.
  func wait(until deadline: UInt64?, _ stop: StopSignal) throws(SystemCallError) -> Bool {
    try stop.wait(for: changed.rawValue, .readable, until: deadline)
  }
}

/// A simulated camera that delivers the frames of another source at its own rate, until it is unplugged.
final class ScenarioCamera: FrameSource {
  /// The source of the frames.
  private let source: any FrameSource
  /// The state of the camera.
  private let scenario: CameraScenario
  /// The current frame rate.
  private var rate: CameraSource.FrameRate
  /// The due time of the next frame, or `nil` if it is due now.
  private var due: UInt64?
  /// The capture time of the newest frame.
  private(set) var frameTime: UInt64?

  /// Creates a camera that delivers the frames of a source.
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
      let state = scenario.takeState()
      guard state.isConnected else { throw FrameSourceError(name, .camera(.unplugged)) }
      let now = MonotonicClock.now
      let wanted = state.rate ?? source.geometry.frameRate
      if wanted != rate { (rate, due) = (wanted, now) }
      if state.isStreaming, now >= due ?? now {
        // A slow consumer misses frames; they are not delivered later.
        due = max((due ?? now) + rate.time(ofFrame: 1), now)
        frameTime = now
        return try source.next(into: slot, layout: layout, stop: stop)
      }
      let isContinuing: Bool
      do throws(SystemCallError) {
        isContinuing = try scenario.wait(until: state.isStreaming ? due : nil, stop)
      } catch {
        throw FrameSourceError(name, .system(error))
      }
      if !isContinuing { throw FrameSourceError(name, .stopped) }
    }
  }

  func slotsWereErased() { source.slotsWereErased() }

  func suspend() {
    due = nil
    source.suspend()
  }
}
