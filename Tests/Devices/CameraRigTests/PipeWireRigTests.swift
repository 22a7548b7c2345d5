// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Kernel cameras through PipeWire, from the driver through the sandbox to an image: a webcam, and a camera
/// that libcamera drives, as on phones.
@Suite(.timeLimit(.minutes(20)), .waitingFirst) struct PipeWireRigTests {
  @Test func `sets a webcam and takes an image from a libcamera device through PipeWire`() throws {
    let rig = try CameraRig(.pipewire)
    try checkWebcam(rig)
    if let lack = CameraRig.libcameraUnavailableReason {
      return print("SKIP: a camera of libcamera: \(lack)")
    }
    try checkLibcamera(rig)
  }

  private func checkWebcam(_ rig: CameraRig) throws {
    for name in ["picture", "brighter", "ended"] {
      let result = try rig.result(name)
      #expect(result.code == 0, "\(name): \(result.standardOutput) \(result.standardError)")
    }
    try rig.checkBars("picture.jpg")
    let answers = try rig.json("settings.json")
    func setting(_ answer: String, _ name: String) -> JSONValue? {
      answers[answer]?["result"]?["settings"]?.elements?.first { $0["name"]?.string == name }
    }
    #expect(setting("before", "brightness")?["value"] == 200, "\(answers)")
    #expect(
      setting("after", "brightness")?["value"] == 222 && setting("after", "brightness")?["maximum"] == 255
    )
    #expect(answers["set"]?["result"] == ["value": 222] && answers["outside"]?["error"]?["code"] == 4021)
    // PipeWire preserves the control IDs of the kernel, so that automatically controlled settings are known.
    #expect(setting("before", "automaticGain")?["value"] == 1)
    #expect(setting("before", "gain")?["adjustable"] == false)
    let controls = try rig.result("ended").json["controls"]?.elements
    #expect(controls?.first { $0["name"] == "brightness" }?["value"] == 200)
  }

  private func checkLibcamera(_ rig: CameraRig) throws {
    let list = try rig.result("list")
    let cameras = list.json["cameras"]?.elements ?? []
    let found = cameras.first { $0["path"] == "pipewire:vimc" }
    #expect(found?["name"] == "The camera vimc", "\(list.standardOutput) \(list.standardError)")
    #expect(found?["bus"] == "libcamera:platform/vimc.0 Sensor B")
    let show = try rig.result("show")
    let formats = show.json["formats"]?.elements ?? []
    let usable = formats.filter { $0["usable"] == true }.compactMap { $0["format"]?.string }
    #expect(
      usable.contains("BGR3") && usable.contains("RGB3"),
      "\(show.standardOutput) \(show.standardError)"
    )
    // The libcamera plugin does not report current values, so that no control is adjustable.
    #expect(show.json["controls"] == [])
    let picture = try rig.result("vimc")
    #expect(picture.code == 0, "\(picture.standardError)")
    try checkBars("\(rig.directory)/vimc.jpg")
    let session = try rig.result("session")
    #expect(session.code == 0, "\(session.standardOutput) \(session.standardError)")
    try checkBars("\(rig.directory)/session.jpg")
    #expect((try rig.json("session.json")["frames"]?["consumed"]?.integer ?? 0) > 0)
  }

  /// Checks that an image shows the test bars of the driver at their positions: white, green, magenta and
  /// black. Red and blue are not checked: PipeWire 0.3.65 confuses RGB with BGR for libcamera.
  private func checkBars(_ path: String) throws {
    let pixels = ["white": 10, "green": 310, "magenta": 400, "black": 700].mapValues { "p{\($0),400}" }
    func pixel(_ name: String) -> String { pixels[name] ?? "" }
    let (white, green, magenta, black) = (pixel("white"), pixel("green"), pixel("magenta"), pixel("black"))
    let bars = [
      "\(white).r>0.6 && \(white).g>0.6 && \(white).b>0.6", "\(green).g>\(green).r+0.3",
      "\(green).g>\(green).b+0.3", "\(magenta).r>\(magenta).g+0.3", "\(magenta).b>\(magenta).g+0.3",
      "\(black).r<0.2 && \(black).g<0.2 && \(black).b<0.2",
    ]
    let all = bars.joined(separator: " && ")
    try runShell("[ \"$(convert '\(path)' -format '%wx%h %m %[fx:\(all)]' info:)\" = '720x480 JPEG 1' ]")
  }
}
