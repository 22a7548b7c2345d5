// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The talk with one `darkroom-pam`: its modules' questions go to the person, and the answers back.
///
/// Each message is one packet: a letter for its kind, and a text. Those of the helper are `h` (a question whose answer is
/// hidden), `s` (one whose answer is shown), `t` (to tell the person) and `r` (the result: a digit, and a reason).
struct PAMExchange: ~Copyable {
  /// Whether the person has answered anything.
  private(set) var hasAnswered = false
  private let channel: Descriptor
  private let helper: HelperProgram

  private init(channel: consuming Descriptor, helper: consuming HelperProgram) {
    self.channel = channel
    self.helper = helper
  }

  /// Starts the helper, whose modules may have something to say on `errors`.
  static func start(
    _ path: String,
    _ service: String,
    _ directory: String?,
    errors: Int32
  ) throws(SystemCallError) -> PAMExchange {
    let pair = try SocketPair.make()
    let helper = try HelperProgram.start(
      path,
      [service] + (directory.map { [$0] } ?? []),
      environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
      input: pair.second.rawValue,
      errors: errors
    )
    return PAMExchange(channel: try pair.first.duplicate(), helper: helper)
  }

  /// Ends the helper and all that its modules have started.
  consuming func finish() { helper.kill() }

  /// Passes messages until the result is there.
  mutating func run(_ circumstances: Circumstances) -> AuthenticationOutcome {
    var told = circumstances.reason
    while true {
      switch circumstances.patience.wait(for: [channel.rawValue]) {
      case .cancelled: return .cancelled
      case .timedOut: return .timedOut
      case .ready: break
      }
      guard let (kind, text) = receive() else { return .unavailable("darkroom-pam ended without a result") }
      switch kind {
      case "r": return Self.outcome(text)
      case "t": circumstances.prompt?.tell(text)
      case "h", "s":
        let question = PromptQuestion(text, kind == "h" ? .hidden : .shown, reason: told)
        told = ""
        if let end = answer(question, circumstances) { return end }
      default:
        return .unavailable("darkroom-pam sent something that is not understood; is it of this version?")
      }
    }
  }

  /// Asks the person and sends the answer; gives the outcome if there is none.
  private mutating func answer(
    _ question: PromptQuestion,
    _ circumstances: Circumstances
  ) -> AuthenticationOutcome? {
    guard let prompt = circumstances.prompt else {
      return .unavailable("nobody can be asked for a password; start it from a terminal")
    }
    switch prompt.ask(question, circumstances.patience) {
    case .cancelled: return .cancelled
    case .timedOut: return .timedOut
    case .unavailable(let reason): return .unavailable(reason)
    case .secret(var secret):
      hasAnswered = true
      // A packet of no bytes would look like the end.
      guard secret.append(0) else { return .unavailable("the password is too long") }
      let sent = try? secret.withBytes { bytes throws(SystemCallError) in try channel.write(bytes) }
      return sent == nil ? .unavailable("darkroom-pam ended before it was answered") : nil
    }
  }

  /// The next message; nil at the end.
  private borrowing func receive() -> (kind: Character, text: String)? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 16)
    defer { buffer.deallocate() }
    guard case .bytes(let count)? = try? channel.read(into: buffer) else { return nil }
    let kind = Character(UnicodeScalar(buffer[0]))
    return (kind, String(decoding: buffer[1..<count], as: UTF8.self))
  }

  /// What a result means: only the digit 0 is a yes.
  private static func outcome(_ text: String) -> AuthenticationOutcome {
    switch text.first {
    case "0": .succeeded
    case "1": .failed
    case "2": .cancelled
    case "3": .tooManyAttempts
    default: .unavailable("PAM cannot decide: \(text.dropFirst()); see the system's log")
    }
  }
}
