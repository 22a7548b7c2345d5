// SPDX-License-Identifier: Apache-2.0

internal import CPipeWire
internal import CameraSource
internal import LinuxPrimitives

/// A connection with a server of PipeWire, and what it lists. Nothing here waits longer than ``patience``.
///
/// Two threads may have it, one for frames and one that adjusts: it has nothing but `raw`, which the library's own lock guards,
/// and each of the two has a counter of its own.
final class PipeWireConnection: @unchecked Sendable {
  /// How long the server may keep quiet, in nanoseconds.
  static let patience: UInt64 = 3_000_000_000
  /// The most nodes and formats that are looked at.
  private static let most = 256
  /// Whether the library is there; it is loaded by whoever asks first.
  private static let isLoaded = darkroom_pipewire_load() == 0

  /// The library's objects, made in `init` and closed in `deinit`.
  let raw: OpaquePointer

  /// Connects by a descriptor, which is closed with the connection, or with the server of this user, and waits until it
  /// has said what there is.
  init(_ descriptor: Int32?) throws(CameraFault) {
    guard Self.isLoaded else { throw .pipeWire(.noLibrary) }
    var error: Int32 = 0
    guard let raw = darkroom_pipewire_connect(descriptor ?? -1, &error) else {
      let cause = SystemCallError("connect", errno: Errno(rawValue: -error))
      guard let descriptor else { throw .pipeWire(.noServer(cause)) }
      throw .pipeWire(.noConnection(descriptor: descriptor, cause))
    }
    self.raw = raw
    try wait { $0.is_answered }
  }

  deinit { darkroom_pipewire_close(raw) }

  /// Readable when something was noted.
  var event: Int32 { darkroom_pipewire_event(raw) }

  /// How things stand.
  var standing: darkroom_pipewire_standing {
    var standing = darkroom_pipewire_standing()
    darkroom_pipewire_look(raw, &standing)
    return standing
  }

  /// Notes are read from now on.
  func takeEvent() {
    var count: UInt64 = 0
    _ = withUnsafeMutableBytes(of: &count) { Descriptor.readOnce(event, into: $0) }
  }

  /// Waits until something is so.
  func wait(until isSo: (darkroom_pipewire_standing) -> Bool) throws(CameraFault) {
    let deadline = MonotonicClock.now + Self.patience
    while true {
      takeEvent()
      let standing = standing
      if let fault = CameraFault(standing) { throw fault }
      if isSo(standing) { return }
      do throws(SystemCallError) {
        let found = try Poller.wait([(event, .readable)], until: deadline)
        if found[0].isEmpty { throw SystemCallError("ppoll", errno: .wouldBlock) }
      } catch {
        guard error.errno == .wouldBlock else { throw .failed(error) }
        throw .pipeWire(.mute(seconds: Int(Self.patience / 1_000_000_000)))
      }
    }
  }

  /// The nodes that give video.
  var nodes: [PipeWireNode] {
    let found = [darkroom_pipewire_node](unsafeUninitializedCapacity: Self.most) { places, count in
      count = places.baseAddress.map { darkroom_pipewire_nodes(raw, $0, places.count) } ?? 0
    }
    return found.map(PipeWireNode.init)
  }

  /// The name of the node that the person has chosen as the standard one; nil: none was.
  var standard: String? {
    var name = darkroom_pipewire_node().name
    withUnsafeMutableBytes(of: &name) { bytes in
      guard let place = bytes.bindMemory(to: CChar.self).baseAddress else { return }
      darkroom_pipewire_standard(raw, place, bytes.count)
    }
    let text = V4L2Device.text(name)
    return text.isEmpty ? nil : text
  }

  /// Asks a node what it gives, and waits for the answer.
  func choose(_ node: PipeWireNode) throws(CameraFault) -> [darkroom_pipewire_format] {
    guard darkroom_pipewire_choose(raw, node.id) == 0 else { throw .unplugged }
    darkroom_pipewire_ask(raw)
    try wait { $0.is_answered }
    return .init(unsafeUninitializedCapacity: Self.most) { places, count in
      count = places.baseAddress.map { darkroom_pipewire_formats(raw, $0, places.count) } ?? 0
    }
  }
}

extension CameraFault {
  /// What is wrong with a connection or its stream; nil: nothing.
  init?(_ standing: darkroom_pipewire_standing) {
    let words = V4L2Device.text(standing.message)
    if standing.is_lost {
      self = .pipeWire(.lost)
    } else if standing.is_gone {
      self = .unplugged
    } else {
      switch -standing.error {
      case 0: return nil
      case EACCES, EPERM: self = .pipeWire(.refused(words))
      case EBUSY: self = .cameraBusy(holders: [])
      case ENOENT, ENODEV: self = .unplugged
      default: self = .pipeWire(.failed(words))
      }
    }
  }
}
