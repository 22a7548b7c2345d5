// SPDX-License-Identifier: Apache-2.0

import Testing
import ViewfinderLink

@Suite struct LockFaceTests {
  @Test func `what the host says is what the program draws`() {
    for mood in LockFace.Mood.allCases {
      for situation in LockFace.Situation.allCases {
        let face = LockFace(characters: 7, mood: mood, situation: situation)
        #expect(LockFace(face.text) == face)
      }
    }
    // The count is limited to the capacity of a password.
    #expect(LockFace(LockFace(characters: 5000).text)?.characters == 1024)
  }

  @Test func `words arrive as they are, each in its line`() {
    let words = LockWords(app: "Odd", question: "Password:", notice: "It was wrong.", typed: "joan")
    let face = LockFace(characters: 4, mood: .wrong, situation: .asking, words: words)
    #expect(LockFace(face.text) == face)
    // A text cannot contain a newline or exceed the message size.
    let long = String(repeating: "a\n\u{1F600}", count: 5000)
    let most = LockFace(words: LockWords(app: long, question: long, notice: long, typed: long))
    #expect(LockFace(most.text) == most && most.text.utf8.count < 2000)
    // The receiver sanitizes the text independently of the sender.
    let raw = LockFace("0 idle asking\nO\u{202E}dd\nq\u{7}\n\n")
    #expect(raw == LockFace(situation: .asking, words: LockWords(app: "Odd", question: "q")))
  }

  @Test(arguments: [
    "", "7 idle", "7 idle camera", "7 idle camera\n\n\n", "7 idle camera\n\n\n\n\n", "7 idle camera more",
    "x idle camera", "-1 idle camera", "1025 idle camera",
    "7 glad camera",
    "7 idle none", " 7 idle camera",
  ])
  func `anything else is nothing`(text: String) {
    #expect(LockFace(text) == nil)
    // Texts do not make an invalid first line valid.
    if text != "7 idle camera" { #expect(LockFace("\(text)\n\n\n\n") == nil) }
  }

  @Test func `a key is said with its number, and what it types`() {
    func packet(_ packet: KeyPacket) -> String { packet.withBytes { String(decoding: $0, as: UTF8.self) } }
    let text = Array("é".utf8)
    text.withUnsafeBytes { #expect(packet(KeyPacket(.pressed, 30, $0)) == "k30 é") }
    #expect(packet(KeyPacket(.pressed, 0, UnsafeRawBufferPointer(start: nil, count: 0))) == "k0 ")
    #expect(packet(KeyPacket(.released, 4_294_967_295)) == "u4294967295")
  }
}
