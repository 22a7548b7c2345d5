// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// The C library's side of hosts, with a server that implements only the OpenRPC description, and with
/// `darkroom-host`.
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostClientTests {
  /// The directory of the test programs.
  private static let directory = "\(PackageDirectory.path)/Tests/SDK/CSDKTests/programs"

  /// Runs a scenario of a program with the Python server.
  private func play(_ scenario: String, _ program: String) throws {
    try runShell("/usr/bin/python3 -I '\(Self.directory)/server.py' \(scenario) '\(program)'")
  }

  @Test(
    arguments: [
      "requests", "sessions", "viewfinder", "errors", "closed", "blocked", "garbage", "text", "zero", "long",
      "messages", "version", "directories", "owner", "start",
    ]
  )
  func `the library and the server exchange the described messages and descriptors`(scenario: String) throws {
    try play(scenario, try BuiltLibrary.shared.get().sanitizedClient)
  }

  @Test(arguments: ["sound", "devices"])
  func `the library reads sound, lists devices, saves images and changes the passcode`(scenario: String)
    throws
  {
    try play(scenario, "\(try BuiltLibrary.shared.get().directory)/sanitized/devices")
  }

  @Test func `the library manages apps, storage, photos, records and the machine`() throws {
    try play("manage", "\(try BuiltLibrary.shared.get().directory)/sanitized/manage")
  }

  @Test func `waits for events, frames and results continue after signals, and end if interrupted`() throws {
    try play("signals", "\(try BuiltLibrary.shared.get().directory)/sanitized/signals")
  }

  @Test func `the example takes a picture with the Python server`() throws {
    try play("example", "\(try BuiltLibrary.shared.get().directory)/sanitized/host")
  }

  @Test func `mutated messages of the server cause no undefined behavior and leak no descriptors`() throws {
    let library = try BuiltLibrary.shared.get()
    try runShell(
      """
      cd '\(library.directory)'
      export CORPUS=$PWD/host-corpus
      for scenario in requests sessions viewfinder; do
        /usr/bin/python3 -I '\(Self.directory)/server.py' $scenario '\(library.sanitizedClient)'
      done
      for scenario in sound devices; do
        /usr/bin/python3 -I '\(Self.directory)/server.py' $scenario sanitized/devices
      done
      /usr/bin/python3 -I '\(Self.directory)/server.py' manage sanitized/manage
      [ "$(wc -l <host-corpus)" -ge 100 ]
      [ "$(sanitized/fuzz_client host-corpus 4000)" = 'opened 1 frames 1 blocks 1 descriptors 1' ]
      """
    )
  }

  /// Shell commands that prepare a bundle with the extension Snapshot, and the environment of a server.
  private func preparation(in directory: String) throws -> String {
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    return """
      cd '\(directory)'
      unset XDG_STATE_HOME
      export HOME=$PWD DARKROOM_ROOT=$PWD/state PATH='\(programs)':$PATH
      mkdir -p Sample/Extensions/Snapshot copies
      cp '\(PackageDirectory.path)/Plugins/Snapshot/extension.json' Sample/Extensions/Snapshot/
      install -D -m 0755 '\(programs)/Snapshot' Sample/Extensions/Snapshot/bin/Snapshot
      cat >Sample/app.json <<'END'
      {"id": "org.darkroom.sample", "name": "Sample", "usageDescriptions": {"camera": "To take pictures."}}
      END
      sanitized='\(try BuiltLibrary.shared.get().directory)/sanitized'
      """
  }

  @Test func `the example takes a picture with darkroom-host, and saves a frame of the viewfinder`() throws {
    let scratch = try ScratchDirectory()
    try runShell(
      """
      \(try preparation(in: scratch.path))
      timeout \(TestTimeout.seconds) "$sanitized/host" org.darkroom.sample.snapshot first.png Sample >output
      cat output
      grep -qx 'viewfinder: 320x240' output
      [ "$(identify -format '%m %wx%h' first.png)" = 'PNG 320x240' ]
      photo=$(sed -nE 's/^(.*\\/photo-1\\.jpg): [0-9]+ bytes$/\\1/p' output)
      [ "$(identify -format '%m %wx%h' "$photo")" = 'JPEG 320x240' ]
      # The server that the library has started has exited, so that its socket refuses connections.
      if "$sanitized/client" open; then exit 1; fi
      if "$sanitized/host" org.example.none second.png 2>errors; then exit 1; fi
      grep '^host: ' errors
      """
    )
  }

  @Test func `all functions of the library work with darkroom-host`() throws {
    let scratch = try ScratchDirectory()
    try runShell(
      """
      \(try preparation(in: scratch.path))
      timeout \(TestTimeout.seconds * 2) "$sanitized/tour" darkroom-host Sample org.darkroom.sample \\
        org.darkroom.sample.snapshot >output || { cat output; exit 1; }
      [ "$(cat output)" = 'Darkroom host' ]
      [ "$(identify -format '%m %wx%h' frame.jpg)" = 'JPEG 320x240' ]
      [ "$(identify -format '%m %wx%h' viewfinder.png)" = 'PNG 320x240' ]
      """
    )
  }
}
