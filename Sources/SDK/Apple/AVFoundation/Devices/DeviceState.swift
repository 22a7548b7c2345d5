// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LockedCameraCapture
internal import Synchronization

/// The state of a capture device: its format, its lock and the settings of the camera.
///
/// The host changes the settings of a camera only while the camera runs, so the first access to a setting
/// starts the camera.
final class DeviceState: Sendable {
  /// The format of the device.
  let format: AVCaptureDevice.Format
  /// The type of media.
  private let mediaType: AVMediaType
  private let state = Mutex(State())
  /// The observers of the device.
  let changes = ChangeObservers()

  private struct State {
    var isConnected = true
    /// The number of calls of `lockForConfiguration()` that are not undone.
    var locks = 0
    /// The settings of the camera.
    var settings = KnownSettings()
  }

  init(_ mediaType: AVMediaType, _ format: AVCaptureDevice.Format) {
    (self.mediaType, self.format) = (mediaType, format)
  }

  /// Whether the device was not removed.
  var isConnected: Bool {
    get { state.withLock(\.isConnected) }
    set {
      state.withLock { $0.isConnected = newValue }
      changes.notify()
    }
  }

  /// Whether a caller has locked the device.
  var isLocked: Bool { state.withLock { $0.locks > 0 } }

  /// Locks the device, in addition to earlier locks.
  func lock() { state.withLock { $0.locks += 1 } }

  /// Undoes a lock.
  func unlock() { state.withLock { $0.locks = max(0, $0.locks - 1) } }

  // MARK: Settings

  /// Returns a setting of the camera, or `nil` if the camera has no such setting or there is no camera.
  ///
  /// The current value is that of ``value(_:)``.
  func setting(_ name: CameraSetting.Name) -> CameraSetting? {
    readSettings { $0.isOutdated(CurrentSession.cameraRevision) }
    return state.withLock { $0.settings.setting(name) }
  }

  /// Returns the current value of a setting, or `nil` if the camera has no such setting.
  ///
  /// A value that the camera changes by itself is read again, but for at most a tenth of the time.
  func value(_ name: CameraSetting.Name) -> Int? {
    let now = DispatchTime.now().uptimeNanoseconds
    readSettings { $0.isOutdated(CurrentSession.cameraRevision) || $0.isOutdated(name, at: now) }
    return state.withLock { $0.settings.value(name) }
  }

  /// Sets a setting of the camera to the nearest possible value; logs an error of the host.
  ///
  /// On a thread other than the main thread, the call does not wait for the host.
  func set(_ name: CameraSetting.Name, to value: Int) {
    guard let setting = setting(name) else { return }
    let value = setting.nearest(to: value)
    state.withLock { $0.settings.request(name, value) }
    changes.notify()
    if CurrentSession.isInMainQueue { return apply(name, value) }
    DispatchQueue.main.async {
      // The thread may have set a later value meanwhile, and waited for the host, for example to turn off the torch.
      guard self.state.withLock({ $0.settings.isRequested(name, value) }) else { return }
      self.apply(name, value)
    }
  }

  /// Sets a setting of the camera to the nearest possible value, and waits for the host on any thread.
  ///
  /// - Throws: `LockedCameraCaptureError` if the camera refuses the value.
  func setNow(_ name: CameraSetting.Name, to value: Int) throws {
    guard let setting = setting(name), let session = CurrentSession.session else { return }
    let value = setting.nearest(to: value)
    state.withLock { $0.settings.request(name, value) }
    let revision = CurrentSession.cameraRevision
    do {
      let actual = try session.setCameraOnThisThread(name, to: value)
      state.withLock { $0.settings.applied(name, value, actual, after: revision) }
    } catch {
      state.withLock { $0.settings.refused(name, value) }
      changes.notify()
      throw error
    }
    changes.notify()
  }

  private func apply(_ name: CameraSetting.Name, _ value: Int) {
    do { try setNow(name, to: value) } catch {
      CurrentSession.session?.logOnMainThread(
        "the camera setting \(name.rawValue) was not set to \(value): \(error)"
      )
    }
  }

  /// Turns off the torch if it is lit as far as this process knows; a camera that does not run ignores it.
  func turnOffTorch() {
    if CurrentSession.isCameraRunning, state.withLock({ $0.settings.value(.torch) }) == 1 { apply(.torch, 0) }
  }

  /// Reads the settings for the first time, or again if they are outdated and the camera runs.
  private func readSettings(if isOutdated: (KnownSettings) -> Bool) {
    let known = state.withLock(\.settings)
    guard mediaType == .video, !known.isRead || CurrentSession.isCameraRunning && isOutdated(known) else {
      return
    }
    let start = DispatchTime.now().uptimeNanoseconds
    guard let read = Self.read() else { return }
    let (revision, end) = (CurrentSession.cameraRevision, DispatchTime.now().uptimeNanoseconds)
    state.withLock { $0.settings.replace(by: read, revision, from: start, to: end) }
  }

  /// Returns the settings that the host reports, or `nil` if the camera does not start.
  private static func read() -> [CameraSetting]? {
    guard let session = CurrentSession.session else { return nil }
    do {
      if !CurrentSession.isCameraRunning { try session.startCameraOnThisThread() }
      return try session.cameraSettingsOnThisThread()
    } catch {
      session.logOnMainThread("the camera settings are unknown: \(error)")
      return nil
    }
  }
}

extension CameraSetting {
  /// Returns the possible value that is nearest to a number.
  func nearest(to number: Int) -> Int {
    let clamped = min(max(number, range.lowerBound), range.upperBound)
    guard values.isEmpty else { return values.min { abs($0 - clamped) < abs($1 - clamped) } ?? clamped }
    let steps = (Double(clamped - range.lowerBound) / Double(step)).rounded()
    let value = range.lowerBound + Int(steps) * step
    return value > range.upperBound ? value - step : value
  }
}

extension AVCaptureDevice {
  /// The state of the device.
  var state: DeviceState {
    attachment.object(DeviceState.self) { preconditionFailure("a device is created with its state") }
  }

  /// Traps unless the device is locked, like Apple's exception.
  func requireLock(_ property: String) {
    precondition(state.isLocked, "\(property) was set without a lock; call lockForConfiguration() first")
  }
}
