// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
internal import LinuxPrimitives

/// The frames of a camera. It takes some only while they are wanted, so that its lamp tells the truth.
package final class CameraDeviceSource: FrameSource {
  /// How long a camera may keep quiet before it is begun again, and once more before it is given up, in nanoseconds.
  package static let standardPatience: UInt64 = 5_000_000_000
  /// How many damaged frames in a row are no accident.
  static let mostDamaged = 30

  /// The device's path.
  package let name: String
  /// What the device calls itself, as `AVCaptureDevice.localizedName` is.
  package let title: String
  /// Where the device is plugged in, and what it calls itself.
  package let device: String
  /// The size, rate and range of its frames.
  package private(set) var geometry: FrameGeometry
  /// When the newest frame was taken.
  package private(set) var frameTime: UInt64?
  /// How the device is set.
  package let picture: CameraPicture
  /// The device itself.
  private let camera: any VideoDevice
  /// What makes its frames I420.
  private let converter: FrameConverter
  /// How long it may keep quiet, in nanoseconds.
  private let patience: UInt64
  /// How fast it really is.
  private var meter: RateMeter
  /// What it is doing.
  private var state = State.resting
  /// How many damaged frames came in a row.
  private var damaged = 0
  /// When it has kept quiet for too long.
  private var deadline: UInt64 = 0

  /// What a camera does.
  private enum State {
    /// It takes no frames.
    case resting
    /// It takes frames; none has come since it was started.
    case starting
    /// It takes frames.
    case running
    /// It takes frames, and was begun again for what disturbed it; none has come since.
    case startingAgain
  }

  /// Takes a device over that is set to `picture` and has buffers.
  init(
    _ camera: any VideoDevice,
    name: String,
    title: String,
    device: String,
    picture: CameraPicture,
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
      range: picture.range
    )
    meter = RateMeter(rate)
  }

  // Another descriptor of the device may be open, so that closing this one need not stop it.
  deinit { rest() }

  /// The camera itself.
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

  /// The same; false if the signal was raised first.
  private func fill(
    _ slot: UnsafeMutableRawBufferPointer,
    _ layout: FrameRingGeometry,
    _ stop: StopSignal
  ) throws(CameraFault) -> Bool {
    deadline = MonotonicClock.now + patience
    while true {
      if case .resting = state { try start() }
      if camera.takeChange() { try lookAgain() }
      if let frame = try newestFrame() {
        if try take(frame, into: slot, layout) { return true }
        deadline = MonotonicClock.now + patience
      } else if try !wait(stop) {
        return false
      }
    }
  }

  /// The camera takes no frames until the next is asked for.
  package func rest() {
    if case .resting = state { return }
    camera.stop()
    state = .resting
    meter.restart()
  }

  /// What the camera lets be adjusted.
  package func settings() -> sending (any CameraSettings)? {
    guard let device = camera.forAdjusting() else { return nil }
    return DeviceSettings(device, at: CameraPlace(path: camera.lastingPath(name), device: self.device))
  }

  /// Has the camera take frames.
  private func start() throws(CameraFault) {
    do throws(SystemCallError) { try camera.start() } catch { throw camera.fault(error, name) }
    state = .starting
    meter.restart()
  }

  /// Has it begin anew.
  private func startAgain() throws(CameraFault) {
    camera.stop()
    try start()
    state = .startingAgain
    deadline = MonotonicClock.now + patience
  }

  /// The newest frame; those before it, which nobody has had time for, are given back.
  private func newestFrame() throws(CameraFault) -> DeviceFrame? {
    do throws(SystemCallError) {
      var newest: DeviceFrame?
      while let frame = try camera.nextFrame() {
        if let older = newest { try camera.giveBack(older.buffer) }
        newest = frame
      }
      return newest
    } catch {
      try recover(from: error)
      return nil
    }
  }

  /// A disturbance on the way stops a camera that is as good as new when it begins again; once, or it is no accident.
  private func recover(from error: SystemCallError) throws(CameraFault) {
    guard error.errno == .inputOutput, case .running = state else { throw camera.fault(error, name) }
    try startAgain()
  }

  /// So does one that says nothing, whether frames have come of it or it has not begun well.
  private func breakSilence() throws(CameraFault) {
    if case .startingAgain = state { throw camera.silence(seconds: Int(patience / 1_000_000_000)) }
    try startAgain()
  }

  /// Converts a frame; false if it is damaged.
  private func take(
    _ frame: DeviceFrame,
    into slot: UnsafeMutableRawBufferPointer,
    _ layout: FrameRingGeometry
  ) throws(CameraFault) -> Bool {
    let buffer = camera.bytes(of: frame.buffer)
    let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(frame.bytes))
    let complaint =
      frame.isDamaged ? "the driver says so" : converter.convert(bytes, picture, into: slot, layout)
    do throws(SystemCallError) { try camera.giveBack(frame.buffer) } catch {
      throw camera.fault(error, name)
    }
    if let complaint {
      damaged += 1
      guard damaged < Self.mostDamaged else { throw .damaged(frames: damaged, message: complaint) }
      return false
    }
    (state, damaged) = (.running, 0)
    let time = frame.time ?? MonotonicClock.now
    frameTime = time
    if let rate = meter.note(frame.sequence, at: time) { setRate(rate) }
    return true
  }

  /// Something has changed at the other end.
  private func lookAgain() throws(CameraFault) {
    let found: CameraPicture
    do throws(SystemCallError) { found = try camera.picture() } catch { throw camera.fault(error, name) }
    guard (found.pixels, found.width, found.height) == (picture.pixels, picture.width, picture.height) else {
      throw .pictureChanged(from: picture.sizeText, to: found.sizeText)
    }
    geometry = geometry.with(rate: geometry.frameRate, range: found.range)
    if let rate = camera.rate() {
      meter.restart(with: rate)
      setRate(rate)
    }
  }

  /// The rate is this one now.
  private func setRate(_ rate: CameraSource.FrameRate) {
    geometry = geometry.with(rate: rate, range: geometry.range)
  }

  /// Waits for a frame or a change; false if the signal was raised first.
  private func wait(_ stop: StopSignal) throws(CameraFault) -> Bool {
    let found: [Readiness]
    do throws(SystemCallError) {
      found = try Poller.wait(
        [(camera.descriptor, [.readable, .urgent]), (stop.descriptor.rawValue, .readable)],
        until: deadline
      )
    } catch { throw .failed(error) }
    if !found[1].isEmpty { return false }
    if found[0].isEmpty { try breakSilence() }
    if found[0].contains(.error), !found[0].contains(.readable) { try meetError() }
    return true
  }

  /// The device is in error. What it says when a frame is asked for tells why.
  private func meetError() throws(CameraFault) {
    do throws(SystemCallError) {
      guard let frame = try camera.nextFrame() else { throw SystemCallError("poll", errno: .inputOutput) }
      try camera.giveBack(frame.buffer)
    } catch { try recover(from: error) }
  }
}

extension FrameGeometry {
  /// Frames of the same size.
  fileprivate func with(rate: CameraSource.FrameRate, range: ColorRange) -> FrameGeometry {
    FrameGeometry(width: width, height: height, frameRate: rate, range: range)
  }
}

extension CameraPicture {
  /// `1280x720 YUYV`.
  var sizeText: String { "\(width)x\(height) \(pixels)" }
}
