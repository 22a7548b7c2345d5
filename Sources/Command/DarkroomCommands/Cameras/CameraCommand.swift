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

  /// Sets controls of a device. The names and values are those that `darkroom camera show` lists.
  static func adjust(
    _ device: any VideoDevice,
    _ path: String,
    _ assignments: [(name: String, value: String)]
  ) throws(CommandFailure) {
    guard !assignments.isEmpty else { return }
    let controls = device.controls()
    for assignment in assignments {
      let fix = "'darkroom camera show \(path)' lists the controls"
      guard let control = controls.first(where: { $0.name == assignment.name }) else {
        throw CommandFailure(
          .missing,
          "\(path) has no control '\(TextTable.printable(assignment.name))'; \(fix)"
        )
      }
      guard let value = Int(assignment.value), control.accepts(value) else {
        throw CommandFailure(
          .usage,
          "the control \(control.name) of \(path) accepts \(control.minimum) to \(control.maximum) in steps of "
            + "\(control.step), not '\(TextTable.printable(assignment.value))'"
        )
      }
      do throws(SystemCallError) { try device.set(control.id, to: value) } catch {
        throw CommandFailure(
          .machine,
          "the control \(control.name) of \(path) cannot be set: \(error); \(fix)"
        )
      }
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
