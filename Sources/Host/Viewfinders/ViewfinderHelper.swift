// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import ViewfinderLink

/// A helper program that shows a viewfinder, and the socket to it.
///
/// The code that produces images is not part of the host: it needs time and memory, and its input from
/// extensions is not trusted. Each message is one packet: a letter for the kind (``HostMessageKind``,
/// ``HelperMessageKind``), followed by the payload.
final class ViewfinderHelper {
  /// The maximum size of a message from the helper, in bytes.
  private static let maximumBytes = 512
  /// The maximum number of messages per call.
  private static let maximumMessages = 16

  private let channel: HeldDescriptor
  /// The process of the helper, or `nil` after its exit.
  private var program: HelperProgram?
  /// Whether messages can be sent to the helper.
  private(set) var isOpen = true

  private init(_ channel: HeldDescriptor, _ program: consuming HelperProgram) {
    self.channel = channel
    self.program = consume program
  }

  /// Starts a helper.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - words: The arguments of the program.
  ///   - errors: The descriptor for standard error.
  ///   - directory: The directory of the program, or `nil` for that of this executable.
  /// - Returns: The running helper.
  /// - Throws: An error if the helper cannot be started.
  static func start(
    _ name: String,
    _ words: [String],
    errors: Int32,
    in directory: String?
  ) throws(SystemCallError) -> ViewfinderHelper {
    let pair = try SocketPair.make()
    let place: String
    if let directory {
      place = directory
    } else {
      place = FileSystem.directoryName(try CurrentProcess.executablePath())
    }
    let program = try HelperProgram.start(
      "\(place)/\(name)",
      words,
      environment: ["LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"] + timeZone,
      input: pair.second.rawValue,
      errors: errors
    )
    let channel = try pair.first.duplicate()
    try channel.setNonBlocking()
    return ViewfinderHelper(HeldDescriptor(channel), program)
  }

  /// The user's time zone for the clock on the lock screen, if it differs from that of the machine.
  private static var timeZone: [String] { CurrentProcess.environment("TZ").map { ["TZ=\($0)"] } ?? [] }

  /// Whether the exit of the helper has not been handled yet.
  var isRunning: Bool { program != nil }

  /// The descriptor to poll for messages.
  var readable: Int32 { channel.rawValue }

  /// The result of sending a message.
  enum SendResult {
    /// The message was sent.
    case sent
    /// The socket's send buffer is full.
    case full
    /// The helper no longer receives messages.
    case lost
  }

  /// Sends a message to the helper.
  func send(_ word: HostMessageKind, _ bytes: [UInt8], _ descriptors: [Int32] = []) -> SendResult {
    do throws(SystemCallError) {
      try PacketSocket.send(Array("\(word.rawValue)".utf8) + bytes, descriptors, over: channel.descriptor)
      return .sent
    } catch { return error.errno == .wouldBlock ? .full : .lost }
  }

  /// Sends a ring to the helper, with read-only access.
  func sendRing(_ ring: PreviewRing) -> SendResult {
    // Opened again, because the new descriptor is read-only.
    guard let reading = try? FileSystem.open("/proc/self/fd/\(ring.descriptor.rawValue)", .read) else {
      return .lost
    }
    // The header as the host wrote it, because the extension may have changed the one in memory.
    return send(.ring, ring.geometry.header, [reading.rawValue])
  }

  /// The payload of a message, which may be typed text. It is wiped when the last reference is released.
  struct Payload {
    /// The buffer with the complete message.
    fileprivate let message: WipedBytes
    /// The length of the message.
    fileprivate let count: Int

    /// The bytes after the kind.
    var bytes: Slice<UnsafeRawBufferPointer> { UnsafeRawBufferPointer(message.memory)[1..<count] }
    /// The payload as a string. Use it only for messages without typed text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The result of a receive operation.
  enum Arrival {
    /// A message and its payload.
    case message(HelperMessageKind, Payload)
    /// No message has arrived.
    case nothing
    /// The connection is closed.
    case lost
  }

  /// Receives the next message.
  func receive() -> Arrival {
    let message = WipedBytes(count: Self.maximumBytes)
    switch try? PacketSocket.receive(into: message.memory, from: channel.descriptor) {
    case .bytes(let count, _):
      // An invalid message is treated as the loss of the helper.
      guard let word = HelperMessageKind(rawValue: Character(Unicode.Scalar(message.memory[0]))) else {
        return .lost
      }
      return .message(word, Payload(message: message, count: count))
    case .nothing: return .nothing
    case .tooLarge, .end, nil: return .lost
    }
  }

  /// Handles pending messages, up to a limit, so that the helper cannot keep the host busy. Returns `false`
  /// if the connection is lost.
  func takeMessages(_ hear: (HelperMessageKind, Payload) -> Void) -> Bool {
    for _ in 0..<Self.maximumMessages where isOpen {
      switch receive() {
      case .message(let word, let rest): hear(word, rest)
      case .nothing: return true
      case .lost: return false
      }
    }
    return true
  }

  /// Waits for the next message until a deadline (``MonotonicClock``). The result is `lost` if none arrives.
  func next(until end: UInt64) -> Arrival {
    while true {
      guard let found = try? Poller.wait([(channel.rawValue, .readable)], until: end), !found[0].isEmpty
      else { return .lost }
      let arrival = receive()
      if case .nothing = arrival { continue }
      return arrival
    }
  }

  /// Waits for the exit of the helper, at most `time` nanoseconds. Returns the exit status, or `nil` if the
  /// helper had to be killed.
  func waitForExit(within time: UInt64) -> ExitStatus? {
    isOpen = false
    guard let program = program.take() else { return nil }
    let end = MonotonicClock.now + time
    let ended = try? Poller.wait([(program.handle.descriptor.rawValue, .readable)], until: end)
    var status: ExitStatus?
    if ended?.first?.isEmpty == false { status = try? program.handle.reap() }
    if status == nil { program.kill() }
    return status
  }
}

extension ViewfinderHelper {
  /// The exit code of a helper that could not be confined.
  static let confinementFailed: Int32 = 71
  /// The exit code of a helper without the library for pixel conversion.
  static let libraryUnavailable: Int32 = 72
  /// The exit code of ld.so(8) if a library that a helper links with cannot be loaded.
  static let linkedLibraryUnavailable: Int32 = 127
  /// The exit code of a helper that lost the compositor.
  static let compositorLost: Int32 = 69
  /// The exit code of a helper whose request was refused by the compositor, or that received an invalid
  /// message.
  static let refused: Int32 = 76

  /// Returns a text for users about the exit of a helper. `nil` means that it was killed.
  static func exitDescription(_ status: ExitStatus?) -> String {
    switch status {
    case .exited(confinementFailed): "its program could not be confined"
    case .exited(libraryUnavailable):
      "its program cannot load libturbojpeg.so.0 (install libturbojpeg0)"
    case .exited(linkedLibraryUnavailable):
      "its program cannot load a shared library (see 'darkroom doctor')"
    case .exited(compositorLost): "the compositor closed the connection"
    case .exited(refused): "the compositor refused the request"
    case .exited(let code): "its program exited with code \(code)"
    case .signaled(let signal): "its program was terminated by \(signal)"
    case nil: "its program did not exit and was killed"
    }
  }
}
