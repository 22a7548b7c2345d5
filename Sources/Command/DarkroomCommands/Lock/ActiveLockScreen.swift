// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import LinuxPrimitives
internal import PolicyExplanation
internal import UserAuthentication
internal import Viewfinders

/// A lock screen with its prompt.
struct ActiveLockScreen {
  /// The lock screen.
  let screen: LockScreen
  /// The prompt. It receives the lines that are typed on the lock screen.
  let prompt: LockScreenPrompt
  /// Both ends of the pipe that carries the typed lines.
  private let answers: (read: HeldDescriptor, write: HeldDescriptor)
  /// The channel that carries the questions to the lock screen.
  private let questions: LockQuestions

  /// The state that is reported if the screens could not be locked.
  private static let unlocked = "nothing was locked"
  /// The state that is reported if the lock screen could not be shown again.
  private static let dark = "the screens stay locked, and nothing is shown on them"

  /// Locks the screens of the user's compositor.
  ///
  /// - Throws: A `CommandFailure` if the screens were not locked.
  static func lock(hasCamera: Bool, _ console: Console) throws(CommandFailure) -> ActiveLockScreen {
    let socket = try WindowPreview.compositor(console) { reason in Self.refusal(reason, Self.unlocked) }
    let answers: (read: HeldDescriptor, write: HeldDescriptor)
    let questions: LockQuestions
    do throws(SystemCallError) {
      questions = try LockQuestions()
      let pipe = try Pipe.make()
      answers = (
        HeldDescriptor(try pipe.readEnd.duplicate()), HeldDescriptor(try pipe.writeEnd.duplicate())
      )
      // The write end is non-blocking, so that unread input does not block the lock screen.
      try answers.write.descriptor.setNonBlocking()
    } catch { throw CommandFailure(.machine, "\(error)") }
    return try lock(socket, answers, questions, hasCamera, console, unlocked)
  }

  /// Locks again, after the lock-screen program has exited.
  func relock(hasCamera: Bool, _ console: Console) throws(CommandFailure) -> ActiveLockScreen {
    drain()
    let socket = try WindowPreview.compositor(console) { reason in Self.refusal(reason, Self.dark) }
    return try Self.lock(socket, answers, questions, hasCamera, console, Self.dark)
  }

  private static func lock(
    _ socket: String,
    _ answers: (read: HeldDescriptor, write: HeldDescriptor),
    _ questions: LockQuestions,
    _ hasCamera: Bool,
    _ console: Console,
    _ state: String
  ) throws(CommandFailure) -> ActiveLockScreen {
    do throws(WindowViewfinderError) {
      let screen = try LockScreen.lock(
        at: socket,
        answers: answers.write,
        questions: questions,
        hasCamera: hasCamera
      )
      screen.whenLost = { text in console.note("darkroom: \(text)") }
      return ActiveLockScreen(
        screen: screen,
        prompt: LockScreenPrompt(answers: answers.read, questions),
        answers: answers,
        questions: questions
      )
    } catch {
      switch error {
      case .program(let error):
        let program = WindowViewfinder.program
        throw CommandFailure(
          .machine,
          "\(state): \(error); check that \(program) is in the directory of darkroom, as 'swift build' puts it"
        )
      case .noReply(let how):
        throw CommandFailure(.machine, "it is not known what is locked: \(how)")
      case .refused(let reason): throw refusal(TextTable.printable(reason), state)
      }
    }
  }

  private static func refusal(_ reason: String, _ state: String) -> CommandFailure {
    CommandFailure(
      .unavailable,
      "\(state): \(reason); it takes a compositor with ext-session-lock-v1, as sway has it from 1.8 on, whose screens "
        + "no other program has locked"
    )
  }

  /// Discards answers that were not read.
  private func drain() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    defer {
      WipedBytes.wipe(buffer)
      buffer.deallocate()
    }
    while let found = try? Poller.wait([(answers.read.rawValue, .readable)], until: 0), !found[0].isEmpty {
      guard case .bytes = try? answers.read.descriptor.read(into: buffer) else { return }
    }
  }

  /// Shows or hides the prompt to open an app. Earlier answers are discarded, because they belong to another
  /// question.
  func ask(_ isAsking: Bool, app: String) {
    screen.ask(isAsking, app: app)
    if isAsking { drain() }
  }

  /// Discards all input so far.
  func discardInput() {
    screen.discardEvents()
    drain()
  }

  /// Ends the session that was shown on the lock screen.
  func endSession(_ console: Console) {
    drain()
    guard let total = screen.endSession() else { return }
    console.note(TextTable.printable(total))
  }
}
