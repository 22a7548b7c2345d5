// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionServices

/// `darkroom camera capture`: saves frames of a camera to a file, without an extension.
package enum CameraCaptureCommand: Command {
  private static let camera = ArgumentSpec("SOURCE", help: "The camera, as for --camera of 'darkroom run'")
  private static let file = ArgumentSpec(
    "FILE",
    .one,
    .file,
    help: "An image (.jpg, .png), or a YUV4MPEG2 video (.y4m)"
  )
  private static let frames = OptionSpec.value(
    "frames",
    "NUMBER",
    .integer(1...1_000_000),
    help: "Take this number of frames (default: 30 for a video, 5 for an image, which is the last frame)"
  )
  private static let set = OptionSpec.value(
    "set",
    "NAME=VALUE",
    .assignment,
    .repeated,
    help: "Set a control of the camera first, such as zoom-absolute=2; the value is kept"
  )

  package static let spec = CommandSpec(
    "capture",
    summary: "Take an image or a video, to test a camera",
    discussion: """
      The command involves no extension and no app. An image is the last of several frames, because many cameras \
      need some frames to adjust the exposure. FILE is replaced when it is complete.
      """,
    options: [frames, set],
    arguments: [camera, file],
    examples: [
      ExampleSpec("darkroom camera capture /dev/video0 me.jpg", "Take an image"),
      ExampleSpec(
        "darkroom camera capture /dev/video0:640x480@15 --frames 150 me.y4m",
        "Take a video of ten seconds"
      ),
    ],
    exitCodes: ExitCode.frameSource(
      ExitCode.usage.when("The command line or SOURCE is invalid, or FILE has another extension"),
      ExitCode.output.when("The output or FILE could not be written")
    )
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let (name, path) = (parsed.value(of: camera) ?? "", parsed.value(of: file) ?? "")
    let capture: FrameCapture
    do throws(FrameCaptureError) {
      capture = try FrameCapture(of: name, to: path, frames: parsed.integer(of: frames))
      try capture.adjust(parsed.assignments(of: set).map { ($0.name, $0.value) })
    } catch { throw CommandFailure(error) }
    let signals = try SessionCommands.hostSignals(console)
    let stop: StopSignal
    do { stop = try StopSignal(raisedBy: signals.descriptor) } catch {
      throw CommandFailure(FrameSourceError(name, .system(error)))
    }
    do throws(FrameCaptureError) {
      report(try capture.run(standardInput: console.input, stop: stop), path, parsed, console)
    } catch { throw CommandFailure(error) }
    return 0
  }

  /// Prints the result.
  private static func report(
    _ written: FrameCapture.Result,
    _ path: String,
    _ parsed: ParsedCommand,
    _ console: Console
  ) {
    let geometry = written.geometry
    let rate = geometry.frameRate
    guard parsed.has(CommonOptions.json) else {
      console.print(
        TextTable.printable(
          "\(path)  \(geometry.width)x\(geometry.height), \(rate) frames/s, "
            + "\(counted(written.frames, "frame")), \(counted(written.bytes, "byte"))"
        )
      )
      return
    }
    console.print([
      "file": .string(path), "bytes": .integer(Int64(written.bytes)),
      "frames": .integer(Int64(written.frames)),
      "width": .integer(Int64(geometry.width)), "height": .integer(Int64(geometry.height)),
      "frameRate": [.integer(Int64(rate.numerator)), .integer(Int64(rate.denominator))],
    ])
  }
}

extension CommandFailure {
  /// Creates the failure for frames that were not saved.
  fileprivate init(_ error: FrameCaptureError) {
    switch error {
    case .source(let error): self.init(error)
    case .notCameraDevice(let name):
      self.init(
        .usage,
        "\(TextTable.printable(name)) is not a camera device; --set requires a camera device"
      )
    case .unknownFileType, .invalidValue: self.init(.usage, "\(error)")
    case .unknownSetting: self.init(.missing, "\(error)")
    case .notSet, .notEncoded: self.init(.machine, "\(error)")
    case .notWritten: self.init(.output, "\(error)")
    }
  }
}
