// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Glibc
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import TestSupport
import Testing

/// The error of a fake host that did not receive the expected message.
struct FakeHostError: Error, CustomStringConvertible {
  var description: String
}

/// The host's side of a session: two pipes, and a frame ring that is written according to the specification.
///
/// It is `@unchecked Sendable` because a test passes it to one thread and uses it again only after that
/// thread has ended.
final class FakeHost: @unchecked Sendable {
  static let width = 34
  static let height = 17
  static let slots = 4
  static let stride = 4096

  private var toExtension: Descriptor?
  private let fromExtension: Descriptor
  private var extensionIn: Descriptor?
  private var extensionOut: Descriptor?
  private let ring: Descriptor
  private let memory: Mapping
  private let event: Descriptor
  private let done: Descriptor
  private var framer = LineFramer()
  private var published: UInt64 = 0
  /// The ring of the viewfinder, which has the layout of the frame ring.
  let preview: Descriptor
  let previewMemory: Mapping
  let previewEvent: Descriptor

  /// Creates a host. With `raw`, frames also have the samples of a sensor, ``rawSamples``.
  init(raw: Bool = false) throws {
    // Reports a write to an exited extension as an error instead of terminating the tests with SIGPIPE.
    SignalDescriptor.reportFailedWrites()
    let inward = try Pipe.make()
    let outward = try Pipe.make()
    // Duplicates, because Swift 6.2.3 does not compile code that moves the ends out of a pipe of another module.
    toExtension = .some(try inward.writeEnd.duplicate())
    extensionIn = .some(try inward.readEnd.duplicate())
    fromExtension = try outward.readEnd.duplicate()
    extensionOut = .some(try outward.writeEnd.duplicate())
    let size = 4096 + Self.slots * Self.stride
    ring = try MemoryFile.make(name: "frames", size: size)
    memory = try Mapping(ring, length: size, .readWrite)
    event = try EventCounter.make()
    done = try EventCounter.make()
    preview = try MemoryFile.make(name: "preview", size: size)
    previewMemory = try Mapping(preview, length: size, .readWrite)
    previewEvent = try EventCounter.make()
    writeHeader(memory.bytes)
    writeHeader(previewMemory.bytes)
    if raw { writeRawSamples() }
  }

  /// Returns the ends of the extension. It can be called only once.
  func channel(camera: Bool = true, preview hasPreview: Bool = false) throws -> HostChannel {
    guard let hostIn = extensionIn.take(), let hostOut = extensionOut.take() else {
      throw FakeHostError(description: "the extension's ends were taken already")
    }
    guard camera else { return HostChannel(hostIn: hostIn, hostOut: hostOut, camera: nil) }
    let channel = CameraChannel(
      frames: try ring.duplicate(),
      frameEvent: try event.duplicate(),
      frameDone: try done.duplicate()
    )
    guard hasPreview else { return HostChannel(hostIn: hostIn, hostOut: hostOut, camera: channel) }
    let shown = PreviewChannel(frames: try preview.duplicate(), frameEvent: try previewEvent.duplicate())
    return HostChannel(hostIn: hostIn, hostOut: hostOut, camera: channel, preview: shown)
  }

  /// Calls `body` with the descriptors of the extension in the specified order, then closes its pipe ends.
  func passDescriptors<Result>(_ body: ([Int32]) throws -> Result) throws -> Result {
    guard let hostIn = extensionIn.take(), let hostOut = extensionOut.take() else {
      throw FakeHostError(description: "the extension's ends were taken already")
    }
    return try body([hostIn.rawValue, hostOut.rawValue, ring.rawValue, event.rawValue, done.rawValue])
  }

  /// Closes the host's end of the pipe.
  func close() { toExtension = nil }

  func send(_ message: HostMessage) throws { try send(message.line) }

  func send(_ bytes: [UInt8]) throws { try toExtension?.writeAll(bytes) }

  /// Receives the next message of the extension.
  func receive() throws -> ExtensionMessage {
    let deadline = TestTimeout.deadline
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      if let line = try framer.next() { return try ExtensionMessage(line: line) }
      let ready = try Poller.wait([(fromExtension.rawValue, .readable)], until: deadline)
      guard !ready[0].isEmpty else { throw FakeHostError(description: "no message came") }
      guard case .bytes(let count) = try fromExtension.read(into: buffer) else {
        throw FakeHostError(description: "the extension has closed")
      }
      framer.push(buffer[..<count], at: 0)
    }
  }

  /// Receives a request, which must equal `expected`, and replies to it.
  func answer(_ expected: ExtensionRequest, _ outcome: Reply.Outcome = .success([:])) throws {
    let message = try receive()
    guard case .request(let id, expected) = message else {
      throw FakeHostError(description: "expected \(expected), not \(message)")
    }
    try send(.reply(Reply(id: id, outcome)))
  }

  /// Receives a notification, which must equal `expected`.
  func expect(_ expected: ExtensionNotification) throws {
    let message = try receive()
    guard message == .notification(expected) else {
      throw FakeHostError(description: "expected \(expected), not \(message)")
    }
  }

  /// Starts the session, and checks the reply of the extension.
  func start(_ start: SessionStart = FakeHost.sessionStart()) throws {
    try send(.request(id: .integer(1), .sessionStart(start)))
    let message = try receive()
    let reply = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
    guard message == .reply(reply) else { throw FakeHostError(description: "\(message)") }
  }

  /// Receives any request.
  func receiveRequest() throws -> (id: RequestID, request: ExtensionRequest) {
    let message = try receive()
    guard case .request(let id, let request) = message else {
      throw FakeHostError(description: "expected a request, not \(message)")
    }
    return (id, request)
  }

  /// Receives the request for the camera, and grants it.
  func startCamera(_ delivery: ExtensionProtocol.FrameDelivery = .latest) throws {
    let stream = CameraStream(width: Self.width, height: Self.height, frameRate: FrameRate(30))
    try answer(.cameraStart(delivery), .success(stream.json))
  }

  func press() throws { try send(.notification(.captureEvent(CaptureEvent(.primary, .began)))) }

  func dismiss(_ reason: ExtensionProtocol.DismissalReason = .user) throws {
    try send(.notification(.sessionWillDismiss(DismissalNotice(reason: reason, grace: 2))))
  }

  /// Waits for a viewfinder frame, and returns its planes.
  func viewfinderPlanes(_ sequence: UInt64) throws -> (luma: [UInt8], blue: [UInt8], red: [UInt8]) {
    var total: UInt64 = 0
    let deadline = TestTimeout.deadline
    func published() -> UInt64 { previewMemory.bytes.loadUnaligned(fromByteOffset: 128, as: UInt64.self) }
    while published() < sequence {
      let ready = try Poller.wait([(previewEvent.rawValue, .readable)], until: deadline)
      guard !ready[0].isEmpty else { throw FakeHostError(description: "only \(total) pictures were drawn") }
      total += try EventCounter.take(previewEvent)
    }
    let slot = 4096 + Int(sequence - 1) % Self.slots * Self.stride
    let found = previewMemory.bytes.loadUnaligned(fromByteOffset: slot, as: UInt64.self)
    guard found == sequence else { throw FakeHostError(description: "the slot has picture \(found)") }
    let (luma, chroma) = (Self.width * Self.height, Self.width / 2 * ((Self.height + 1) / 2))
    let start = slot + 64
    return (
      Array(previewMemory.bytes[start..<start + luma]),
      Array(previewMemory.bytes[start + luma..<start + luma + chroma]),
      Array(previewMemory.bytes[start + luma + chroma..<start + luma + 2 * chroma])
    )
  }

  /// Announces the viewfinder frame that the host shows, or 0 for none.
  func setHeldFrame(_ sequence: UInt64) {
    previewMemory.bytes.storeBytes(of: sequence.littleEndian, toByteOffset: 136, as: UInt64.self)
  }

  /// Returns all bytes of a slot of the viewfinder.
  func viewfinderSlot(_ number: Int) -> [UInt8] {
    let start = 4096 + number * Self.stride
    return Array(previewMemory.bytes[start..<start + Self.stride])
  }

  /// Returns the capture time and the drawing time of the frame in a slot of the viewfinder.
  func viewfinderTimestamps(_ number: Int) -> (taken: UInt64, drawn: UInt64) {
    let start = 4096 + number * Self.stride
    return (
      previewMemory.bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self),
      previewMemory.bytes.loadUnaligned(fromByteOffset: start + 16, as: UInt64.self)
    )
  }

  static func sessionStart(
    directory: String = "/session",
    context: JSONValue = .null,
    raw: BayerFormat? = nil
  ) -> SessionStart {
    SessionStart(
      .init(
        sessionID: "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11",
        app: "org.example.camera",
        extension: "org.example.camera.capture"
      ),
      directories: .init(session: directory),
      appContext: context,
      lockState: .locked,
      permissions: Permissions(camera: .authorized),
      deadlines: Deadlines(launch: 10, dismissal: 2),
      devices: .init(
        camera: CameraDescription(
          width: width,
          height: height,
          raw: raw,
          frameRate: FrameRate(30),
          name: "fake"
        )
      )
    )
  }
}

extension FakeHost {
  private func put32(_ value: Int, at offset: Int, _ bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: UInt32(value).littleEndian, toByteOffset: offset, as: UInt32.self)
  }

  private func put64(_ value: UInt64, at offset: Int) {
    memory.bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  /// The numbers come from the specification, not from the code, so that the test checks both.
  private func writeHeader(_ bytes: UnsafeMutableRawBufferPointer) {
    bytes.copyBytes(from: Array("DKFR".utf8))
    let chroma = (width: Self.width / 2, height: (Self.height + 1) / 2)
    let luma = Self.width * Self.height
    let values = [1, 4096, Self.slots, Self.stride, Self.width, Self.height, 1, 30, 1, 3]
    for (index, value) in values.enumerated() { put32(value, at: 4 + 4 * index, bytes) }
    let planes = [
      64, Self.width, Self.height, Self.width,
      64 + luma, chroma.width, chroma.height, chroma.width,
      64 + luma + chroma.width * chroma.height, chroma.width, chroma.height, chroma.width,
    ]
    for (index, value) in planes.enumerated() { put32(value, at: 48 + 4 * index, bytes) }
  }

  /// Describes samples of 10 bits with the pattern red, green, green, blue, and writes them to all slots.
  private func writeRawSamples() {
    memory.bytes[96..<100].copyBytes(from: Array("RG10".utf8))
    put32(Self.rawOffset, at: 100, memory.bytes)
    put32(2 * Self.width, at: 104, memory.bytes)
    for slot in 0..<Self.slots {
      let start = 4096 + slot * Self.stride + Self.rawOffset
      for (index, sample) in Self.rawSamples.enumerated() {
        memory.bytes.storeBytes(of: sample.littleEndian, toByteOffset: start + 2 * index, as: UInt16.self)
      }
    }
  }

  /// The offset of the samples in a slot: after the planes, which have 64 + 34 * 17 + 2 * 17 * 9 bytes.
  private static let rawOffset = 960

  /// The samples of a sensor, with 10 bits: different ones for each color, and for each pixel of a color.
  static let rawSamples: [UInt16] = (0..<width * height).map { index in
    let (row, column) = (index / width, index % width)
    return UInt16([[100, 400], [500, 800]][row % 2][column % 2] + index % 97)
  }

  /// Publishes a frame with this luma and neutral chroma, and signals the extension if `announce` is true.
  func publish(luma: UInt8, announce: Bool = true) throws {
    published += 1
    let slot = 4096 + Int(published - 1) % Self.slots * Self.stride
    put64(0, at: slot)
    put64(published * 1000, at: slot + 8)
    let size = Self.width * Self.height
    let pixels = slot + 64
    for offset in pixels..<pixels + size { memory.bytes[offset] = luma }
    for offset in pixels + size..<pixels + size + Self.width / 2 * (Self.height + 1) {
      memory.bytes[offset] = 128
    }
    put64(published, at: slot)
    put64(published, at: 128)
    if announce { try EventCounter.add(to: event) }
  }

  /// Waits until the extension has acknowledged `sequence` frames.
  func waitUntilDone(_ sequence: UInt64) throws {
    var total: UInt64 = 0
    let deadline = TestTimeout.deadline
    while total < sequence {
      let ready = try Poller.wait([(done.rawValue, .readable)], until: deadline)
      guard !ready[0].isEmpty else { throw FakeHostError(description: "only \(total) frames were done") }
      total += try EventCounter.take(done)
    }
    guard total == sequence else { throw FakeHostError(description: "\(total) frames were done") }
  }
}
