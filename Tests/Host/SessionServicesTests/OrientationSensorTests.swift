// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import LinuxPrimitives
import SessionServices
import TestSupport
import Testing

/// The orientation sensor with a simulated iio-sensor-proxy on a private bus.
@Suite(.timeLimit(.minutes(20))) struct OrientationSensorTests {
  private let bus: SensorBus
  private let sensor: OrientationSensor

  init() throws {
    bus = try SensorBus()
    sensor = OrientationSensor(environment: bus.environment)
  }

  /// Waits for the next change of the sensor, at most for the given time.
  private func nextChange(milliseconds: Int = TestTimeout.seconds * 1000) -> SceneOrientation? {
    let deadline = MonotonicClock.now + UInt64(milliseconds) * 1_000_000
    while MonotonicClock.now < deadline {
      if let change = sensor.takeChange() { return change }
      guard let descriptor = sensor.descriptor else { return nil }
      _ = try? Poller.wait([(descriptor, .readable)], until: deadline)
    }
    return nil
  }

  @Test func `reports the initial orientation and every rotation while the accelerometer is claimed`() throws
  {
    sensor.begin()
    #expect(nextChange() == .portrait)
    #expect(bus.nextCall() == "claimed")
    let rotations: [(edge: String, orientation: SceneOrientation)] = [
      ("left-up", .landscapeRight), ("bottom-up", .portraitUpsideDown), ("right-up", .landscapeLeft),
      ("normal", .portrait),
    ]
    for rotation in rotations {
      try bus.sendCommand("turn \(rotation.edge)")
      #expect(nextChange() == rotation.orientation)
    }
    sensor.end()
    #expect(sensor.descriptor == nil)
    #expect(bus.nextCall() == "released")
  }

  @Test func `keeps the orientation while the service reports it as undefined`() throws {
    try bus.sendCommand("turn bottom-up")
    sensor.begin()
    #expect(nextChange() == .portraitUpsideDown)
    #expect(bus.nextCall() == "claimed")
    try bus.sendCommand("turn undefined")
    #expect(nextChange(milliseconds: 300) == nil)
    try bus.sendCommand("turn bottom-up")
    try bus.sendCommand("turn normal")
    #expect(nextChange() == .portrait)
  }

  @Test func `connects to no bus before its begin`() throws {
    #expect(sensor.descriptor == nil && sensor.takeChange() == nil)
    // A claim would be printed before the reply to this command.
    try bus.sendCommand("turn left-up")
  }

  @Test func `claims the accelerometer again if the service restarts`() throws {
    sensor.begin()
    #expect(nextChange() == .portrait)
    #expect(bus.nextCall() == "claimed")
    try bus.sendCommand("leave")
    try bus.sendCommand("turn right-up")
    #expect(nextChange(milliseconds: 300) == nil)
    try bus.sendCommand("enter")
    #expect(nextChange() == .landscapeLeft)
    #expect(bus.nextCall() == "claimed")
  }

  @Test func `claims the accelerometer of a service that starts later`() throws {
    try bus.sendCommand("leave")
    sensor.begin()
    #expect(nextChange(milliseconds: 300) == nil)
    try bus.sendCommand("enter")
    #expect(nextChange() == .portrait)
  }

  @Test func `ignores forged orientations of another program`() throws {
    sensor.begin()
    #expect(nextChange() == .portrait)
    // The service is the first connection of the bus, and the sensor is the second.
    try runShell(
      """
      busctl --address='\(bus.address)' --destination=:1.1 emit /net/hadess/SensorProxy \\
        org.freedesktop.DBus.Properties PropertiesChanged 'sa{sv}as' \\
        net.hadess.SensorProxy 1 AccelerometerOrientation s left-up 0
      """
    )
    #expect(nextChange(milliseconds: 300) == nil)
  }

  @Test func `reports no orientation without a bus, and after the bus has disconnected`() throws {
    let missing = OrientationSensor { _ in "unix:path=/nonexistent" }
    missing.begin()
    #expect(missing.descriptor == nil && missing.takeChange() == nil)
    missing.end()
    sensor.begin()
    #expect(nextChange() == .portrait)
    bus.terminate()
    #expect(nextChange() == nil)
    #expect(sensor.descriptor == nil)
    sensor.end()
  }
}
