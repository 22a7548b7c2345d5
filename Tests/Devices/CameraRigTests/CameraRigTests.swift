// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Kernel cameras, from the driver through the sandbox to an image.
@Suite(.timeLimit(.minutes(20)), .waitingFirst) struct CameraRigTests {
  @Test func `lists, uses and sets kernel cameras, keeps them exclusive, and reports their removal`() throws {
    let rig = try CameraRig(.camera)
    try checkListing(rig)
    try checkImage(rig)
    try checkPlanes(rig)
    try checkSession(rig)
    try checkRawPhoto(rig)
    try checkSettings(rig)
    try checkContention(rig)
    try checkRemoval(rig)
  }

  private func checkListing(_ rig: CameraRig) throws {
    let listing = try rig.result("list")
    #expect(listing.code == 0, "\(listing.standardError)")
    let cameras = listing.json["cameras"]?.elements ?? []
    #expect(cameras.map { $0["path"] } == ["/dev/video0", "/dev/video1"])
    #expect(cameras.allSatisfy { $0["driver"] == "vivid" })
    let show = try rig.result("show")
    let formats = show.json["formats"]?.elements ?? []
    let usable = formats.filter { $0["usable"] == true }.compactMap { $0["format"]?.string }
    #expect(
      Set(["YUYV", "NV12", "YU12"]).isSubset(of: usable),
      "\(show.standardOutput) \(show.standardError)"
    )
    let controls = show.json["controls"]?.elements ?? []
    #expect(controls.contains { $0["name"] == "brightness" })
    // Drivers report an exposure bias as such an integer menu. vivid omits the entries before index 2.
    let entries = controls.first { $0["name"] == "integer-menu" }?["entries"]?.elements ?? []
    #expect(entries.map { $0["index"] } == [2, 3, 4, 5, 6, 7, 8], "\(entries)")
    #expect(entries.map { $0["value"] } == [2, 3, 5, 8, 13, 21, 42])
  }

  private func checkImage(_ rig: CameraRig) throws {
    let picture = try rig.result("picture")
    #expect(
      picture.code == 0 && picture.json["width"] == 320 && picture.json["height"] == 180,
      "\(picture.standardError)"
    )
    try rig.checkBars("picture.jpg")
  }

  private func checkPlanes(_ rig: CameraRig) throws {
    let formats = try rig.result("planes").json["formats"]?.elements ?? []
    let usable = formats.filter { $0["usable"] == true }.compactMap { $0["format"]?.string }
    for format in ["NV12", "NM12", "YM12"] {
      #expect(usable.contains(format), "\(usable)")
      let picture = try rig.result(format)
      #expect(picture.code == 0, "\(format): \(picture.standardError)")
      try rig.checkBars("\(format).jpg")
    }
  }

  private func checkSession(_ rig: CameraRig) throws {
    let session = try rig.result("session")
    #expect(session.code == 0, "\(session.standardOutput) \(session.standardError)")
    try rig.checkBars("session.jpg")
    let frames = try rig.json("session.json")["frames"]
    #expect((frames?["consumed"]?.integer ?? 0) > 0)
  }

  private func checkRawPhoto(_ rig: CameraRig) throws {
    let formats = try rig.result("show").json["formats"]?.elements ?? []
    let usable = formats.filter { $0["usable"] == true }.compactMap { $0["format"]?.string }
    for format in ["RGGB", "GB10", "BA12", "BYR2"] { #expect(usable.contains(format), "\(usable)") }
    let session = try rig.result("raw")
    #expect(session.code == 0, "\(session.standardOutput) \(session.standardError)")
    try rig.checkBars("raw.jpg")
    // Calculates the colors of each pixel from the samples of the sensor.
    let develop = "dcraw_emu -W -r 1 1 1 1 -o 0 -g 1 1 raw.dng && convert raw.dng.ppm developed.jpg"
    try runShell("cd '\(rig.directory)' && \(develop)")
    try rig.checkBars("developed.jpg")
  }

  private func checkSettings(_ rig: CameraRig) throws {
    func brightness(_ name: String) throws -> Int64? {
      let controls = try rig.result(name).json["controls"]?.elements
      return controls?.first { $0["name"] == "brightness" }?["value"]?.integer
    }
    for name in ["brighter", "recover"] {
      let result = try rig.result(name)
      #expect(result.code == 0, "\(name): \(result.standardOutput) \(result.standardError)")
    }
    let answers = try rig.json("settings.json")
    func setting(_ name: String) -> JSONValue? {
      answers[name]?["result"]?["settings"]?.elements?.first { $0["name"] == "brightness" }
    }
    // The value that `camera capture --set` left.
    #expect(setting("before")?["value"] == 200 && setting("after")?["value"] == 222, "\(answers)")
    #expect(setting("after")?["maximum"] == 255)
    #expect(answers["set"]?["result"] == ["value": 222] && answers["outside"]?["error"]?["code"] == 4021)
    #expect(try ["ended", "bright", "recovered"].map(brightness) == [200, 222, 200])
  }

  private func checkContention(_ rig: CameraRig) throws {
    let busy = try rig.result("busy")
    let holder = String(decoding: try rig.bytes("holder"), as: UTF8.self).filter { !$0.isNewline }
    #expect(
      busy.code == 75 && busy.standardError.contains("in use by darkroom (\(holder));"),
      "\(busy.standardError)"
    )
    // The sandboxed extension receives frames but cannot open the device. Outside the sandbox, root can open
    // it at the same time.
    #expect(try rig.json("flowing.json")["own"] == "No such file or directory")
    let outside = try rig.result("disturb")
    #expect(outside.code == 0, "\(outside.standardError)")
  }

  private func checkRemoval(_ rig: CameraRig) throws {
    let lost = try rig.result("lost")
    #expect(lost.code == 0, "\(lost.standardOutput) \(lost.standardError)")
    // The source recovered from the failed request before the removal.
    let news = try rig.json("news.json").elements ?? []
    #expect(
      news.first?["method"] == "camera/ended" && news.first?["params"]?["reason"] == "unplugged",
      "\(news) \(lost.standardOutput) \(lost.standardError)"
    )
    #expect(news.last?["error"]?["code"] == 4002)
    #expect(try rig.json("lost.json")["outcome"]?["kind"] == "dismissed", "\(lost.standardOutput)")
    #expect(try rig.result("gone").json == ["cameras": []])
  }
}
