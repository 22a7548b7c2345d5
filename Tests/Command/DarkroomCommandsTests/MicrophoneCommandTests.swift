// SPDX-License-Identifier: Apache-2.0

import CameraSource
import DarkroomCommands
import JSONText
import Microphones
import TestSupport
import Testing

/// `darkroom microphone`, and the exit codes of microphone errors.
@Suite(.timeLimit(.minutes(20)), .waiting) struct MicrophoneCommandTests {
  @Test func `microphones are listed, for programs as well`() throws {
    let fixture = try CommandFixture()
    let list = try fixture.run("microphone", "list", "--json")
    #expect(try list.code == 0 && list.json["microphones"]?.elements != nil, "\(list.notes)")
    #expect(try fixture.run("microphone", "list").code == 0)
  }

  @Test(
    arguments: [
      (.microphone(.microphoneBusy(holders: [CameraHolder(process: 17, program: "arecord")])), .interrupted),
      (.stopped, .interrupted), (.microphone(.noSuchDevice("")), .missing), (.microphone(.refused), .missing),
      (.microphone(.noLibrary), .machine), (.microphone(.unplugged), .machine), (.tone, .usage),
      (.wave(.damaged), .missing), (.empty, .missing),
    ] as [(SoundSourceError.Reason, ExitCode)]
  )
  func `a microphone that somebody has ends as a camera that somebody has`(
    reason: SoundSourceError.Reason,
    code: ExitCode
  ) {
    let failure = CommandFailure(SoundSourceError("alsa:hw:0", reason))
    #expect(failure.code == code && "\(failure)".contains("no microphone: alsa:hw:0: \(reason)"))
  }
}
