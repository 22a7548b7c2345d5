// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing
import ViewfinderLink

@testable import Viewfinders

@Suite struct LockPanelTests {
  /// Presses a key that types a text.
  private static func press(_ text: String, _ panel: inout LockPanel) -> LockPanel.Effect {
    panel.take(Array("5 \(text)".utf8))
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

  @Test func `questions are asked one after the other, and answered`() throws {
    var panel = LockPanel()
    #expect(panel.face(.waiting) == LockFace())
    let effects = [Self.press("1", &panel), Self.press("2", &panel), Self.press("\u{8}", &panel)]
    #expect(effects == [.begun, .changed, .changed])
    panel.ask("Password: ", .hidden)
    #expect(panel.face(.waiting) == LockFace(characters: 1, words: LockWords(question: "Password:")))
    #expect(try Self.answer(&panel) == "1\n")
    #expect(panel.face(.waiting) == LockFace(mood: .checking))
    panel.ask("One-time code: ", .shown)
    Self.type("77", &panel)
    #expect(
      panel.face(.waiting)
        == LockFace(characters: 2, words: LockWords(question: "One-time code:", typed: "77"))
    )
    #expect(try Self.answer(&panel) == "77\n")
    #expect(panel.face(.waiting).words == LockWords())
    panel.reset(.wrong, "That was not right.")
    #expect(panel.face(.waiting) == LockFace(mood: .wrong, words: LockWords(notice: "That was not right.")))
    // The user who types the next answer has read the notice.
    #expect(Self.press("1", &panel) == .begun)
    #expect(panel.face(.waiting) == LockFace(characters: 1))
  }

  @Test func `what was typed before it was asked for is never seen`() throws {
    var panel = LockPanel()
    Self.type("sé", &panel)
    panel.ask("Name:", .shown)
    Self.type("jo", &panel)
    #expect(panel.face(.waiting).words.typed == "••jo")
    for _ in 0..<3 { _ = Self.press("\u{7F}", &panel) }
    #expect(panel.face(.waiting).words.typed == "•")
    Self.type("e", &panel)
    #expect(panel.face(.waiting).words.typed == "•e")
    _ = Self.press("\u{1B}", &panel)
    Self.type("jo", &panel)
    #expect(panel.face(.waiting).words.typed == "jo")
    #expect(try Self.answer(&panel) == "jo\n")
    // Text that is typed while the answer is checked.
    Self.type("x", &panel)
    #expect(panel.face(.waiting).words.typed == "")
    panel.ask("Password:", .hidden)
    Self.type("y", &panel)
    #expect(panel.face(.waiting).words.typed == "" && panel.face(.waiting).characters == 2)
  }

  @Test func `an answer that is given before the question is seen belongs to it`() throws {
    var panel = LockPanel()
    Self.type("1234", &panel)
    #expect(try Self.answer(&panel) == "1234\n")
    panel.ask("Passcode:", .hidden)
    #expect(panel.face(.waiting) == LockFace(mood: .checking))
    panel.ask("Again:", .hidden)
    #expect(panel.face(.waiting) == LockFace(words: LockWords(question: "Again:")))
  }

  @Test func `while nothing can be answered, nothing is taken`() {
    var panel = LockPanel()
    panel.isBarred = true
    panel.reset(.wrong, "Wait 30 seconds.")
    #expect(Self.press("1", &panel) == .nothing && Self.press("\r", &panel) == .nothing)
    #expect(panel.face(.waiting) == LockFace(mood: .wrong, words: LockWords(notice: "Wait 30 seconds.")))
  }

  @Test func `what a module tells stays until it is over`() {
    var panel = LockPanel()
    panel.ask("Password:", .hidden)
    panel.tell("Caps Lock is on")
    Self.type("1", &panel)
    #expect(panel.face(.waiting).words == LockWords(question: "Password:", notice: "Caps Lock is on"))
    panel.reset(.idle)
    #expect(panel.face(.waiting) == LockFace())
  }

  @Test func `questions arrive in their order, and can be waited for`() throws {
    let questions = try LockQuestions()
    #expect(try Poller.events(of: questions.readable, .readable).isEmpty)
    let words: [LockQuestions.Word] = [.notice("a"), .question("b", .hidden), .question("c", .shown)]
    for word in words { questions.send(word) }
    #expect(try Poller.events(of: questions.readable, .readable) == .readable)
    #expect(questions.take() == words)
    #expect(try Poller.events(of: questions.readable, .readable).isEmpty && questions.take() == [])
    for _ in 0..<100 { questions.send(.notice("a")) }
    #expect(questions.take().count == 16)
  }
}
