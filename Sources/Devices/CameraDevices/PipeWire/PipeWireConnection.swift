// SPDX-License-Identifier: Apache-2.0

internal import CPipeWire
internal import CameraSource
internal import LinuxPrimitives

/// A connection to a PipeWire server, with the objects that the server lists. No method waits longer than
/// ``timeout``.
///
/// Two threads can use a connection: one for frames, and one that adjusts controls. Its only state is `raw`,
/// which the library's lock guards, and each of the two threads has its own eventfd.
final class PipeWireConnection: @unchecked Sendable {
  /// The maximum time without a response from the server, in nanoseconds.
  static let timeout: UInt64 = 3_000_000_000
  /// The maximum number of nodes and of formats that are read.
  private static let maximumCount = 256
  /// Whether the library is available. The first access loads it.
  private static let isLoaded = darkroom_pipewire_load() == 0

  /// The C object, created in `init` and closed in `deinit`.
  let raw: OpaquePointer

  /// Connects and waits until the server has listed its objects.
  ///
  /// The connection uses a descriptor, which is closed with it, or else the server of this user.
  init(_ descriptor: Int32?) throws(CameraFault) {
    guard Self.isLoaded else { throw .pipeWire(.noLibrary) }
    var error: Int32 = 0
    guard let raw = darkroom_pipewire_connect(descriptor ?? -1, &error) else {
      let cause = SystemCallError("connect", errno: Errno(rawValue: -error))
      guard let descriptor else { throw .pipeWire(.noServer(cause)) }
      throw .pipeWire(.notAConnection(descriptor: descriptor, cause))
    }
    self.raw = raw
    try wait { $0.is_synchronized }
  }

  deinit { darkroom_pipewire_close(raw) }

  /// A descriptor that is readable when the connection has an event.
  var event: Int32 { darkroom_pipewire_event(raw) }

  /// The current status.
  var status: darkroom_pipewire_status {
    var status = darkroom_pipewire_status()
    darkroom_pipewire_get_status(raw, &status)
    return status
  }

  /// Acknowledges the events.
  func takeEvent() {
    var count: UInt64 = 0
    _ = withUnsafeMutableBytes(of: &count) { Descriptor.readOnce(event, into: $0) }
  }

  /// Waits until the status satisfies a condition.
  func wait(until isSo: (darkroom_pipewire_status) -> Bool) throws(CameraFault) {
    let deadline = MonotonicClock.now + Self.timeout
    while true {
      takeEvent()
      let status = status
      if let fault = CameraFault(status) { throw fault }
      if isSo(status) { return }
      do throws(SystemCallError) {
        let found = try Poller.wait([(event, .readable)], until: deadline)
        if found[0].isEmpty { throw SystemCallError("ppoll", errno: .wouldBlock) }
      } catch {
        guard error.errno == .wouldBlock else { throw .failed(error) }
        throw .pipeWire(.notResponding(seconds: Int(Self.timeout / 1_000_000_000)))
      }
    }
  }

  /// The nodes that provide video.
  var nodes: [PipeWireNode] {
    let found = [darkroom_pipewire_node](unsafeUninitializedCapacity: Self.maximumCount) { places, count in
      count = places.baseAddress.map { darkroom_pipewire_nodes(raw, $0, places.count) } ?? 0
    }
    return found.map(PipeWireNode.init)
  }

  /// The name of the node that the user configured as the default, or `nil` if there is none.
  var defaultNodeName: String? {
    var name = darkroom_pipewire_node().name
    withUnsafeMutableBytes(of: &name) { bytes in
      guard let place = bytes.bindMemory(to: CChar.self).baseAddress else { return }
      darkroom_pipewire_default_node(raw, place, bytes.count)
    }
    let text = V4L2Device.text(name)
    return text.isEmpty ? nil : text
  }

  /// Binds a node and returns the formats that it reports.
  func bind(_ node: PipeWireNode) throws(CameraFault) -> [darkroom_pipewire_format] {
    guard darkroom_pipewire_bind_node(raw, node.id) == 0 else { throw .unplugged }
    darkroom_pipewire_sync(raw)
    try wait { $0.is_synchronized }
    return .init(unsafeUninitializedCapacity: Self.maximumCount) { places, count in
      count = places.baseAddress.map { darkroom_pipewire_formats(raw, $0, places.count) } ?? 0
    }
  }
}

extension CameraFault {
  /// Creates the failure of a connection or its stream, or returns `nil` if there is none.
  init?(_ status: darkroom_pipewire_status) {
    let words = V4L2Device.text(status.message)
    if status.is_disconnected {
      self = .pipeWire(.disconnected)
    } else if status.is_removed {
      self = .unplugged
    } else {
      switch -status.error {
      case 0: return nil
      case EACCES, EPERM: self = .pipeWire(.permissionDenied(words))
      case EBUSY: self = .cameraBusy(holders: [])
      case ENODEV: self = .unplugged
      // With ENOENT, the session manager connects no stream to a camera that was not removed.
      default: self = .pipeWire(.failed(words))
      }
    }
  }
}
