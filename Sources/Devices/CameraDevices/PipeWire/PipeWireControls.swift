// SPDX-License-Identifier: Apache-2.0

internal import CPipeWire
internal import LinuxPrimitives

/// What can be adjusted at the camera of a connection, of which somebody else may have the frames.
final class PipeWireControls: AdjustableDevice {
  /// The most properties that are looked at.
  private static let most = 256
  /// How long a node may take to set something, in nanoseconds: a program hears of it later than its server.
  private static let delay: UInt64 = 500_000_000

  private let connection: PipeWireConnection
  /// The camera.
  private let node: PipeWireNode

  /// Those of the camera that the connection has chosen.
  init(_ connection: PipeWireConnection, _ node: PipeWireNode) {
    self.connection = connection
    self.node = node
  }

  func controls() -> [DeviceControl] {
    let found = ((try? properties()) ?? []).compactMap(DeviceControl.init)
    if found.contains(where: { $0.value == nil }), let path = node.kernelPath {
      return ofKernel(found, path)
    }
    return DeviceControl.governed(found)
  }

  /// The same controls with what the kernel says of them: PipeWire 0.3.65 does not tell the values of its devices. Where
  /// this user may not open the device they stay unknown.
  private func ofKernel(_ controls: [DeviceControl], _ path: String) -> [DeviceControl] {
    guard let device = try? V4L2Device(path) else { return controls }
    return controls.map { control in
      guard control.value == nil, let found = device.control(control.id) else { return control }
      var known = control
      (known.value, known.access, known.entries) = (found.value, found.access, found.entries)
      return known
    }
  }

  /// All are asked for at once, which is one answer.
  func controls(numbered numbers: [UInt32]) -> [DeviceControl] {
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
    try awaitAnswer()
    // Who tells no values does not say either when they are others.
    guard before.is_told else { return }
    let deadline = MonotonicClock.now + Self.delay
    while true {
      let now = try property().value
      // A node may have made another value of it.
      if now != before.value || DeviceControl.isSame(now, wanted) { return }
      guard try awaitNews(until: deadline) else { return }
    }
  }

  /// What the node says of its properties.
  private func properties() throws(SystemCallError) -> [darkroom_pipewire_property] {
    darkroom_pipewire_ask_properties(connection.raw)
    try awaitAnswer()
    // Whatever comes from here on is news.
    takeEvent()
    return .init(unsafeUninitializedCapacity: Self.most) { places, count in
      count = places.baseAddress.map { darkroom_pipewire_properties(connection.raw, $0, places.count) } ?? 0
    }
  }

  /// Waits for the answer to what was asked last.
  private func awaitAnswer() throws(SystemCallError) {
    let deadline = MonotonicClock.now + PipeWireConnection.patience
    while true {
      let answer = darkroom_pipewire_property_answer(connection.raw)
      if answer == 0 { return }
      guard answer > 0 else { throw SystemCallError("pw_node_set_param", errno: Errno(rawValue: -answer)) }
      guard try awaitNews(until: deadline) else {
        throw SystemCallError("pw_node_set_param", errno: .wouldBlock)
      }
    }
  }

  /// Waits until the node or its server has said something; false: neither has.
  private func awaitNews(until deadline: UInt64) throws(SystemCallError) -> Bool {
    do throws(SystemCallError) {
      guard try !Poller.wait([(event, .readable)], until: deadline)[0].isEmpty else { return false }
    } catch {
      guard error.errno == .wouldBlock else { throw error }
      return false
    }
    takeEvent()
    return true
  }

  /// Readable when something was noted.
  private var event: Int32 { darkroom_pipewire_property_event(connection.raw) }

  /// News are read from now on.
  private func takeEvent() {
    var count: UInt64 = 0
    _ = withUnsafeMutableBytes(of: &count) { Descriptor.readOnce(event, into: $0) }
  }
}
