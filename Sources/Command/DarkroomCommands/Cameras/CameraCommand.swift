// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
package import CommandGrammar
internal import LinuxPrimitives
internal import PolicyWords

/// `darkroom camera`: lists, inspects and tests the cameras of the machine.
package enum CameraCommand: CommandGroup {
  package static let commands: CommandList = [
    "list": CameraListCommand.self,
    "show": CameraShowCommand.self,
    "capture": CameraCaptureCommand.self,
  ]

  package static let spec = CommandSpec(
    "camera",
    summary: "List the cameras of this machine, show what one can do, and take frames of it",
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
    _ wishes: [(name: String, value: String)]
  ) throws(CommandFailure) {
    guard !wishes.isEmpty else { return }
    let controls = device.controls()
    for wish in wishes {
      let mend = "'darkroom camera show \(path)' lists what can be adjusted"
      guard let control = controls.first(where: { $0.name == wish.name }) else {
        throw CommandFailure(
          .missing,
          "\(path) has no control \"\(TextTable.printable(wish.name))\"; \(mend)"
        )
      }
      guard let value = Int(wish.value), control.takes(value) else {
        throw CommandFailure(
          .usage,
          "\(control.name) of \(path) goes from \(control.minimum) to \(control.maximum) in steps of \(control.step), "
            + "not \"\(TextTable.printable(wish.value))\""
        )
      }
      do throws(SystemCallError) { try device.set(control.id, to: value) } catch {
        throw CommandFailure(.machine, "\(control.name) of \(path) cannot be set now: \(error); \(mend)")
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
      case .stopped, .camera(.cameraBusy): .interrupted
      case .camera(.specification), .pattern: .usage
      case .camera(.noConverter), .camera(.unplugged), .camera(.failed), .camera(.silent), .camera(.damaged),
        .camera(.pipeWire(.noLibrary)), .camera(.pipeWire(.mute)), .camera(.pipeWire(.lost)),
        .camera(.pipeWire(.failed)), .camera(.pipeWire(.silent)):
        .machine
      default: .missing
      }
  }
}
