// SPDX-License-Identifier: Apache-2.0

import JSONText
import Policies
import Refusals
import SandboxPolicy
import Testing

@Suite struct PathExplanationTests {
  /// A small root with `/usr`, a symbolic link, the session directories and a device.
  static let root = RootModel(
    items: [
      .init("/usr", .builtIn, denied: [.write, .execute]),
      .init("/usr", .host(path: "/usr"), denied: [.write]),
      .init("/bin", .link(to: "usr/bin")), .init("/dev", .builtIn, denied: [.write, .execute]),
      .init("/dev/null", .host(path: "/dev/null"), denied: [.execute]),
      .init("/session", .writableDirectory(.refused, host: "/state/content"), denied: [.execute]),
      .init("/container", .writableDirectory(.followed), denied: [.execute]),
      .init("/tmp", .link(to: "/container/tmp")), .init("/proc", .proc, denied: [.execute]),
      .init("/etc/passwd", .builtIn, denied: [.write, .execute]),
    ],
    rules: [
      .init("/usr", [.read, .execute]), .init("/dev/null", [.read, .write]),
      .init("/session", [.read, .write]),
      .init("/container", [.read, .write]), .init("/proc", [.read]), .init("/etc/passwd", [.read]),
    ]
  )

  /// The files of the host.
  static let files: [String: HostFile] = [
    "/usr/bin": .directory, "/usr/bin/sh": .link(to: "dash"), "/usr/bin/dash": .program,
    "/usr/share": .directory, "/usr/share/x": .file, "/usr/loop": .link(to: "/usr/loop"),
    "/usr/out": .link(to: "/opt/out"), "/opt/out": .file, "/dev/null": .special, "/usr": .directory,
    "/state/content/link": .link(to: "/usr/share/x"), "/opt/pipe": .special, "/etc/hosts": .file,
  ]

  /// Returns the explanation of a path under a shipped policy.
  static func explain(
    _ path: String,
    _ use: FileAccess,
    policy: String = "capture",
    root: RootModel = root
  ) throws -> PathExplanation {
    PathExplanation(path, use, root: root, policy: try RefusalFixture.policy(policy)) { files[$0] ?? .absent }
  }

  @Test(arguments: [
    ("/usr/share/x", FileAccess.read, "/usr/share/x"), ("/bin/sh", .execute, "/usr/bin/dash"),
    ("/bin/../share/./x", .read, "/usr/share/x"), ("/session/new/file", .write, "/session/new/file"),
    ("note", .write, "/session/note"), ("/tmp/x", .write, "/container/tmp/x"),
    ("/dev/null", .write, "/dev/null"),
    ("/proc/self/status", .read, "/proc/self/status"), ("/etc/passwd", .read, "/etc/passwd"),
    ("//usr//", .read, "/usr"),
  ])
  func `a path is allowed if the root shows it and Landlock allows it`(
    path: String,
    use: FileAccess,
    place: String
  ) throws {
    let explanation = try Self.explain(path, use)
    #expect(explanation.verdict == .allowed, "\(explanation.sentence)")
    #expect(explanation.resolvedPath == place)
    #expect(explanation.errno == nil && explanation.fix == nil)
  }

  @Test(arguments: [
    ("/usr/share/x", FileAccess.write, "EROFS", [Layer.root, .landlock]),
    ("/etc/passwd", .write, "EROFS", [.root, .landlock]), ("/proc/self/mem", .write, "EACCES", [.landlock]),
    ("/session/tool", .execute, "EACCES", [.root, .landlock]), ("/etc/hosts", .read, "ENOENT", [.root]),
    ("/usr/bin/none", .read, "ENOENT", []), ("/usr/share/x", .execute, "EACCES", []),
    ("/usr/out", .read, "ENOENT", [.root]), ("/usr/loop", .read, "ELOOP", []),
    ("/session/link", .read, "ELOOP", [.root]), ("/opt/new", .write, "ENOENT", [.root]),
  ])
  func `a path is refused with the refusing layers`(
    path: String,
    use: FileAccess,
    errno: String,
    layers: [Layer]
  ) throws {
    let explanation = try Self.explain(path, use)
    #expect(explanation.verdict == .refused)
    #expect(explanation.errno == errno, "\(explanation.sentence)")
    #expect(explanation.layers == layers, "\(explanation.sentence)")
  }

  @Test func `without Landlock only the mounts refuse access`() throws {
    var root = Self.root
    root.rules = nil
    #expect(try Self.explain("/usr/share/x", .write, root: root).layers == [.root])
    #expect(try Self.explain("/proc/self/mem", .write, root: root).verdict == .allowed)
  }

  @Test(arguments: ["/etc/hosts", "/opt/out", "/opt/not/there"])
  func `the suggested policy for a path is valid and shows the path`(path: String) throws {
    let explanation = try Self.explain(path, .read)
    let json = try #require(explanation.fix?.policy?.json, "\(explanation.sentence)")
    let document = try PolicyParser.parse(json.text(.indented), source: "mine.json")
    let fixed = try RefusalFixture.library.get().resolve(document)
    #expect(fixed.readOnly.contains { $0.path == path })
    // A path that the host lacks must not prevent the start of an extension.
    let presence = fixed.readOnly.first { $0.path == path }?.presence
    #expect(presence == (Self.files[path] == nil ? .optional : .required))
  }

  @Test(arguments: [
    "/home/me/x", "/etc/shadow", "/sys/class", "/run/x", "/opt/../opt/x", "/opt/pipe", "/root",
  ])
  func `a path that no policy can show gets no suggested policy`(path: String) throws {
    let explanation = try Self.explain(path, .read)
    #expect(explanation.verdict == .refused && explanation.fix?.policy == nil)
    #expect(explanation.sentence.contains("no policy"))
  }

  @Test func `the suggested policy for a symbolic link shows the target of the link`() throws {
    let explanation = try Self.explain("/usr/out", .read)
    #expect(explanation.fix?.policy?.json?["readOnly"] == ["/opt/out"])
  }

  @Test func `the suggested policy for a harmless device adds the device`() throws {
    let explanation = try Self.explain("/dev/full", .read, policy: "strict")
    #expect(explanation.fix?.policy?.json?["devices"] == ["/dev/full"])
    let other = try Self.explain("/dev/video0", .read)
    #expect(
      other.sentence.hasSuffix("no policy can show it, because it would show /dev, which no session may see")
    )
  }

  @Test func `the suggested policy for a hidden program under execute once also permits execution`() throws {
    let json = try #require(try Self.explain("/opt/out", .execute, policy: "strict").fix?.policy?.json)
    #expect(json["readOnly"] == ["/opt/out"] && json["execute"] == "any")
    let caveat = try Self.explain("/opt/out", .execute).fix?.policy?.caveat
    #expect(caveat == "the file on the host is not executable")
  }

  @Test func `names the policy line that shows a path`() throws {
    let place = try RefusalFixture.position(of: #""/usr""#, in: "base.json")
    let explanation = try Self.explain("/bin/sh", .execute)
    #expect(explanation.line?.description == place)
    #expect(explanation.sentence == "/bin/sh can be run: \(place) shows it")
  }

  @Test func `an execute once policy refuses a second program`() throws {
    let explanation = try Self.explain("/bin/sh", .execute, policy: "strict")
    #expect(explanation.layers == [.seccomp] && explanation.fix?.policy?.json?["execute"] == "any")
  }

  @Test func `explains any path in one printable line`() throws {
    for path in [
      "", "/", "////", "/\u{1B}[2J\n/\u{202E}", String(repeating: "/a", count: 5000), "/..", "\u{0}",
      "/usr/é\u{301}", "/opt/\u{202E}x",
    ] {
      for use in FileAccess.allCases {
        let sentence = try Self.explain(path, use).sentence
        #expect(sentence.utf8.count < 3000)
        #expect(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E }, "\(sentence)")
      }
    }
  }

  @Test func `the JSON of an explanation has the content of its sentence`() throws {
    let json = try Self.explain("/etc/hosts", .read).json
    #expect(json["verdict"] == "refused" && json["errno"] == "ENOENT" && json["layers"] == ["root"])
    #expect(json["fix"]?["policy"]?["write"]?["readOnly"] == ["/etc/hosts"])
  }
}
