// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import ViewfinderLink

// MARK: - Messages from the helper

extension LockScreen {
  /// Processes messages from the helper, and new questions and notices.
  package func flush() {
    if !helper.takeMessages(hear) { lose() }
    let words = questions.take()
    for word in words {
      switch word {
      case .question(let text, let echo): panel.ask(text, echo)
      case .notice(let text): panel.tell(text)
      }
    }
    if !words.isEmpty { tellFace() }
  }

  /// Handles a message.
  func hear(_ word: ProgramWord, _ rest: ViewfinderHelper.Words) {
    switch word {
    case .done: isBusy = false
    case .camera: wantCamera()
    case .pressed: press(rest.bytes)
    case .released: add(keys.release(rest.bytes))
    case .leftKeys: add(keys.leave())
    case .total: total = rest.text
    default: break
    }
  }

  private func press(_ bytes: some Collection<UInt8>) {
    if isInSession, !isAsking {
      add(keys.press(bytes))
    } else if WindowKeys.isCamera(bytes) {
      wantCamera()
    } else {
      switch panel.take(bytes) {
      case .nothing: break
      case .changed: tellFace()
      case .begun:
        tellFace()
        if !isInSession { add(.typing) }
      case .finished:
        guard panel.answer(to: answers) else { return show(.wrong, "That was too much at once; try again.") }
        tellFace()
        if !isInSession { add(.answer) }
      }
    }
  }

  /// Handles a press of the camera button, which is the shutter during a session.
  private func wantCamera() {
    guard isInSession else { return add(.camera) }
    guard !isAsking else { return }
    add([CapturePhase.began, .ended].map { .capture(CaptureEvent(.primary, $0)) })
  }

  private func add(_ event: Event) {
    if events.count < Self.mostWaiting { events.append(event) }
  }

  private func add(_ more: [SessionCommand]) {
    guard isInSession, commands.count + more.count <= Self.mostWaiting else { return }
    commands += more
  }

  /// Handles the result of sending a message, and returns whether it was sent.
  func take(_ sending: ViewfinderHelper.Sending) -> Bool {
    if sending == .lost { flush() }
    return sending == .sent
  }

  private func lose() {
    isBusy = false
    guard helper.isRunning else { return }
    let how = ViewfinderHelper.words(helper.conclude(within: Self.farewell))
    events.append(.lost(how))
    if isInSession { whenLost("the session is not shown any more: \(how); it goes on, and so does the lock") }
  }
}
