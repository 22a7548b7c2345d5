// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import Microphones
internal import PolicyExplanation

/// `darkroom microphone list`: lists the recording devices.
package enum MicrophoneListCommand: Command {
  package static let spec = CommandSpec(
    "list",
    summary: "List the microphones of this machine",
    discussion: """
      The names are values for --microphone. They are the capture devices in the configuration of ALSA: sound \
      cards, and devices of programs such as PipeWire. The devices are not opened; a listed device may be in use \
      or refuse access.
      """,
    examples: [ExampleSpec("darkroom microphone list --json", "List the microphones as JSON")],
    exitCodes: [ExitCode.machine.when("The ALSA library is unavailable")]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let microphones: [ListedMicrophone]
    do throws(MicrophoneFault) { microphones = try MicrophoneList.microphones() } catch {
      throw CommandFailure(SoundSourceError("alsa", .microphone(error)))
    }
    if parsed.has(CommonOptions.json) {
      console.print([
        "microphones": .array(
          microphones.map { ["name": .string($0.name), "description": .string($0.description)] }
        )
      ])
    } else if microphones.isEmpty {
      console.note(
        "no microphone was found; connect a microphone, or use a WAV file or '--microphone tone'"
      )
    } else {
      var table = TextTable([.init("MICROPHONE"), .init("DESCRIPTION")])
      for microphone in microphones { table.add([microphone.name, microphone.description]) }
      console.print(table)
    }
    return 0
  }
}
