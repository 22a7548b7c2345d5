// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing
import ViewfinderLink

@testable import Viewfinders

@Suite struct LockPanelTests {
  /// Presses a key that types a text.
  private static func press(_ text: String, _ panel: inout LockPanel) -> LockPanel.Effect {
    panel.handleKey(Array("5 \(text)".utf8))
  }

  /// Presses one key after another.
  private static func type(_ text: String, _ panel: inout LockPanel) {
    for character in text { _ = press(String(character), &panel) }
  }

  /// Sends the typed text and returns the received line.
  private static func answer(_ panel: inout LockPanel) throws -> String {
    let pipe = try Pipe.make()
    let isSent = panel.answer(to: HeldDescriptor(try pipe.writeEnd.duplicate()))
    #expect(isSent)
    var bytes = [UInt8](repeating: 0, count: 64)
    guard case .bytes(let count) = try bytes.withUnsafeMutableBytes({ try pipe.readEnd.read(into: $0) })
    else { return "" }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test func `asks questions one after another and sends each answer`() throws {
    var panel = LockPanel()
    #expect(panel.content(.waiting) == LockScreenContent())
    let effects = [Self.press("1", &panel), Self.press("2", &panel), Self.press("\u{8}", &panel)]
    #expect(effects == [.started, .changed, .changed])
    panel.ask("Password: ", .hidden)
    #expect(
      panel.content(.waiting)
        == LockScreenContent(characters: 1, words: LockScreenText(question: "Password:"))
    )
    #expect(try Self.answer(&panel) == "1\n")
    #expect(panel.content(.waiting) == LockScreenContent(phase: .checking))
    panel.ask("One-time code: ", .shown)
    Self.type("77", &panel)
    #expect(
      panel.content(.waiting)
        == LockScreenContent(characters: 2, words: LockScreenText(question: "One-time code:", typed: "77"))
    )
    #expect(try Self.answer(&panel) == "77\n")
    #expect(panel.content(.waiting).words == LockScreenText())
    panel.reset(.wrong, "That was not right.")
    #expect(
      panel.content(.waiting)
        == LockScreenContent(phase: .wrong, words: LockScreenText(notice: "That was not right."))
    )
    // The user who types the next answer has read the notice.
    #expect(Self.press("1", &panel) == .started)
    #expect(panel.content(.waiting) == LockScreenContent(characters: 1))
  }

  @Test func `hides text that was typed before the question was shown`() throws {
    var panel = LockPanel()
    Self.type("sé", &panel)
    panel.ask("Name:", .shown)
    Self.type("jo", &panel)
    #expect(panel.content(.waiting).words.typed == "••jo")
    for _ in 0..<3 { _ = Self.press("\u{7F}", &panel) }
    #expect(panel.content(.waiting).words.typed == "•")
    Self.type("e", &panel)
    #expect(panel.content(.waiting).words.typed == "•e")
    _ = Self.press("\u{1B}", &panel)
    Self.type("jo", &panel)
    #expect(panel.content(.waiting).words.typed == "jo")
    #expect(try Self.answer(&panel) == "jo\n")
    // Text that is typed while the answer is checked.
    Self.type("x", &panel)
    #expect(panel.content(.waiting).words.typed == "")
    panel.ask("Password:", .hidden)
    Self.type("y", &panel)
    #expect(panel.content(.waiting).words.typed == "" && panel.content(.waiting).characters == 2)
  }

  @Test func `an answer given before the question appears answers that question`() throws {
    var panel = LockPanel()
    Self.type("1234", &panel)
    #expect(try Self.answer(&panel) == "1234\n")
    panel.ask("Passcode:", .hidden)
    #expect(panel.content(.waiting) == LockScreenContent(phase: .checking))
    panel.ask("Again:", .hidden)
    #expect(panel.content(.waiting) == LockScreenContent(words: LockScreenText(question: "Again:")))
  }

  @Test func `accepts no input while answers are disabled`() {
    var panel = LockPanel()
    panel.isDisabled = true
    panel.reset(.wrong, "Wait 30 seconds.")
    #expect(Self.press("1", &panel) == .nothing && Self.press("\r", &panel) == .nothing)
    #expect(
      panel.content(.waiting)
        == LockScreenContent(phase: .wrong, words: LockScreenText(notice: "Wait 30 seconds."))
    )
  }

  @Test func `shows a module message until the authentication ends`() {
    var panel = LockPanel()
    panel.ask("Password:", .hidden)
    panel.show("Caps Lock is on")
    Self.type("1", &panel)
    #expect(panel.content(.waiting).words == LockScreenText(question: "Password:", notice: "Caps Lock is on"))
    panel.reset(.idle)
    #expect(panel.content(.waiting) == LockScreenContent())
  }

  @Test func `delivers PAM questions in order, and signals pending questions on a descriptor`() throws {
    let questions = try LockQuestions()
    #expect(try Poller.events(of: questions.readable, .readable).isEmpty)
    let words: [LockQuestions.Message] = [.notice("a"), .question("b", .hidden), .question("c", .shown)]
    for word in words { questions.send(word) }
    #expect(try Poller.events(of: questions.readable, .readable) == .readable)
    #expect(questions.take() == words)
    #expect(try Poller.events(of: questions.readable, .readable).isEmpty && questions.take() == [])
    for _ in 0..<100 { questions.send(.notice("a")) }
    #expect(questions.take().count == 16)
  }
}
