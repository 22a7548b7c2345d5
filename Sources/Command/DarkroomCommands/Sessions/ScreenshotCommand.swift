// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
package import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SandboxAudit
internal import SessionStore
internal import Viewfinders

/// `darkroom screenshot`: saves the current frame of a running session's viewfinder as an image.
package enum ScreenshotCommand: Command {
  private static let file = OptionSpec.value(
    "output",
    short: "o",
    "FILE",
    .file,
    help: "Write the image to FILE: .png, .jpg or .jpeg (default: viewfinder-SESSION.png)"
  )
  private static let session = ArgumentSpec(
    "SESSION",
    help: "The ID of a running session from 'darkroom ps', or its beginning"
  )

  package static let spec = CommandSpec(
    "screenshot",
    summary: "Save the viewfinder of a running session as an image",
    discussion: """
      The image is the last frame that the extension has drawn, copied from shared memory. Neither the extension \
      nor its host waits for the copy. Only the user who runs the session can take a screenshot.

      The default file name contains the first eight characters of the session ID.
      """,
    options: [file],
    arguments: [session],
    examples: [
      ExampleSpec(
        "darkroom screenshot 2b7e1516-28ae-4d2a-a6ab-f7158809cf4f -o finder.png",
        "Save the viewfinder of a session"
      )
    ],
    exitCodes: [
      ExitCode.success("The image was written"),
      ExitCode.usage.when("The command line is invalid, FILE has another extension, or SESSION is ambiguous"),
      ExitCode.missing.when("The session does not exist, or has ended"),
      ExitCode.unavailable.when(
        "The session shows no viewfinder, does not answer, or belongs to another user"
      ), ExitCode.machine.when("The frame cannot be read or encoded"), ExitCode.unreadableStore,
      ExitCode.output.when("The image could not be written"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let named = parsed.value(of: file)
    if let named, StillImageEncoder.Format(nameOf: named) == nil {
      throw CommandFailure(
        .usage,
        "\(TextTable.printable(named)): unknown file type; give a name that ends with .png, .jpg or .jpeg"
      )
    }
    let id = try ViewfinderCapture.find(parsed.value(of: session) ?? "", in: root)
    let snapshot = try ViewfinderCapture.still(of: id, in: root)
    let path = named ?? "viewfinder-\(id.description.prefix(8)).png"
    let format = StillImageEncoder.Format(nameOf: path) ?? .png
    let bytes: [UInt8]
    do {
      bytes = try StillImageEncoder.encode(snapshot.still.pixels, snapshot.viewfinder.geometry, as: format)
    } catch {
      throw CommandFailure(.machine, "\(error)")
    }
    // The file is private, because it shows what the camera sees.
    do { try OutputFile(path).write(bytes, mode: 0o600) } catch {
      throw CommandFailure(.output, "the image could not be written: \(error)")
    }
    printResult(id, snapshot, path, format, parsed, console)
    return 0
  }

  private static func printResult(
    _ id: SessionID,
    _ snapshot: ViewfinderCapture.Snapshot,
    _ path: String,
    _ format: StillImageEncoder.Format,
    _ parsed: ParsedCommand,
    _ console: Console
  ) {
    let (geometry, still) = (snapshot.viewfinder.geometry, snapshot.still)
    let moment = snapshot.viewfinder.captureTime(of: still)
    if parsed.has(CommonOptions.json) {
      console.print(
        JSONValue.object([
          "session": .string(id.description), "file": .string(path), "format": .string(format.rawValue),
          "width": .integer(Int64(geometry.width)), "height": .integer(Int64(geometry.height)),
          "sequence": .integer(Int64(clamping: still.sequence)), "takenAt": moment.map(TimestampText.json),
        ])
      )
      return
    }
    let taken = moment.map { ", taken \(TimestampText.short($0)) UTC" } ?? ""
    console.print("\(path)  \(geometry.width)x\(geometry.height), frame \(still.sequence)\(taken)")
  }
}
