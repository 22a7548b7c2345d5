// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
package import CommandGrammar
internal import LinuxPrimitives
internal import PolicyExplanation

/// `darkroom camera`: lists, inspects and tests the cameras of the machine.
package enum CameraCommand: CommandGroup {
  package static let commands: CommandList = [
    "list": CameraListCommand.self,
    "show": CameraShowCommand.self,
    "capture": CameraCaptureCommand.self,
  ]

  package static let spec = CommandSpec(
    "camera",
    summary: "List, inspect and test cameras",
    subcommands: Subcommands(commands)
  )

  /// Opens a camera for inspection.
  static func open(_ path: String) throws(CommandFailure) -> (
    device: any VideoDevice, identity: DeviceIdentity
  ) {
    do throws(CameraFault) { return try CameraOpener.openCamera(path) } catch {
      throw CommandFailure(FrameSourceError(path, .camera(error)))
    }
  }
}

extension CommandFailure {
  /// Creates the failure for a frame source that does not provide frames.
  init(_ error: FrameSourceError) { self.init(ExitCode(error), "\(error)") }
}

extension ExitCode {
  /// Returns the exit code for a frame source that does not provide frames. A busy camera is a temporary
  /// failure.
  init(_ error: FrameSourceError) {
    self =
      switch error.reason {
      case .stopped, .camera(.cameraBusy): .temporaryFailure
      case .camera(.invalidSpecification), .pattern: .usage
      case .camera(.converterUnavailable), .camera(.unplugged), .camera(.failed), .camera(.noFrames),
        .camera(.corruptFrames),
        .camera(.pipeWire(.noLibrary)), .camera(.pipeWire(.notResponding)), .camera(.pipeWire(.disconnected)),
        .camera(.pipeWire(.failed)), .camera(.pipeWire(.noFrames)):
        .machine
      default: .missing
      }
  }
}
