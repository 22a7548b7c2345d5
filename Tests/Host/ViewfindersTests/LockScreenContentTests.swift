// SPDX-License-Identifier: Apache-2.0

import Testing
import ViewfinderLink

@Suite struct LockScreenContentTests {
  @Test func `the content is decoded as encoded`() {
    for phase in LockScreenContent.Phase.allCases {
      for mode in LockScreenContent.Mode.allCases {
        let face = LockScreenContent(characters: 7, phase: phase, mode: mode)
        #expect(LockScreenContent(face.text) == face)
      }
    }
    // The count is limited to the capacity of a password.
    #expect(LockScreenContent(LockScreenContent(characters: 5000).text)?.characters == 1024)
  }

  @Test func `texts are decoded as encoded, one per line`() {
    let words = LockScreenText(app: "Odd", question: "Password:", notice: "It was wrong.", typed: "joan")
    let face = LockScreenContent(characters: 4, phase: .wrong, mode: .asking, words: words)
    #expect(LockScreenContent(face.text) == face)
    // A text cannot contain a newline or exceed the message size.
    let long = String(repeating: "a\n\u{1F600}", count: 5000)
    let most = LockScreenContent(words: LockScreenText(app: long, question: long, notice: long, typed: long))
    #expect(LockScreenContent(most.text) == most && most.text.utf8.count < 2000)
    // The receiver sanitizes the text independently of the sender.
    let raw = LockScreenContent("0 idle asking\nO\u{202E}dd\nq\u{7}\n\n")
    #expect(raw == LockScreenContent(mode: .asking, words: LockScreenText(app: "Odd", question: "q")))
  }

  @Test(arguments: [
    "", "7 idle", "7 idle camera", "7 idle camera\n\n\n", "7 idle camera\n\n\n\n\n", "7 idle camera more",
    "x idle camera", "-1 idle camera", "1025 idle camera",
    "7 glad camera",
    "7 idle none", " 7 idle camera",
  ])
  func `rejects any other text`(text: String) {
    #expect(LockScreenContent(text) == nil)
    // Texts do not make an invalid first line valid.
    if text != "7 idle camera" { #expect(LockScreenContent("\(text)\n\n\n\n") == nil) }
  }

  @Test func `encodes a key with its code and text`() {
    func packet(_ packet: KeyPacket) -> String { packet.withBytes { String(decoding: $0, as: UTF8.self) } }
    let text = Array("é".utf8)
    text.withUnsafeBytes { #expect(packet(KeyPacket(.pressed, 30, $0)) == "k30 é") }
    #expect(packet(KeyPacket(.pressed, 0, UnsafeRawBufferPointer(start: nil, count: 0))) == "k0 ")
    #expect(packet(KeyPacket(.released, 4_294_967_295)) == "u4294967295")
  }
}
