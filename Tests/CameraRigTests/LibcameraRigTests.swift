// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A camera that libcamera drives, as those of phones are, from the kernel through PipeWire and the sandbox to a picture.
@Suite(.timeLimit(.minutes(20)), .waiting) struct LibcameraRigTests {
  /// What is not there that the machine needs; nil: all is.
  private static var lack: String? {
    let module = (try? FileSystem.status("\(CameraRig.boot)/vimc.ko")) ?? nil
    if module == nil { return "there is no module vimc; Tests/Rigs/machine_vimc.py makes it" }
    let libraries = (try? FileSystem.names(in: "/usr/lib")) ?? []
    let places = libraries.filter { $0.hasSuffix("-linux-gnu") }.map { "/usr/lib/\($0)/spa-0.2/libcamera" }
    let plugin = places.first { ((try? FileSystem.status("\($0)/libspa-libcamera.so")) ?? nil) != nil }
    return plugin == nil ? "pipewire-libcamera is not installed" : nil
  }

  // One test, because one machine is booted.
  @Test func `a camera of libcamera is listed, shown, and its frames come to a picture`() throws {
    if let lack = Self.lack { return print("SKIP: a camera of libcamera: \(lack)") }
    let rig = try CameraRig("libcamera_job.sh")
    let list = try rig.result("list")
    let cameras = list.json["cameras"]?.elements ?? []
    let found = cameras.first { $0["path"] == "pipewire:vimc" }
    #expect(found?["name"] == "Sensor B", "\(list.text) \(list.notes)")
    #expect(found?["bus"] == "libcamera:platform/vimc.0 Sensor B")
    let show = try rig.result("show")
    let formats = show.json["formats"]?.elements ?? []
    let usable = formats.filter { $0["usable"] == true }.compactMap { $0["format"]?.string }
    #expect(usable.contains("BGR3") && usable.contains("RGB3"), "\(show.text) \(show.notes)")
    // The plugin does not tell what is set, so nothing can be.
    #expect(show.json["controls"] == [])
    let picture = try rig.result("picture")
    #expect(picture.code == 0, "\(picture.notes)")
    try checkBars("\(rig.directory)/picture.jpg")
    let session = try rig.result("session")
    #expect(session.code == 0, "\(session.text) \(session.notes)")
    try checkBars("\(rig.directory)/session.jpg")
    #expect((try rig.json("session.json")["frames"]?["consumed"]?.integer ?? 0) > 0)
  }

  /// Looks whether a picture shows the driver's bars where they belong: white, green, magenta and black. Red and blue are not
  /// looked at: PipeWire 0.3.65 takes libcamera's RGB for BGR.
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
