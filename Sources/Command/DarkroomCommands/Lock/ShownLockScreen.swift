// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import LinuxPrimitives
internal import PersonAuthentication
internal import PolicyWords
internal import Viewfinders

/// A lock screen, and what asks the person who is in front of it.
struct ShownLockScreen {
  /// What they see.
  let screen: LockScreen
  /// What asks: it takes the lines that they type there.
  let prompt: LockScreenPrompt
  /// Both ends of the pipe by which lines get from one to the other.
  private let answers: (read: HeldDescriptor, write: HeldDescriptor)
  /// How questions get there.
  private let questions: LockQuestions

  /// How things are when it could not be locked.
  private static let unlocked = "nothing was locked"
  /// How they are when it could not be shown again.
  private static let dark = "the screens stay locked, and nothing is shown on them"

  /// Locks the screens of the person's compositor; throws if they were not locked.
  static func lock(hasCamera: Bool, _ console: Console) throws(CommandFailure) -> ShownLockScreen {
    let socket = try ShownWindow.compositor(console) { reason in Self.refusal(reason, Self.unlocked) }
    let answers: (read: HeldDescriptor, write: HeldDescriptor)
    let questions: LockQuestions
    do throws(SystemCallError) {
      questions = try LockQuestions()
      let pipe = try Pipe.make()
      answers = (
        HeldDescriptor(try pipe.readEnd.duplicate()), HeldDescriptor(try pipe.writeEnd.duplicate())
      )
      // A person who types more than anybody reads is not to keep the lock waiting.
      try answers.write.descriptor.setNonBlocking()
    } catch { throw CommandFailure(.machine, "\(error)") }
    return try lock(socket, answers, questions, hasCamera, console, unlocked)
  }

  /// Locks anew, after the program has ended that showed it.
  func again(hasCamera: Bool, _ console: Console) throws(CommandFailure) -> ShownLockScreen {
    drain()
    let socket = try ShownWindow.compositor(console) { reason in Self.refusal(reason, Self.dark) }
    return try Self.lock(socket, answers, questions, hasCamera, console, Self.dark)
  }

  private static func lock(
    _ socket: String,
    _ answers: (read: HeldDescriptor, write: HeldDescriptor),
    _ questions: LockQuestions,
    _ hasCamera: Bool,
    _ console: Console,
    _ state: String
  ) throws(CommandFailure) -> ShownLockScreen {
    do throws(WindowViewfinderError) {
      let screen = try LockScreen.lock(
        at: socket,
        answers: answers.write,
        questions: questions,
        hasCamera: hasCamera
      )
      screen.whenLost = { text in console.note("darkroom: \(text)") }
      return ShownLockScreen(
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
          "\(state): \(error); see that \(program) is beside darkroom, as 'swift build' puts it"
        )
      case .silent(let how):
        throw CommandFailure(.machine, "it is not known what is locked: \(how)")
      case .refused(let reason): throw refusal(TextTable.printable(reason), state)
      }
    }
  }

  private static func refusal(_ reason: String, _ state: String) -> CommandFailure {
    CommandFailure(
      .partial,
      "\(state): \(reason); it takes a compositor with ext-session-lock-v1, as sway has it from 1.8 on, whose screens "
        + "no other program has locked"
    )
  }

  /// Forgets answers that nobody has taken.
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

  /// The person is asked to open an app, or is not any more. What they have answered before was to another question.
  func ask(_ isAsking: Bool, app: String) {
    screen.ask(isAsking, app: app)
    if isAsking { drain() }
  }

  /// Forgets what the person has done so far.
  func forget() {
    screen.forgetEvents()
    drain()
  }

  /// A session is over that was shown there.
  func endSession(_ console: Console) {
    drain()
    guard let total = screen.endSession() else { return }
    console.note(TextTable.printable(total))
  }
}
