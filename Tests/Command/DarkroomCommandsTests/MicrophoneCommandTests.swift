// SPDX-License-Identifier: Apache-2.0

import CameraSource
import DarkroomCommands
import JSONText
import Microphones
import TestSupport
import Testing

/// `darkroom microphone`, and the exit codes of microphone errors.
@Suite(.timeLimit(.minutes(20)), .waiting) struct MicrophoneCommandTests {
  @Test func `microphone list prints text and JSON`() throws {
    let fixture = try CommandFixture()
    let list = try fixture.run("microphone", "list", "--json")
    #expect(try list.code == 0 && list.json["microphones"]?.elements != nil, "\(list.errorOutput)")
    #expect(try fixture.run("microphone", "list").code == 0)
  }

  @Test(
    arguments: [
      (
        .microphone(.microphoneBusy(holders: [CameraHolder(process: 17, program: "arecord")])),
        .temporaryFailure
      ),
      (.stopped, .temporaryFailure), (.microphone(.noSuchDevice("")), .missing),
      (.microphone(.permissionDenied), .missing),
      (.microphone(.noLibrary), .machine), (.microphone(.unplugged), .machine), (.tone, .usage),
      (.wave(.malformed), .missing), (.empty, .missing),
    ] as [(SoundSourceError.Reason, ExitCode)]
  )
  func `each microphone error has its exit code`(
    reason: SoundSourceError.Reason,
    code: ExitCode
  ) {
    let failure = CommandFailure(SoundSourceError("alsa:hw:0", reason))
    #expect(failure.code == code && "\(failure)".contains("no microphone: alsa:hw:0: \(reason)"))
  }
}
