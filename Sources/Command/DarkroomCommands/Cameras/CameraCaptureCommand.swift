// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation

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
    let path = parsed.value(of: file) ?? ""
    let format = StillImageEncoder.Format(nameOf: path)
    let isVideo = path.hasSuffix(".y4m")
    guard isVideo || format != nil else {
      throw CommandFailure(
        .usage,
        "\(path): unknown file type; give a name that ends with .jpg, .png or .y4m"
      )
    }
    let name = parsed.value(of: camera) ?? ""
    try adjust(name, parsed)
    let signals = try SessionCommands.hostSignals(console)
    let count = parsed.integer(of: frames) ?? (isVideo ? 30 : 5)
    let taken: FrameGrabber
    let stop: StopSignal
    do throws(FrameSourceError) {
      stop = try self.stop(name, signals)
      taken = try FrameGrabber(open(name, stop, console))
    } catch { throw CommandFailure(error) }
    let written =
      if let format {
        try writeImage(taken, format, name, count, path, stop)
      } else {
        try writeVideo(taken, count, path, stop)
      }
    report(written, taken.geometry, path, parsed, console)
    return 0
  }

  /// Opens a frame source. A signal to the host ends the wait for frames.
  private static func open(
    _ name: String,
    _ stop: StopSignal,
    _ console: Console
  ) throws(FrameSourceError) -> any FrameSource {
    if CameraSpecification.isCameraName(name) { return try CameraOpener.open(name) }
    return try FrameSourceOpener.open(name, standardInput: console.input, stop: stop)
  }

  /// Returns a stop signal that is raised by a signal to the host.
  private static func stop(_ name: String, _ signals: HostSignals) throws(FrameSourceError) -> StopSignal {
    do { return try StopSignal(raisedBy: signals.descriptor) } catch {
      throw FrameSourceError(name, .system(error))
    }
  }

  /// Sets the requested controls of the camera.
  private static func adjust(_ name: String, _ parsed: ParsedCommand) throws(CommandFailure) {
    let assignments = parsed.assignments(of: set)
    guard !assignments.isEmpty else { return }
    guard CameraSpecification.isCameraName(name) else {
      throw CommandFailure(
        .usage,
        "\(TextTable.printable(name)) is not a camera device; --set requires a camera device"
      )
    }
    let path: String
    do throws(CameraFault) { path = try CameraSpecification(name).path } catch {
      throw CommandFailure(FrameSourceError(name, .camera(error)))
    }
    try CameraCommand.adjust(CameraCommand.open(path).device, path, assignments.map { ($0.name, $0.value) })
  }

  /// A file that was written.
  private struct WrittenFile {
    /// The number of captured frames.
    var frames = 0
    /// The size of the file, in bytes.
    var bytes = 0
  }

  /// Writes a video.
  private static func writeVideo(
    _ taken: FrameGrabber,
    _ count: Int,
    _ path: String,
    _ stop: StopSignal
  ) throws(CommandFailure) -> WrittenFile {
    var written = WrittenFile()
    var failure: FrameSourceError?
    do throws(OutputFileError) {
      try OutputFile(path).write(mode: 0o644) { file throws(SystemCallError) in
        written = WrittenFile()
        try write(Array(Y4MHeader(geometry: taken.geometry).line.utf8), file, &written)
        while written.frames < count {
          do throws(FrameSourceError) { if try !taken.next(stop: stop) { break } } catch {
            failure = error
            throw SystemCallError("read", errno: .inputOutput)
          }
          try write(Array("\(Y4MHeader.frameMarker)\n".utf8) + Array(taken.pixels), file, &written)
          written.frames += 1
        }
      }
    } catch {
      throw failure.map { CommandFailure($0) }
        ?? CommandFailure(.output, "\(path) could not be written: \(error)")
    }
    return written
  }

  /// Appends bytes to a video.
  private static func write(
    _ bytes: [UInt8],
    _ file: borrowing Descriptor,
    _ written: inout WrittenFile
  ) throws(SystemCallError) {
    try file.writeAll(bytes)
    written.bytes += bytes.count
  }

  /// Writes the last of the captured frames as an image.
  private static func writeImage(
    _ taken: FrameGrabber,
    _ format: StillImageEncoder.Format,
    _ name: String,
    _ count: Int,
    _ path: String,
    _ stop: StopSignal
  ) throws(CommandFailure) -> WrittenFile {
    var written = WrittenFile()
    do throws(FrameSourceError) {
      while written.frames < count, try taken.next(stop: stop) { written.frames += 1 }
      guard written.frames > 0 else { throw FrameSourceError(name, .empty) }
    } catch { throw CommandFailure(error) }
    let file: [UInt8]
    do throws(StillImageEncodingError) {
      file = try StillImageEncoder.encode(Array(taken.pixels), taken.layout, as: format)
    } catch { throw CommandFailure(.machine, "\(path): \(error)") }
    do { try OutputFile(path).write(file, mode: 0o644) } catch {
      throw CommandFailure(.output, "\(path) could not be written: \(error)")
    }
    written.bytes = file.count
    return written
  }

  /// Prints the result.
  private static func report(
    _ written: WrittenFile,
    _ geometry: FrameGeometry,
    _ path: String,
    _ parsed: ParsedCommand,
    _ console: Console
  ) {
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
