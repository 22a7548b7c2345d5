// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Testing

/// A private bus with a simulated iio-sensor-proxy. Both are killed with the last reference.
package final class SensorBus {
  /// The D-Bus address of the bus.
  package let address: String
  private let directory: ScratchDirectory
  private let bus: InteractiveProcess
  private let service: InteractiveProcess

  /// Starts the bus and the service, whose accelerometer is upright and not claimed.
  package init() throws {
    directory = try ScratchDirectory()
    address = "unix:path=\(directory.path)/bus"
    bus = try InteractiveProcess([
      "/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)",
      "--print-address",
    ])
    try #require(bus.readLine()?.hasPrefix("unix:") == true)
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    service = try InteractiveProcess(
      ["\(programs)/darkroom-fake-sensor"],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS=\(address)"]
    )
    try #require(service.readLine() == "ready")
  }

  /// Returns the address of the bus as the value of its environment variable.
  package func environment(_ name: String) -> String? {
    name == "DBUS_SYSTEM_BUS_ADDRESS" ? address : nil
  }

  /// Sends a command to the service and waits until it is on the bus. The service prints nothing else meanwhile.
  package func sendCommand(_ command: String) throws {
    service.sendLine(command)
    try #require(service.readLine() == "done")
  }

  /// The next call that the service has printed: `claimed` or `released`.
  package func nextCall() -> String? { service.readLine() }

  /// Kills the bus.
  package func terminate() { bus.terminate() }
}
