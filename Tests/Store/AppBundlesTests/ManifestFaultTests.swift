// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import Testing

@Suite struct ManifestFaultTests {
  @Test func `parses the manifests of a valid bundle`() throws {
    let sample = try SampleBundle()
    let report = ManifestValidator(machine: "x86_64").validate(sample.path)
    #expect(report.diagnostics == [])
    let bundle = try #require(report.bundle)
    #expect(bundle.manifest.open == ["camera", ""])
    #expect(bundle.manifest.controls.map(\.extensionID) == ["org.example.camera.capture"])
    let found = try #require(bundle.extensions.first)
    #expect(found.directory == "Extensions/Capture")
    #expect(found.manifest.program.arguments == ["--fast", ""])
    #expect(found.manifest.launchDeadline == 5)
    #expect(found.manifest.capture.frames == .ring)
    #expect(found.manifest.policy == .shipped("capture"))
    #expect(found.manifest.program.environment == ["CAPTURE_MODE": "quick"])
  }

  @Test func `applies defaults to members that a manifest omits`() throws {
    let sample = try SampleBundle()
    let text = #"{"id":"org.example.camera.a","name":"A","executable":"bin/capture","protocol":"none"}"#
    try sample.write("Extensions/Capture/extension.json", text)
    try sample.write("app.json", #"{"id":"org.example.camera","name":"C"}"#)
    let report = ManifestValidator().validate(sample.path)
    let manifest = try #require(report.bundle?.extensions.first?.manifest)
    #expect(manifest.policy == .shipped("capture"))
    #expect(manifest.launchDeadline == 10)
    #expect(manifest.capture.frames == .none)
    #expect(manifest.program.architectures == [])
  }

  @Test(arguments: [
    (#""name": "Camera","#, "", "1:1: name: the key is missing; add it"),
    (#""name""#, #""nmae""#, #"3:3: nmae: unknown key; did you mean "name"?"#),
    (
      #""name": "#, #""colour": 1, "name": "#,
      #"3:3: colour: unknown key; remove it, or write one of "id", "name", "$schema", "open", "usageDescriptions", "#
        + #""groups", "controls""#
    ),
    (#""Camera""#, "7", "3:11: name: expected a string, found an integer; write a string"),
    (#""Camera""#, #"" ""#, "3:11: name: the text is empty; write at least one character"),
    (#""Camera""#, #""\u001b[2J""#, "3:11: name: the text contains a control character; remove it"),
    (#"["camera", ""]"#, "[]", "4:11: open: the text is empty; write at least one character"),
    (#"["camera", ""]"#, #"["", "x"]"#, "4:12: open[0]: the text is empty; write at least one character"),
    (#"["camera", ""]"#, #""camera""#, "4:11: open: expected an array, found a string; write an array"),
    (
      #""group.org.example""#, #""org.example""#,
      #"6:14: groups[0]: "org.example" does not begin with "group."; write "group.org.example""#
    ),
    (
      #""group.org.example""#, #""group.org.example", "group.org.example""#,
      #"6:35: warning: groups[1]: "group.org.example" occurs twice in this list; remove one of the two"#
    ),
    (
      #"a.capture" }"#, #"a.captrue" }"#,
      #"8:64: controls[0].extension: the bundle has no extension "org.example.camera.captrue"; did you mean "org.example.camera.capture"?"#
    ),
  ])
  func `reports each app manifest fault with its position and fix`(old: String, new: String, line: String)
    throws
  {
    let sample = try SampleBundle()
    try sample.change("app.json", old, to: new)
    #expect(sample.faults().contains("app.json:\(line)"), "\(sample.faults())")
  }

  @Test(arguments: [
    (
      #""org.example.camera.capture""#, #""com.example.x""#,
      #"2:9: id: "com.example.x" does not begin with its app's ID "org.example.camera."; write "org.example.camera.x""#
    ),
    (
      #""protocol": "1""#, #""protocol": "2""#,
      #"6:15: protocol: unknown value "2"; write "1" or "none""#
    ),
    (
      #""protocol": "1""#, #""protocol": 1"#,
      "6:15: protocol: expected a string, found an integer; write a string"
    ),
    (
      #""policy": "capture""#, #""policy": "own""#,
      #"7:13: policy: unknown policy "own"; write one of "base", "capture", "container", "strict", or a path inside the extension's "#
        + "directory"
    ),
    (
      #""policy": "capture""#, #""policy": "strcit""#,
      #"7:13: policy: unknown policy "strcit"; did you mean "strict"?"#
    ),
    (
      #""policy": "capture""#, #""policy": "../p.json""#,
      #"7:13: policy: "../p.json" is not a path inside the extension's directory; write a path relative to the extension's directory, without ".." or a leading slash"#
    ),
    (
      #""launchDeadline": 5"#, #""launchDeadline": 0"#,
      "8:21: launchDeadline: 0 is out of range; write a number from 1 to 30"
    ),
    (
      #""launchDeadline": 5"#, #""launchDeadline": 30.5"#,
      "8:21: launchDeadline: 30.5 is out of range; write a number from 1 to 30"
    ),
    (
      #"["x86_64", "aarch64"]"#, #"["mips"]"#,
      #"9:21: architectures[0]: unknown value "mips"; write "x86_64" or "aarch64""#
    ),
    (
      #"["x86_64", "aarch64"]"#, #"["aarch64"]"#,
      "9:20: architectures: the extension is for aarch64, but this machine is x86_64; build it for x86_64, or install it on another machine"
    ),
    (
      "CAPTURE_MODE", "LD_PRELOAD",
      "10:20: environment.LD_PRELOAD: only the host may set this variable; choose another name"
    ),
    (
      "CAPTURE_MODE", "PATH",
      "10:20: environment.PATH: only the host may set this variable; choose another name"
    ),
    (
      "CAPTURE_MODE", "1=A",
      "10:20: environment.1=A: this is not a valid name of an environment variable; use letters, digits and underscores, without a digit at the start"
    ),
    (
      #""ring""#, #""stdin""#,
      #"12:13: frames: frames on standard input are available only to programs without the protocol; write "protocol": "none", or "frames": "ring""#
    ),
    (
      #""protocol": "1""#, #""protocol": "none""#,
      #"12:13: frames: frames in shared memory require the protocol; write "frames": "stdin", or "protocol": "1""#
    ),
    (
      #""frames": "ring""#, #""frames": "ring", "warm": "yes""#,
      "12:29: warm: expected true or false, found a string; write true or false"
    ),
    (
      #""protocol": "1""#, #""protocol": "none", "warm": true"#,
      #"6:31: warm: a prewarmed program without the protocol cannot be notified of its launch; remove "warm", or write "protocol": "1""#
    ),
    (
      #"{ "camera": "To take pictures." }"#, "{}",
      "11:24: usageDescriptions.camera: camera frames are requested without a usage description; describe the use of the camera for the user, in one sentence"
    ),
    (
      #"{ "camera": "To"#, #"{ "photos": "To show", "camera": "To"#,
      "11:36: usageDescriptions.photos: the extension uses the photos, but app.json has no usage description for it; add usageDescriptions.photos to app.json"
    ),
    (
      "bin/capture", "/bin/sh",
      #"4:17: executable: "/bin/sh" is not a path inside the extension's directory; write a path relative to the extension's directory, without ".." or a leading slash"#
    ),
    (
      "bin/capture", "bin/missing",
      #"4:17: executable: "bin/missing": No such file or directory (ENOENT); add the file, or correct the path"#
    ),
    (
      "bin/capture", "bin",
      #"4:17: executable: "bin" is a directory, not a regular file; name a regular file"#
    ),
  ])
  func `reports each extension manifest fault with its position and fix`(
    old: String,
    new: String,
    line: String
  )
    throws
  {
    let sample = try SampleBundle()
    try sample.change("Extensions/Capture/extension.json", old, to: new)
    #expect(sample.faults().contains("Extensions/Capture/extension.json:\(line)"), "\(sample.faults())")
  }

  @Test func `reports a missing camera usage description of the app and of the extension`() throws {
    let sample = try SampleBundle()
    try sample.change("app.json", #"{ "camera": "To take pictures." }"#, to: "{}")
    #expect(
      sample.faults() == [
        "Extensions/Capture/extension.json:11:36: usageDescriptions.camera: the extension uses the camera, but "
          + "app.json has no usage description for it; add usageDescriptions.camera to app.json"
      ]
    )
    try sample.change("Extensions/Capture/extension.json", #"{ "camera": "To take pictures." }"#, to: "{}")
    let keys = ManifestValidator(machine: "x86_64").validate(sample.path).diagnostics.map(\.key)
    #expect(keys == ["usageDescriptions.camera", "frames"])
  }

  @Test func `reports all faults of all manifests in one pass`() throws {
    let sample = try SampleBundle()
    try sample.change("app.json", #""Camera""#, to: "7")
    try sample.change("app.json", "shutter", to: "")
    try sample.change("Extensions/Capture/extension.json", "bin/capture", to: "bin/missing")
    try sample.change("Extensions/Capture/extension.json", #""protocol": "1""#, to: #""protocol": "9""#)
    try FileSystem.makeDirectory("\(sample.path)/Extensions/Other")
    try sample.write("Extensions/Other/extension.json", "{]")
    let keys = ManifestValidator(machine: "x86_64").validate(sample.path).diagnostics.map {
      "\($0.file) \($0.key)"
    }
    #expect(
      keys == [
        "app.json name", "app.json controls[0].id", "Extensions/Capture/extension.json executable",
        "Extensions/Capture/extension.json protocol", "Extensions/Other/extension.json ",
      ]
    )
  }

  @Test func `refuses duplicate extension IDs and duplicate control IDs`() throws {
    let sample = try SampleBundle()
    try FileSystem.makeDirectories("\(sample.path)/Extensions/Second/bin")
    try sample.write("Extensions/Second/extension.json", SampleBundle.extensionText)
    try sample.write("Extensions/Second/bin/capture", "#!/bin/sh\n", mode: 0o755)
    let control = #"{ "id": "shutter", "title": "T", "extension": "org.example.camera.capture" }"#
    try sample.change("app.json", #""controls": ["#, to: #""controls": [\#(control),"#)
    #expect(
      sample.faults() == [
        #"app.json:8:13: controls[1].id: "shutter" is already the ID of another control; change one of the two IDs"#,
        "Extensions/Second/extension.json:2:9: id: \"org.example.camera.capture\" is already the ID of "
          + "Extensions/Capture/extension.json; change one of the two IDs",
      ]
    )
  }

  @Test(arguments: ["", "app.json", "Extensions/Capture/extension.json"])
  func `reports a missing bundle or manifest`(name: String) throws {
    let sample = try SampleBundle()
    try FileSystem.removeTree("\(sample.path)/\(name)")
    let faults = sample.faults()
    #expect(faults.count == 1)
    #expect(
      faults.first?.contains(name.isEmpty ? "No such file" : "\(name): No such file or directory (ENOENT)")
        == true
    )
  }

  @Test func `escapes control characters of a manifest in fault messages`() throws {
    let sample = try SampleBundle()
    try sample.change("app.json", #""name""#, to: #""\u001b[2J\u202ename""#)
    #expect(sample.faults().allSatisfy { !$0.unicodeScalars.contains("\u{1b}") })
    #expect(sample.faults().contains { $0.contains(#"\u{1B}[2J\u{202E}name"#) })
  }
}
