// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
internal import LinuxPrimitives

/// The frames of a camera. The camera streams only while frames are wanted, so that its indicator light is
/// accurate.
package final class CameraDeviceSource: FrameSource {
  /// The time without a frame, in nanoseconds, after which a camera is restarted. After the same time again,
  /// it has failed.
  package static let defaultTimeout: UInt64 = 5_000_000_000
  /// The number of consecutive corrupt frames after which the camera has failed.
  static let maximumCorruptFrames = 30

  /// The path of the device.
  package let name: String
  /// The name that the device reports, as in `AVCaptureDevice.localizedName`.
  package let title: String
  /// The bus address of the device and the name that it reports.
  package let device: String
  /// The size, rate and range of the frames.
  package private(set) var geometry: FrameGeometry
  /// The capture time of the newest frame.
  package private(set) var frameTime: UInt64?
  /// The active format of the device.
  package let picture: ActiveCameraFormat
  /// The device.
  private let camera: any VideoDevice
  /// The converter to I420.
  private let converter: FrameConverter
  /// The maximum time without a frame, in nanoseconds.
  private let patience: UInt64
  /// The meter of the actual frame rate.
  private var meter: RateMeter
  /// The state of the camera.
  private var state = State.idle
  /// The number of consecutive corrupt frames.
  private var corruptFrames = 0
  /// The time at which the camera counts as stalled.
  private var deadline: UInt64 = 0

  /// The state of a camera.
  private enum State {
    /// The camera is not streaming.
    case idle
    /// The camera is streaming; no frame has arrived since its start.
    case starting
    /// The camera is streaming.
    case running
    /// The camera is streaming after a restart because of a failure; no frame has arrived since.
    case restarting
  }

  /// Creates a source that owns a device with an active format and buffers.
  init(
    _ camera: any VideoDevice,
    name: String,
    title: String,
    device: String,
    picture: ActiveCameraFormat,
    rate: CameraSource.FrameRate,
    converter: FrameConverter,
    patience: UInt64
  ) {
    self.camera = camera
    self.name = name
    self.title = title
    self.device = device
    self.picture = picture
    self.converter = converter
    self.patience = patience
    geometry = FrameGeometry(
      width: picture.width,
      height: picture.height,
      frameRate: rate,
      range: picture.range,
      raw: picture.pixels.bayer
    )
    meter = RateMeter(rate)
  }

  // Closing the descriptor need not stop the device, because another descriptor can be open.
  deinit { suspend() }

  /// The camera determines the pace.
  package var clock: FrameClock { .source }

  /// Waits for a frame and converts it.
  package func next(
    into slot: UnsafeMutableRawBufferPointer,
    layout: FrameRingGeometry,
    stop: StopSignal
  ) throws(FrameSourceError) -> FrameOutcome {
    do throws(CameraFault) {
      if try fill(slot, layout, stop) { return .frame }
    } catch { throw FrameSourceError(name, .camera(error)) }
    throw FrameSourceError(name, .stopped)
  }

  /// Waits for a frame and converts it. Returns `false` if the stop signal was raised first.
  private func fill(
    _ slot: UnsafeMutableRawBufferPointer,
    _ layout: FrameRingGeometry,
    _ stop: StopSignal
  ) throws(CameraFault) -> Bool {
    deadline = MonotonicClock.now + patience
    while true {
      if case .idle = state { try start() }
      if camera.takeChange() { try reloadFormat() }
      if let frame = try newestFrame() {
        if try take(frame, into: slot, layout) { return true }
        deadline = MonotonicClock.now + patience
      } else if try !wait(stop) {
        return false
      }
    }
  }

  /// Stops streaming until the next frame is requested.
  package func suspend() {
    if case .idle = state { return }
    camera.stop()
    state = .idle
    meter.restart()
  }

  /// Returns the adjustable settings of the camera.
  package func settings() -> sending (any CameraSettings)? {
    guard let device = camera.makeControlDevice() else { return nil }
    return DeviceSettings(device, at: CameraLocation(path: camera.persistentPath(name), device: self.device))
  }

  /// Starts streaming.
  private func start() throws(CameraFault) {
    do throws(SystemCallError) { try camera.start() } catch { throw camera.fault(error, name) }
    state = .starting
    meter.restart()
  }

  /// Restarts the camera after a failure.
  private func restart() throws(CameraFault) {
    camera.stop()
    try start()
    state = .restarting
    deadline = MonotonicClock.now + patience
  }

  /// Returns the newest frame, and requeues older ones that were not read in time.
  private func newestFrame() throws(CameraFault) -> DeviceFrame? {
    do throws(SystemCallError) {
      var newest: DeviceFrame?
      while let frame = try camera.nextFrame() {
        if let older = newest { try camera.requeue(older.buffer) }
        newest = frame
      }
      return newest
    } catch {
      try recover(from: error)
      return nil
    }
  }

  /// Restarts the camera after a transfer error, or throws if the error occurs again before the next frame.
  private func recover(from error: SystemCallError) throws(CameraFault) {
    guard error.errno == .inputOutput, case .running = state else { throw camera.fault(error, name) }
    try restart()
  }

  /// Restarts a stalled camera, or throws if it stalls again. This includes a camera that stalled right after
  /// its start.
  private func handleTimeout() throws(CameraFault) {
    if case .restarting = state { throw camera.noFramesFault(seconds: Int(patience / 1_000_000_000)) }
    try restart()
  }

  /// Converts a frame, and copies its samples if they are of a sensor with a Bayer filter. Returns `false` if the frame is
  /// corrupt.
  private func take(
    _ frame: DeviceFrame,
    into slot: UnsafeMutableRawBufferPointer,
    _ layout: FrameRingGeometry
  ) throws(CameraFault) -> Bool {
    let buffer = camera.bytes(of: frame.buffer)
    let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(frame.bytes))
    let failure =
      frame.isDamaged ? "reported by the driver" : converter.convert(bytes, picture, into: slot, layout)
    if failure == nil, let raw = layout.raw { picture.copyRows(of: bytes, to: raw, in: slot) }
    do throws(SystemCallError) { try camera.requeue(frame.buffer) } catch {
      throw camera.fault(error, name)
    }
    if let failure {
      corruptFrames += 1
      guard corruptFrames < Self.maximumCorruptFrames else {
        throw .corruptFrames(frames: corruptFrames, message: failure)
      }
      return false
    }
    (state, corruptFrames) = (.running, 0)
    let time = frame.time ?? MonotonicClock.now
    frameTime = time
    if let rate = meter.record(frame.sequence, at: time) { setRate(rate) }
    return true
  }

  /// Reads the format and the rate again after the video source changed.
  private func reloadFormat() throws(CameraFault) {
    let found: ActiveCameraFormat
    do throws(SystemCallError) { found = try camera.activeFormat() } catch { throw camera.fault(error, name) }
    guard (found.pixels, found.width, found.height) == (picture.pixels, picture.width, picture.height) else {
      throw .formatChanged(from: picture.sizeText, to: found.sizeText)
    }
    geometry = geometry.with(rate: geometry.frameRate, range: found.range)
    if let rate = camera.rate() {
      meter.restart(with: rate)
      setRate(rate)
    }
  }

  /// Updates the frame rate.
  private func setRate(_ rate: CameraSource.FrameRate) {
    geometry = geometry.with(rate: rate, range: geometry.range)
  }

  /// Waits for a frame or a change. Returns `false` if the stop signal was raised first.
  private func wait(_ stop: StopSignal) throws(CameraFault) -> Bool {
    let found: [Readiness]
    do throws(SystemCallError) {
      found = try Poller.wait(
        [(camera.descriptor, [.readable, .urgent]), (stop.descriptor.rawValue, .readable)],
        until: deadline
      )
    } catch { throw .failed(error) }
    if !found[1].isEmpty { return false }
    if found[0].isEmpty { try handleTimeout() }
    if found[0].contains(.error), !found[0].contains(.readable) { try handleDeviceError() }
    return true
  }

  /// Handles the error state of the device. The error of the next dequeue determines the reason.
  private func handleDeviceError() throws(CameraFault) {
    do throws(SystemCallError) {
      guard let frame = try camera.nextFrame() else { throw SystemCallError("poll", errno: .inputOutput) }
      try camera.requeue(frame.buffer)
    } catch { try recover(from: error) }
  }
}

extension FrameGeometry {
  /// Returns the geometry with another rate and range.
  fileprivate func with(rate: CameraSource.FrameRate, range: ColorRange) -> FrameGeometry {
    FrameGeometry(width: width, height: height, frameRate: rate, range: range, raw: raw)
  }
}

extension ActiveCameraFormat {
  /// For example `1280x720 YUYV`.
  var sizeText: String { "\(width)x\(height) \(pixels)" }
}
