// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import ExtensionProtocol
internal import LinuxPrimitives
package import SystemBus

/// The orientation of the machine from iio-sensor-proxy, the service `net.hadess.SensorProxy` on the system bus.
///
/// The service turns the accelerometer on while a client has claimed it. A service that starts later, or again,
/// is claimed then. Without a system bus, the sensor reports no orientation until ``begin()`` is called again.
///
/// All calls must be made on one thread.
package final class OrientationSensor: OrientationSensing, BusConnection.Listener {
  private static let service = "net.hadess.SensorProxy"
  private static let path = "/net/hadess/SensorProxy"
  private static let propertiesInterface = "org.freedesktop.DBus.Properties"
  private static let property = "AccelerometerOrientation"

  /// A call to the service.
  private enum Call {
    /// Claim the accelerometer.
    case claim
    /// Read the orientation.
    case read
  }

  private let address: String
  private var waiting: WaitSet?
  private var connection: BusConnection?
  /// The call without a reply, or `nil`.
  private var pending: Call?
  /// Whether the service was started since the pending call was sent.
  private var needsClaim = false
  /// The unique bus name of the service while the accelerometer is claimed. Signals of other connections that
  /// look the same are ignored.
  private var owner: String?
  /// The last orientation of the service, or `nil` if it is unknown.
  private var orientation: SceneOrientation?
  /// The orientation that ``takeChange()`` has returned last.
  private var taken: SceneOrientation?

  /// Creates a sensor. The connection is opened in ``begin()``.
  ///
  /// - Parameter environment: A closure that returns the value of an environment variable.
  package init(environment: (String) -> String?) { address = BusConnection.systemAddress(environment) }

  package var descriptor: Int32? { connection == nil ? nil : waiting?.descriptor.rawValue }

  package func begin() {
    do throws(SystemCallError) {
      waiting = try WaitSet.make()
      let connection = try BusConnection(address, service: Self.service, listener: self)
      try connection.matchSignals()
      self.connection = connection
      claim()
      try watch()
    } catch { disconnect() }
  }

  package func takeChange() -> SceneOrientation? {
    do throws(SystemCallError) {
      try connection?.process()
      try watch()
    } catch { disconnect() }
    guard let orientation, orientation != taken else { return nil }
    taken = orientation
    return orientation
  }

  /// Stops to read the sensor, and releases the accelerometer.
  package func end() {
    // The service also releases the accelerometer of a client whose connection is closed.
    if owner != nil {
      try? connection?.call(Self.path, Self.service, "ReleaseAccelerometer", wantsReply: false)
    }
    disconnect()
  }

  private func disconnect() {
    (connection, pending, owner) = (nil, nil, nil)
    waiting = nil
  }

  /// Updates the events for which the connection is watched.
  private func watch() throws(SystemCallError) {
    guard let connection else { return }
    try waiting?.watch(connection.descriptor, connection.interest)
  }

  // MARK: Calls and replies

  /// Claims the accelerometer, after the reply to a pending call.
  private func claim() {
    needsClaim = pending != nil
    if !needsClaim { send(.claim) }
  }

  /// Sends a call. A failure means that the connection is lost, which the next ``takeChange()`` detects.
  private func send(_ call: Call) {
    pending = call
    switch call {
    case .claim: try? connection?.call(Self.path, Self.service, "ClaimAccelerometer")
    case .read:
      let arguments = [Self.service, Self.property].map { BusConnection.Argument.text($0) }
      try? connection?.call(Self.path, Self.propertiesInterface, "Get", arguments)
    }
  }

  package func didReceiveReply(_ reader: BusReader) {
    let call = pending
    pending = nil
    if reader.errorName == nil {
      switch call {
      case .claim:
        owner = reader.sender
        send(.read)
      case .read: take(reader)
      case nil: break
      }
    }
    if needsClaim, pending == nil { claim() }
  }

  package func didReceiveSignal(_ reader: BusReader) {
    if let owner = reader.newOwner() {
      self.owner = nil
      if !owner.isEmpty { claim() }
    } else if reader.sender == owner, reader.member == "PropertiesChanged", reader.text() == Self.service {
      _ = reader.forEachProperty { name in if name == Self.property { take(reader) } }
    }
  }

  /// Takes an orientation from a variant. The orientation stays if the service cannot determine the new one.
  private func take(_ reader: BusReader) {
    let name = reader.readContainer("v", "s") { reader.text() }
    if let new = name.flatMap({ SceneOrientation(accelerometer: $0) }) { orientation = new }
  }
}

extension SceneOrientation {
  /// Creates an orientation from its name in iio-sensor-proxy, which is the edge of the machine that points up;
  /// or returns `nil` for another name, such as `undefined`.
  init?(accelerometer name: String) {
    switch name {
    case "normal": self = .portrait
    case "bottom-up": self = .portraitUpsideDown
    // If the left edge points up, the top is on the right.
    case "left-up": self = .landscapeRight
    case "right-up": self = .landscapeLeft
    default: return nil
    }
  }
}
