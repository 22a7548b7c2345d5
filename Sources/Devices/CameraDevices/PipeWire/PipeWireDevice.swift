// SPDX-License-Identifier: Apache-2.0

internal import CPipeWire
package import CameraSource
package import LinuxPrimitives

/// A camera node of PipeWire.
///
/// Frames are copied out of the shared memory, because the producer could change them at any time.
package final class PipeWireDevice: VideoDevice {
  /// The maximum age of a frame by the timestamp of the camera, in nanoseconds. An older timestamp is that of
  /// another clock.
  private static let maximumFrameAge: UInt64 = 1_000_000_000

  private let connection: PipeWireConnection
  private let node: PipeWireNode
  /// The formats that the node offers.
  private let offered: [darkroom_pipewire_format]
  /// The requested format.
  private var wanted = ActiveCameraFormat(.i420, width: 0, height: 0)
  /// The requested rate.
  private var wantedRate = FrameRate.standard
  /// The newest frame.
  private var frame = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The number of format negotiations at the last query.
  private var negotiations: UInt32 = 0

  /// Connects and searches for the camera, without starting it.
  package init(_ target: PipeWireTarget) throws(CameraFault) {
    connection = try PipeWireConnection(target.descriptor)
    let standard = connection.defaultNodeName
    guard let node = PipeWireNode.find(target.node, connection.nodes, standard: standard) else {
      throw .pipeWire(target.node.map { .noSuchNode($0) } ?? .noCamera)
    }
    self.node = node
    offered = try connection.bind(node)
  }

  deinit { frame.deallocate() }

  package var descriptor: Int32 { connection.event }

  package func identity() -> DeviceIdentity { node.identity }

  package func controls() -> [DeviceControl] { PipeWireControls(connection, node).controls() }

  package func set(_ control: UInt32, to value: Int) throws(SystemCallError) {
    try PipeWireControls(connection, node).set(control, to: value)
  }

  package func makeControlDevice() -> sending (any ControllableDevice)? { PipeWireControls(connection, node) }

  /// An inherited connection is not available to a later process, and the default camera can change. The path
  /// therefore names the node.
  package func persistentPath(_ path: String) -> String { "\(PipeWireTarget.prefix):\(node.name)" }

  package func fault(_ error: SystemCallError, _ path: String) -> CameraFault {
    CameraFault(connection.status) ?? CameraFault(error, of: path)
  }

  package func noFramesFault(seconds: Int) -> CameraFault { .pipeWire(.noFrames(seconds: seconds)) }
}

// MARK: - Format and rate

extension PipeWireDevice {
  package func formats() -> [CameraFormat] {
    var found: [CameraFormat] = []
    for offer in offered {
      let pixels = PixelFormat(code: offer.pixels)
      let last = found.indices.last { found[$0].pixels == pixels }
      if let last, offer.isSingleSize, case .listed(let sizes) = found[last].sizes {
        found[last].sizes = .listed(sizes + [offer.size(0)])
      } else {
        found.append(CameraFormat(pixels, title: pixels.description, sizes: offer.sizes))
      }
    }
    return found
  }

  package func activeFormat() -> ActiveCameraFormat {
    var settled = darkroom_pipewire_format()
    return darkroom_pipewire_negotiated_format(connection.raw, &settled)
      ? ActiveCameraFormat(settled) : wanted
  }

  package func setActiveFormat(_ picture: ActiveCameraFormat) -> ActiveCameraFormat {
    let offer = offered.first {
      let widths = $0.size(0).width...max($0.size(0).width, $0.size(1).width)
      return $0.pixels == picture.pixels.code && widths.contains(picture.width)
    }
    wanted = ActiveCameraFormat(
      packed: picture.pixels,
      width: picture.width,
      height: picture.height,
      range: ActiveCameraFormat.range(picture.pixels, isFull: offer?.is_full_range ?? -1)
    )
    return wanted
  }

  package func rate() -> FrameRate? {
    var settled = darkroom_pipewire_format()
    guard darkroom_pipewire_negotiated_format(connection.raw, &settled) else { return nil }
    return settled.frameRates.first
  }

  package func setRate(_ rate: FrameRate) -> FrameRate? {
    wantedRate = rate
    return rate
  }
}

// MARK: - Frames

extension PipeWireDevice {
  /// Creates the stream, inactive. A camera can have several streams, so that no other client is locked out.
  package func requestBuffers(_ count: Int) throws(SystemCallError) -> Int {
    var format = darkroom_pipewire_format()
    format.pixels = wanted.pixels.code
    (format.width.0, format.height.0) = (UInt32(wanted.width), UInt32(wanted.height))
    (format.rates.0.0, format.rates.0.1) = (wantedRate.numerator, wantedRate.denominator)
    // The size of a JPEG frame is not specified; only noise needs this much.
    let room = wanted.minimumBytes ?? 2 * wanted.width * wanted.height + 65536
    frame = .allocate(byteCount: room, alignment: 64)
    let result = darkroom_pipewire_stream(connection.raw, &format)
    guard result == 0 else { throw SystemCallError("pw_stream_connect", errno: Errno(rawValue: -result)) }
    // `fault(_:_:)` later determines the exact failure.
    do throws(CameraFault) { try connection.wait { $0.is_ready } } catch {
      throw SystemCallError("pw_stream_connect", errno: .inputOutput)
    }
    return count
  }

  package func start() throws(SystemCallError) {
    try check()
    darkroom_pipewire_set_active(connection.raw, true)
  }

  package func stop() { darkroom_pipewire_set_active(connection.raw, false) }

  package func nextFrame() throws(SystemCallError) -> DeviceFrame? {
    connection.takeEvent()
    try check()
    guard let place = frame.baseAddress else { return nil }
    var found = darkroom_pipewire_frame()
    guard darkroom_pipewire_dequeue_frame(connection.raw, place, frame.count, &found) else { return nil }
    let (now, said) = (MonotonicClock.now, UInt64(max(0, found.time)))
    return DeviceFrame(
      buffer: 0,
      bytes: found.bytes,
      sequence: UInt32(truncatingIfNeeded: found.sequence),
      time: said <= now && now - said < Self.maximumFrameAge ? said : nil,
      isDamaged: found.is_damaged || found.bytes == 0
    )
  }

  package func bytes(of buffer: Int) -> UnsafeMutableRawBufferPointer { frame }

  /// Does nothing: the buffer was requeued when the frame was copied.
  package func requeue(_ buffer: Int) {}

  package func takeChange() -> Bool {
    let now = connection.status.settlements
    defer { negotiations = now }
    return now != negotiations
  }

  /// Throws if the stream or its server has failed. ``fault(_:_:)`` then determines the failure.
  private func check() throws(SystemCallError) {
    guard CameraFault(connection.status) != nil else { return }
    // Any errno but `EIO`, which would cause a restart of the stream.
    throw SystemCallError("pw_stream", errno: .noSuchDevice)
  }
}
