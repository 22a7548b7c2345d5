// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
package import UserAuthentication
package import Viewfinders

/// A lock screen with its prompt.
package struct ActiveLockScreen {
  package let screen: LockScreen
  /// The prompt. It receives the lines that are typed on the lock screen.
  package let prompt: any PasswordPrompt
  /// Both ends of the pipe that carries the typed lines.
  private let answers: (read: HeldDescriptor, write: HeldDescriptor)
  /// The channel that carries the questions to the lock screen.
  private let questions: LockQuestions
  /// A closure that receives messages about the lock screen.
  private let notice: (String) -> Void

  /// Locks the screens of the user's compositor.
  ///
  /// - Throws: A `ScreenLockError` if the screens were not locked.
  static func lock(
    hasCamera: Bool,
    _ environment: (String) -> String?,
    _ notice: @escaping (String) -> Void
  ) throws(ScreenLockError) -> ActiveLockScreen {
    let socket = try compositor(environment, .unlocked)
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
    } catch { throw .system(error, .unlocked) }
    return try lock(socket, answers, questions, hasCamera, notice, .unlocked)
  }

  /// Locks again, after the lock-screen program has exited.
  func relock(
    hasCamera: Bool,
    _ environment: (String) -> String?
  ) throws(ScreenLockError) -> ActiveLockScreen {
    drain()
    let socket = try Self.compositor(environment, .dark)
    return try Self.lock(socket, answers, questions, hasCamera, notice, .dark)
  }

  private static func compositor(
    _ environment: (String) -> String?,
    _ state: ScreenLockError.State
  ) throws(ScreenLockError) -> String {
    do { return try CompositorSocket.path(environment) } catch { throw .refused("\(error)", state) }
  }

  private static func lock(
    _ socket: String,
    _ answers: (read: HeldDescriptor, write: HeldDescriptor),
    _ questions: LockQuestions,
    _ hasCamera: Bool,
    _ notice: @escaping (String) -> Void,
    _ state: ScreenLockError.State
  ) throws(ScreenLockError) -> ActiveLockScreen {
    do throws(WindowViewfinderError) {
      let screen = try LockScreen.lock(
        at: socket,
        answers: answers.write,
        questions: questions,
        hasCamera: hasCamera
      )
      screen.whenLost = notice
      return ActiveLockScreen(
        screen: screen,
        prompt: LockScreenPrompt(answers: answers.read, questions),
        answers: answers,
        questions: questions,
        notice: notice
      )
    } catch {
      switch error {
      case .program(let error): throw .program(error, state)
      case .noReply(let how): throw .noReply(how)
      case .refused(let reason): throw .refused(reason, state)
      }
    }
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
  package func ask(_ isAsking: Bool, app: String) {
    screen.ask(isAsking, app: app)
    if isAsking { drain() }
  }

  /// Discards all input so far.
  package func discardInput() {
    screen.discardEvents()
    drain()
  }

  /// Ends the session that was shown on the lock screen. Returns a summary of its viewfinder, or `nil` if the
  /// session had none.
  package func endSession() -> String? {
    drain()
    return screen.endSession()
  }
}
