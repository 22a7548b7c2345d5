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
    help:
      "The picture, whose name ends in .png, .jpg or .jpeg; without it, a PNG file named for the session, here"
  )
  private static let session = ArgumentSpec(
    "SESSION",
    help: "The id of a running session, as 'darkroom ps' names it, or the beginning of one"
  )

  package static let spec = CommandSpec(
    "screenshot",
    summary: "Save what the viewfinder of a running session shows now",
    discussion: """
      The picture is the frame that the extension has drawn last, copied from the memory that it draws in: neither \
      the extension nor its host is asked to wait. Only the user who runs the session can do it.
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
      ExitCodeSpec("0", "The picture is there"),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is no such session, or it has ended"),
      ExitCodeSpec("\(ExitCode.unavailable.rawValue)", "The session shows no viewfinder now"),
      ExitCodeSpec("\(ExitCode.output.rawValue)", "The picture cannot be written"),
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
