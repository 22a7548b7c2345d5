// SPDX-License-Identifier: Apache-2.0

internal import CPipeWire
internal import LinuxPrimitives

/// The controls of a connection's camera. Another thread can read the frames.
final class PipeWireControls: ControllableDevice {
  /// The maximum number of properties that are read.
  private static let maximumCount = 256
  /// The maximum time for a node to apply a value, in nanoseconds: a client node receives the request after
  /// its server has acknowledged it.
  private static let updateTimeout: UInt64 = 500_000_000

  private let connection: PipeWireConnection
  /// The camera node.
  private let node: PipeWireNode

  /// Creates the controls of the node that the connection has bound.
  init(_ connection: PipeWireConnection, _ node: PipeWireNode) {
    self.connection = connection
    self.node = node
  }

  func controls() -> [DeviceControl] {
    let found = ((try? properties()) ?? []).compactMap(DeviceControl.init)
    if found.contains(where: { $0.value == nil }), let path = node.kernelPath {
      return withKernelValues(found, path)
    }
    return DeviceControl.disablingAutomaticControls(found)
  }

  /// Returns the controls with the values that the kernel reports: PipeWire 0.3.65 does not report the values
  /// of its devices. The values stay unknown if this user cannot open the device.
  private func withKernelValues(_ controls: [DeviceControl], _ path: String) -> [DeviceControl] {
    guard let device = try? V4L2Device(path) else { return controls }
    return controls.map { control in
      guard control.value == nil, let found = device.control(control.id) else { return control }
      var known = control
      (known.value, known.access, known.entries) = (found.value, found.access, found.entries)
      return known
    }
  }

  /// Requests all properties at once, which is a single reply.
  func controls(withIDs numbers: [UInt32]) -> [DeviceControl] {
    let controls = controls()
    return numbers.compactMap { number in controls.first { $0.id == number } }
  }

  func set(_ control: UInt32, to value: Int) throws(SystemCallError) {
    func property() throws(SystemCallError) -> darkroom_pipewire_property {
      guard let found = try properties().first(where: { $0.control == control }) else {
        throw SystemCallError("pw_node_set_param", errno: .invalidArgument)
      }
      return found
    }
    let before = try property()
    let wanted = before.number(value)
    darkroom_pipewire_set_property(connection.raw, control, wanted)
    try waitForReply()
    // If a node reports no values, it does not report their changes either.
    guard before.has_value else { return }
    let deadline = MonotonicClock.now + Self.updateTimeout
    while true {
      let now = try property().value
      // The node may have rounded the value.
      if now != before.value || DeviceControl.isSame(now, wanted) { return }
      guard try waitForEvent(until: deadline) else { return }
    }
  }

  /// Returns the properties that the node reports.
  private func properties() throws(SystemCallError) -> [darkroom_pipewire_property] {
    darkroom_pipewire_request_properties(connection.raw)
    try waitForReply()
    // Any later event is a change.
    takeEvent()
    return .init(unsafeUninitializedCapacity: Self.maximumCount) { places, count in
      count = places.baseAddress.map { darkroom_pipewire_properties(connection.raw, $0, places.count) } ?? 0
    }
  }

  /// Waits for the reply to the last request.
  private func waitForReply() throws(SystemCallError) {
    let deadline = MonotonicClock.now + PipeWireConnection.timeout
    while true {
      let answer = darkroom_pipewire_property_result(connection.raw)
      if answer == 0 { return }
      guard answer > 0 else { throw SystemCallError("pw_node_set_param", errno: Errno(rawValue: -answer)) }
      guard try waitForEvent(until: deadline) else {
        throw SystemCallError("pw_node_set_param", errno: .wouldBlock)
      }
    }
  }

  /// Waits for an event of the node or its server. Returns `false` if the deadline passed first.
  private func waitForEvent(until deadline: UInt64) throws(SystemCallError) -> Bool {
    do throws(SystemCallError) {
      guard try !Poller.wait([(event, .readable)], until: deadline)[0].isEmpty else { return false }
    } catch {
      guard error.errno == .wouldBlock else { throw error }
      return false
    }
    takeEvent()
    return true
  }

  /// A descriptor that is readable when a property event was noted.
  private var event: Int32 { darkroom_pipewire_property_event(connection.raw) }

  /// Acknowledges the events.
  private func takeEvent() {
    var count: UInt64 = 0
    _ = withUnsafeMutableBytes(of: &count) { Descriptor.readOnce(event, into: $0) }
  }
}
