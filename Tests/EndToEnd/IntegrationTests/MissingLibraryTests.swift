// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of commands without an optional library.
@Suite(.timeLimit(.minutes(20)), .waiting) struct MissingLibraryTests {
  /// Returns a test home in which an empty file takes precedence over a library.
  private func place(_ person: Person, without library: String) throws -> Place {
    let place = try Place(person)
    try FileSystem.makeDirectory(place.file("libraries"), mode: 0o755)
    try place.give(place.file("libraries"))
    try place.write("libraries/\(library)", "")
    place.variables = ["LD_LIBRARY_PATH=\(place.file("libraries"))"]
    return place
  }

  /// Loading a library takes 85 us at each start, and most commands do not need these libraries.
  @Test func `no command is linked with what only some of them need`() throws {
    let place = try Place(Person.available[0])
    // LD_TRACE_LOADED_OBJECTS lists the libraries without running the program (ld.so(8)).
    let linked = try place.start(["/usr/bin/env", "LD_TRACE_LOADED_OBJECTS=1", place.programs.darkroom]).end()
    #expect(linked.text.contains("libseccomp.so.2"))
    for name in "turbojpeg png16 z evdev sqlite3 systemd v4lconvert asound pipewire-0.3".split(separator: " ")
    {
      #expect(!linked.text.contains("lib\(name).so"), "\(linked.text)")
    }
  }

  @Test(arguments: Person.available)
  func `whoever follows logind is locked without libsystemd, and is told`(person: Person) throws {
    let place = try place(person, without: "libsystemd.so.0")
    #expect(try place.darkroom("lock", ["configure", "--logind", "own"]).code == 0)
    let status = try place.darkroom("lock", ["status"])
    #expect(status.code == 0)
    #expect(status.text.hasPrefix("locked\n"))
    #expect(status.text.contains("libsystemd.so.0 cannot be loaded, which speaks with logind; install "))
  }

  @Test(arguments: Person.available)
  func `the photo library needs SQLite, and nothing else does`(person: Person) throws {
    let place = try place(person, without: "libsqlite3.so.0")
    #expect(try place.darkroom("list", []).code == 0)
    let photo = try place.write("photo.jpg", "no library is asked what this is")
    let library = ["--library", place.file("library")]
    let result = try place.darkroom("photos", ["import"] + library + ["org.example.camera", photo])
    #expect(result.code == 73)
    #expect(result.errors.contains("libsqlite3.so.0 cannot be loaded; install libsqlite3-0"))
    #expect(try FileSystem.status(photo) != nil)
    place.variables = []
    #expect(try place.darkroom("photos", ["list"] + library).code == 0)
  }

  @Test(arguments: Person.available, ["jpg", "png"])
  func `pictures need the library of their format, and a pattern none`(person: Person, ending: String) throws
  {
    let (library, package) =
      ending == "jpg" ? ("libturbojpeg.so.0", "libturbojpeg0") : ("libpng16.so.16", "libpng16-16")
    let (place, picture) = (try place(person, without: library), "picture.\(ending)")
    let fault = "\(library) cannot be loaded; install \(package)"
    let capture = ["capture", "pattern", place.file(picture)]
    let refused = try place.darkroom("camera", capture)
    #expect(refused.code == 71)
    #expect(refused.errors.contains(fault))
    #expect(try FileSystem.status(place.file(picture)) == nil)
    place.variables = []
    #expect(try place.darkroom("camera", capture).code == 0)
    place.variables = ["LD_LIBRARY_PATH=\(place.file("libraries"))"]
    func exec(_ camera: String) throws -> Command.Result {
      try place.darkroom("exec", ["--app", "org.example.camera", "--camera", camera, "--", "true"])
    }
    let shown = try exec(place.file(picture))
    #expect(shown.code == 66)
    #expect(shown.errors.contains(fault))
    #expect(!shown.errors.contains("damaged"))
    #expect(try exec("pattern").code == 0)
  }

  @Test(arguments: Person.available)
  func `keys need libevdev, and nothing else does`(person: Person) throws {
    let place = try place(person, without: "libevdev.so.2")
    let fault = "libevdev.so.2 cannot be loaded, which knows keys and reads input devices; install libevdev2"
    let bound = try place.darkroom("control", ["bind", "KEY_CAMERA", "org.example.camera/shutter"])
    #expect(bound.code == 71)
    #expect(bound.errors.contains(fault))
    #expect(try place.darkroom("list", []).code == 0)
  }
}
