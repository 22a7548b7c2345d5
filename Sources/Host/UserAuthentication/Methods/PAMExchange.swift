// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// An exchange with the `darkroom-pam` helper. It forwards prompts of PAM modules to the user and returns the
/// answers.
///
/// Each message is one packet: a letter for the kind, followed by text. The helper sends these kinds:
/// - `h`: a prompt with a hidden answer,
/// - `s`: a prompt with a visible answer,
/// - `t`: a text for the user,
/// - `r`: the result, as a digit and a reason.
struct PAMExchange: ~Copyable {
  /// Whether the user has answered a prompt.
  private(set) var hasAnswered = false
  private let channel: Descriptor
  private let helper: HelperProgram

  private init(channel: consuming Descriptor, helper: consuming HelperProgram) {
    self.channel = channel
    self.helper = helper
  }

  /// Starts the helper. `errors` becomes its standard error, to which PAM modules may write.
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

  /// Kills the helper and all processes that its modules have started.
  consuming func finish() { helper.kill() }

  /// Forwards messages until the helper sends the result.
  mutating func run(_ context: AuthenticationContext) -> AuthenticationOutcome {
    var reason = context.reason
    while true {
      switch context.timeout.wait(for: [channel.rawValue]) {
      case .cancelled: return .cancelled
      case .timedOut: return .timedOut
      case .ready: break
      }
      guard let (kind, text) = receive() else { return .unavailable("darkroom-pam exited without a result") }
      switch kind {
      case "r": return Self.outcome(text)
      case "t": context.prompt?.show(text)
      case "h", "s":
        let question = PromptQuestion(text, kind == "h" ? .hidden : .shown, reason: reason)
        reason = ""
        if let end = answer(question, context) { return end }
      default:
        return .unavailable("darkroom-pam sent an unknown message; check that it has the version of darkroom")
      }
    }
  }

  /// Prompts the user and sends the answer. Returns an outcome if there is no answer.
  private mutating func answer(
    _ question: PromptQuestion,
    _ context: AuthenticationContext
  ) -> AuthenticationOutcome? {
    guard let prompt = context.prompt else {
      return .unavailable("the user cannot be prompted for a password; start darkroom from a terminal")
    }
    switch prompt.ask(question, context.timeout) {
    case .cancelled: return .cancelled
    case .timedOut: return .timedOut
    case .unavailable(let reason): return .unavailable(reason)
    case .secret(var secret):
      hasAnswered = true
      // An empty packet would look like the end of the connection.
      guard secret.append(0) else { return .unavailable("the password is too long") }
      let sent = try? secret.withBytes { bytes throws(SystemCallError) in try channel.write(bytes) }
      return sent == nil ? .unavailable("darkroom-pam exited before it received the answer") : nil
    }
  }

  /// Returns the next message, or `nil` at the end of the connection.
  private borrowing func receive() -> (kind: Character, text: String)? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 16)
    defer { buffer.deallocate() }
    guard case .bytes(let count)? = try? channel.read(into: buffer) else { return nil }
    let kind = Character(UnicodeScalar(buffer[0]))
    return (kind, String(decoding: buffer[1..<count], as: UTF8.self))
  }

  /// Returns the outcome for a result. Only the digit 0 means success.
  private static func outcome(_ text: String) -> AuthenticationOutcome {
    switch text.first {
    case "0": .succeeded
    case "1": .failed
    case "2": .cancelled
    case "3": .tooManyAttempts
    default: .unavailable("PAM made no decision: \(text.dropFirst()); see the system log")
    }
  }
}
