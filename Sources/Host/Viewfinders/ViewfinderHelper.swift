// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import ViewfinderLink

/// A program beside this one that shows a viewfinder, and the socket to it.
///
/// What makes pictures for people stays out of the host: it takes time and memory, and nobody has to trust what it looks
/// at. Each message is one packet: a word of one letter
/// (``HostWord``, ``ProgramWord``), and what belongs to it.
final class ViewfinderHelper {
  /// The most bytes of one of its messages.
  private static let mostBytes = 512
  /// How many messages are heard in one turn.
  private static let mostAtOnce = 16

  private let channel: HeldDescriptor
  /// Its process; nil: it has ended.
  private var program: HelperProgram?
  /// Whether the program can be told anything any more.
  private(set) var isOpen = true

  private init(_ channel: HeldDescriptor, _ program: consuming HelperProgram) {
    self.channel = channel
    self.program = consume program
  }

  /// Starts a program that lies in a directory; nil: in that of this one. Its standard error is `errors`.
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
      environment: ["LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"] + zone,
      input: pair.second.rawValue,
      errors: errors
    )
    let channel = try pair.first.duplicate()
    try channel.setNonBlocking()
    return ViewfinderHelper(HeldDescriptor(channel), program)
  }

  /// Where the person's clock is, for the one on a lock screen, if they have chosen another place than their machine's.
  private static var zone: [String] { CurrentProcess.environment("TZ").map { ["TZ=\($0)"] } ?? [] }

  /// Whether its end has not been seen yet.
  var isRunning: Bool { program != nil }

  /// What to watch for messages.
  var readable: Int32 { channel.rawValue }

  /// What has become of a message to the program.
  enum Sending {
    /// It has gone out.
    case sent
    /// There is no room for it now.
    case full
    /// Nobody takes it any more.
    case lost
  }

  /// Sends a message.
  func send(_ word: HostWord, _ bytes: [UInt8], _ descriptors: [Int32] = []) -> Sending {
    do throws(SystemCallError) {
      try PacketSocket.send(Array("\(word.rawValue)".utf8) + bytes, descriptors, over: channel.descriptor)
      return .sent
    } catch { return error.errno == .wouldBlock ? .full : .lost }
  }

  /// Gives the program a ring, which it can read alone.
  func offer(_ ring: PreviewRing) -> Sending {
    // Opened anew, it can be read alone.
    guard let reading = try? FileSystem.open("/proc/self/fd/\(ring.descriptor.rawValue)", .read) else {
      return .lost
    }
    // As the host has laid it out, whatever the extension has made of it meanwhile.
    return send(.ring, ring.geometry.header, [reading.rawValue])
  }

  /// What belongs to a message, which can be what somebody types: overwritten when nobody needs it any more.
  struct Words {
    /// All of the message.
    fileprivate let message: WipedBytes
    /// How long it is.
    fileprivate let count: Int

    /// What follows the letter of the message.
    var bytes: Slice<UnsafeRawBufferPointer> { UnsafeRawBufferPointer(message.memory)[1..<count] }
    /// The same as a text, of a message that nobody has typed.
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// What one look has brought.
  enum Arrival {
    /// A message, and what belongs to it.
    case message(ProgramWord, Words)
    /// Nothing yet.
    case nothing
    /// Nothing comes any more.
    case lost
  }

  /// Takes the next message.
  func receive() -> Arrival {
    let message = WipedBytes(count: Self.mostBytes)
    switch try? PacketSocket.receive(into: message.memory, from: channel.descriptor) {
    case .bytes(let count, _):
      // What is not understood is as if the program had gone.
      guard let word = ProgramWord(rawValue: Character(Unicode.Scalar(message.memory[0]))) else {
        return .lost
      }
      return .message(word, Words(message: message, count: count))
    case .nothing: return .nothing
    case .tooLarge, .end, nil: return .lost
    }
  }

  /// Hears what has come, but not for ever, so that the program can keep nobody busy; false: nothing comes any more.
  func takeMessages(_ hear: (ProgramWord, Words) -> Void) -> Bool {
    for _ in 0..<Self.mostAtOnce where isOpen {
      switch receive() {
      case .message(let word, let rest): hear(word, rest)
      case .nothing: return true
      case .lost: return false
      }
    }
    return true
  }

  /// Waits for the next message until a time (``MonotonicClock``); lost where none comes.
  func next(until end: UInt64) -> Arrival {
    while true {
      guard let found = try? Poller.wait([(channel.rawValue, .readable)], until: end), !found[0].isEmpty
      else { return .lost }
      let arrival = receive()
      if case .nothing = arrival { continue }
      return arrival
    }
  }

  /// Waits for the end of the program so long, in nanoseconds; how it has ended, nil: it had to be ended.
  func conclude(within time: UInt64) -> ExitStatus? {
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
  /// The exit code by which a program says that it could not be confined.
  static let unconfined: Int32 = 71
  /// The one that says that the library that calculates pixels is not there.
  static let unprepared: Int32 = 72
  /// The one that says that there is no compositor any more.
  static let abandoned: Int32 = 69
  /// The one that says that the compositor refused what it was asked, or is not understood.
  static let refused: Int32 = 76

  /// How a program has ended, for a person; nil: it had to be ended.
  static func words(_ status: ExitStatus?) -> String {
    switch status {
    case .exited(unconfined): "its program is gone (it could not be confined)"
    case .exited(unprepared):
      "its program is gone (libturbojpeg.so.0 cannot be loaded; install libturbojpeg0)"
    case .exited(abandoned): "the compositor has gone"
    case .exited(refused): "the compositor does not go along with it"
    case .exited(let code): "its program is gone (it has ended with the code \(code))"
    case .signaled(let signal): "its program is gone (it was ended by \(signal))"
    case nil: "its program is gone (it had to be ended)"
    }
  }
}
