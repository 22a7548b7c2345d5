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
    // More than a password has is more than anybody can count.
    #expect(LockFace(LockFace(characters: 5000).text)?.characters == 1024)
  }

  @Test(arguments: [
    "", "7 idle", "7 idle camera more", "x idle camera", "-1 idle camera", "1025 idle camera",
    "7 glad camera",
    "7 idle none", " 7 idle camera",
  ])
  func `anything else is nothing`(text: String) { #expect(LockFace(text) == nil) }
}
