// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import ViewfinderLink

// MARK: - Messages from the helper

extension LockScreen {
  /// Processes messages from the helper, and new questions and notices.
  package func flush() {
    if !helper.takeMessages(handle) { handleLoss() }
    let words = questions.take()
    for word in words {
      switch word {
      case .question(let text, let echo): panel.ask(text, echo)
      case .notice(let text): panel.show(text)
      }
    }
    if !words.isEmpty { sendContent() }
  }

  /// Handles a message.
  func handle(_ word: HelperMessageKind, _ rest: ViewfinderHelper.Payload) {
    switch word {
    case .done: isBusy = false
    case .camera: requestCamera()
    case .pressed: press(rest.bytes)
    case .released: add(keys.release(rest.bytes))
    case .keyboardFocusLost: add(keys.cancelAll())
    case .pointer: if isReceivingPointer, !isAsking { add(SessionCommand.commands(pointerPacket: rest.text)) }
    case .summary: total = rest.text
    default: break
    }
  }

  private func press(_ bytes: some Collection<UInt8>) {
    if isInSession, !isAsking {
      add(keys.press(bytes))
    } else if WindowKeys.isCamera(bytes) {
      requestCamera()
    } else {
      switch panel.handleKey(bytes) {
      case .nothing: break
      case .changed: sendContent()
      case .started:
        sendContent()
        if !isInSession { add(.typing) }
      case .finished:
        guard panel.answer(to: answers) else {
          return show(.wrong, "The answer could not be sent; try again.")
        }
        sendContent()
        if !isInSession { add(.answer) }
      }
    }
  }

  /// Handles a press of the camera button, which is the shutter during a session that receives no contacts.
  private func requestCamera() {
    guard isInSession else { return add(.camera) }
    guard !isAsking, !isReceivingPointer else { return }
    add([CapturePhase.began, .ended].map { .capture(CaptureEvent(.primary, $0)) })
  }

  private func add(_ event: Event) {
    if events.count < Self.maximumWaiting { events.append(event) }
  }

  private func add(_ more: [SessionCommand]) {
    if isInSession { commands.add(more) }
  }

  /// Handles the result of sending a message, and returns whether it was sent.
  func take(_ sending: ViewfinderHelper.SendResult) -> Bool {
    if sending == .lost { flush() }
    return sending == .sent
  }

  private func handleLoss() {
    isBusy = false
    guard helper.isRunning else { return }
    let how = ViewfinderHelper.exitDescription(helper.waitForExit(within: Self.closeTimeout))
    events.append(.lost(how))
    if isInSession { whenLost("the session is no longer shown: \(how); the session and the lock continue") }
  }
}
