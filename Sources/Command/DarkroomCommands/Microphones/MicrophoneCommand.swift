// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
package import Microphones
internal import PolicyExplanation

/// `darkroom microphone`: lists the microphones of the machine.
package enum MicrophoneCommand: CommandGroup {
  package static let commands: CommandList = ["list": MicrophoneListCommand.self]

  package static let spec = CommandSpec(
    "microphone",
    summary: "List the microphones",
    subcommands: Subcommands(commands)
  )
}

extension CommandFailure {
  /// Creates the failure for a sound source that provides no sound. A busy microphone is a temporary failure.
  package init(_ error: SoundSourceError) {
    self.init(Self.code(error.reason), TextTable.printable("no microphone: \(error)"))
  }

  private static func code(_ reason: SoundSourceError.Reason) -> ExitCode {
    switch reason {
    case .microphone(.microphoneBusy), .stopped: .temporaryFailure
    case .microphone(.noLibrary), .microphone(.unplugged), .microphone(.failed), .microphone(.noSound):
      .machine
    case .tone: .usage
    default: .missing
    }
  }
}
