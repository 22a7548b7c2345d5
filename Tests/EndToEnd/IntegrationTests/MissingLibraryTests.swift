// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of commands without an optional library.
@Suite(.timeLimit(.minutes(20)), .waiting) struct MissingLibraryTests {
  /// Returns a test home in which an empty file takes precedence over a library.
  private func home(_ user: TestUser, without library: String) throws -> TestHome {
    let home = try TestHome(user)
    try FileSystem.makeDirectory(home.file("libraries"), mode: 0o755)
    try home.giveOwnership(home.file("libraries"))
    try home.write("libraries/\(library)", "")
    home.variables = ["LD_LIBRARY_PATH=\(home.file("libraries"))"]
    return home
  }

  /// Loading a library takes 85 us at each start, and most commands do not need these libraries.
  @Test func `the command does not link libraries that only some subcommands need`() throws {
    let home = try TestHome(TestUser.available[0])
    // LD_TRACE_LOADED_OBJECTS lists the libraries without running the program (ld.so(8)).
    let linked = try home.start(["/usr/bin/env", "LD_TRACE_LOADED_OBJECTS=1", home.programs.darkroom]).end()
    #expect(linked.text.contains("libgcrypt.so.20"))
    let others = "seccomp cap turbojpeg png16 z evdev sqlite3 systemd v4lconvert asound pipewire-0.3"
    for name in others.split(separator: " ") {
      #expect(!linked.text.contains("lib\(name).so"), "\(linked.text)")
    }
  }

  @Test(arguments: TestUser.available)
  func `treats the screen as locked and reports it if logind is used without libsystemd`(user: TestUser)
    throws
  {
    let home = try home(user, without: "libsystemd.so.0")
    #expect(try home.darkroom("lock", ["configure", "--logind", "own"]).code == 0)
    let status = try home.darkroom("lock", ["status"])
    #expect(status.code == 0)
    #expect(status.text.hasPrefix("locked\n"))
    #expect(status.text.contains("libsystemd.so.0, which connects to logind, cannot be loaded; install "))
  }

  @Test(arguments: TestUser.available)
  func `only the photo library needs SQLite`(user: TestUser) throws {
    let home = try home(user, without: "libsqlite3.so.0")
    #expect(try home.darkroom("list", []).code == 0)
    let photo = try home.write("photo.jpg", "no library is asked what this is")
    let library = ["--library", home.file("library")]
    let result = try home.darkroom("photos", ["import"] + library + ["org.example.camera", photo])
    #expect(result.code == 73)
    #expect(result.errors.contains("libsqlite3.so.0 cannot be loaded; install libsqlite3-0"))
    #expect(try FileSystem.status(photo) != nil)
    home.variables = []
    #expect(try home.darkroom("photos", ["list"] + library).code == 0)
  }

  @Test(arguments: TestUser.available, ["jpg", "png"])
  func `pictures need the library of their format, and test patterns do not`(user: TestUser, ending: String)
    throws
  {
    let (library, package) =
      ending == "jpg" ? ("libturbojpeg.so.0", "libturbojpeg0") : ("libpng16.so.16", "libpng16-16")
    let (home, picture) = (try home(user, without: library), "picture.\(ending)")
    let fault = "\(library) cannot be loaded; install \(package)"
    let capture = ["capture", "pattern", home.file(picture)]
    let refused = try home.darkroom("camera", capture)
    #expect(refused.code == 71)
    #expect(refused.errors.contains(fault))
    #expect(try FileSystem.status(home.file(picture)) == nil)
    home.variables = []
    #expect(try home.darkroom("camera", capture).code == 0)
    home.variables = ["LD_LIBRARY_PATH=\(home.file("libraries"))"]
    func exec(_ camera: String) throws -> Command.Result {
      try home.darkroom("exec", ["--app", "org.example.camera", "--camera", camera, "--", "true"])
    }
    let shown = try exec(home.file(picture))
    #expect(shown.code == 66)
    #expect(shown.errors.contains(fault))
    #expect(!shown.errors.contains("damaged"))
    #expect(try exec("pattern").code == 0)
  }

  @Test(arguments: TestUser.available)
  func `the doctor reports a missing library, and its exit code stays the same`(user: TestUser) throws {
    let home = try home(user, without: "libasound.so.2")
    let incomplete = try home.darkroom("doctor", ["--json"])
    let findings = try #require(try home.json(incomplete.output)["machine"]?.elements)
    let libraries = findings.filter { $0["name"]?.string == "libraries" }
    #expect(libraries.map { $0["state"]?.string } == ["advice"], "\(libraries)")
    let detail = "microphones require libasound.so.2, which cannot be loaded"
    #expect(libraries.first?["detail"]?.string == detail)
    let fix = libraries.first?["fixes"]?.elements?.first?["sentence"]?.string
    #expect(fix?.hasPrefix("Install the Debian package libasound2") == true)
    home.variables = []
    let complete = try home.darkroom("doctor", [])
    #expect(complete.code == incomplete.code)
    #expect(complete.text.contains("the libraries of all optional features can be loaded"))
  }

  @Test(arguments: TestUser.available)
  func `only keys need libevdev`(user: TestUser) throws {
    let home = try home(user, without: "libevdev.so.2")
    let fault = "libevdev.so.2, which reads input devices, cannot be loaded; install libevdev2"
    let bound = try home.darkroom("control", ["bind", "KEY_CAMERA", "org.example.camera/shutter"])
    #expect(bound.code == 71)
    #expect(bound.errors.contains(fault))
    #expect(try home.darkroom("list", []).code == 0)
  }
}
