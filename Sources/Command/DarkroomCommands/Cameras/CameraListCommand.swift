// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
package import CommandGrammar
internal import JSONText
internal import PolicyExplanation

/// `darkroom camera list`: lists the available cameras.
package enum CameraListCommand: Command {
  package static let spec = CommandSpec(
    "list",
    summary: "List the cameras of this machine",
    discussion: """
      A camera is a video device in /dev that provides frames. A camera that this user may not open is listed with \
      the reason. The cameras of PipeWire follow, if PipeWire runs; for these, BUS is the underlying device, to \
      identify cameras that are listed twice.
      """,
    examples: [ExampleSpec("darkroom camera list --json", "List the cameras as JSON")]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let cameras = CameraList.cameras() + PipeWireCameras.cameras()
    if parsed.has(CommonOptions.json) {
      console.print(["cameras": .array(cameras.map(CameraOutput.json))])
    } else if cameras.isEmpty {
      console.note(
        "no camera was found; connect a camera, or use a file or '--camera pattern'"
      )
    } else {
      var table = TextTable([.init("CAMERA"), .init("NAME"), .init("DRIVER"), .init("BUS")])
      for camera in cameras {
        switch camera.identity {
        case .success(let identity): table.add([camera.path, identity.name, identity.driver, identity.bus])
        case .failure(let fault): table.add([camera.path, "\(fault)", "", ""])
        }
      }
      console.print(table)
    }
    return 0
  }
}
