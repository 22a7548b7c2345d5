// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation

/// `darkroom camera show`: prints the formats, controls and users of a camera.
package enum CameraShowCommand: Command {
  private static let camera = ArgumentSpec("DEVICE", help: "The camera, such as /dev/video0 or pipewire")

  package static let spec = CommandSpec(
    "show",
    summary: "Show the formats, controls and users of a camera",
    discussion: """
      The formats include sizes and frame rates. The processes that have the camera open are listed.
      """,
    arguments: [camera],
    examples: [ExampleSpec("darkroom camera show /dev/video0", "Show the properties of a camera")],
    exitCodes: ExitCode.frameSource()
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let path = parsed.value(of: camera) ?? ""
    let (device, identity) = try CameraCommand.open(path)
    let holders = DeviceHolders.find((try? FileSystem.realPath(path)) ?? path)
    let (formats, controls) = (device.formats(), device.controls())
    if parsed.has(CommonOptions.json) {
      console.print([
        "camera": CameraOutput.json(ListedCamera(path: path, identity: .success(identity))),
        "formats": .array(formats.map(CameraOutput.json)),
        "controls": .array(controls.map(CameraOutput.json)),
        "holders": .array(holders.map(CameraOutput.json)),
      ])
      return 0
    }
    console.print(
      TextTable.printable("\(path)  \(identity.name), driver \(identity.driver), bus \(identity.bus)")
    )
    if !holders.isEmpty {
      console.print(TextTable.printable("in use by \(holders.map(\.description).joined(separator: ", "))"))
    }
    console.print("")
    console.print(CameraOutput.table(formats))
    if !controls.isEmpty {
      console.print("")
      console.print(CameraOutput.table(controls))
    }
    return 0
  }
}
