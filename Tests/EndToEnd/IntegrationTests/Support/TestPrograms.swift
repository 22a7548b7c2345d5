// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// The built programs in a directory that all users can access, and the bundles of the example apps.
///
/// An unprivileged user may be unable to enter the build directory.
struct TestPrograms {
  /// The programs of this test run.
  static let shared = Result { try TestPrograms() }

  static let package = PackageDirectory.path

  /// The directory of the programs and bundles.
  let directory: String
  /// The path of `darkroom`.
  var darkroom: String { "\(directory)/bin/darkroom" }
  /// The programs that pass a command to a server.
  enum Client: CaseIterable {
    /// The full command.
    case full
    /// The small program that is installed as `darkroom`. The full command is not in its directory, so the
    /// small program fails if it would need the full command.
    case small
  }
  /// Returns the path of a program that passes a command to a server.
  func path(of client: Client) -> String {
    client == .full ? darkroom : "\(directory)/client/darkroom-client"
  }
  /// The bundle of the sample app with every example extension.
  var bundle: String { "\(directory)/Sample" }
  /// The bundle of the sample app with Snapshot as its only extension.
  var snapshotBundle: String { "\(directory)/Camera" }
  /// The bundle of the sample app with an extension that imports all of Foundation.
  var foundationBundle: String { "\(directory)/Foundation" }
  /// The bundle of the sample app with an extension that uses the capture graph of AVFoundation.
  var graphBundle: String { "\(directory)/Graph" }
  /// The bundle of ClownTown.
  var clownTown: String { "\(directory)/ClownTown" }
  /// The bundle of the lock screen camera.
  var lockScreenCamera: String { "\(directory)/LockScreenCamera" }
  /// The bundle of the sample app without Swift extensions, each of which has 17 MB to copy, hash and sync.
  var bundleWithoutSwift: String { "\(directory)/Small" }
  /// Returns the bundle of an example from `Plugins/Shapes`, with one extension.
  func shapes(_ name: String) -> String { "\(directory)/Shapes/\(name)" }
  /// The path of a JPEG picture.
  var picture: String { "\(directory)/picture.jpg" }

  private init() throws {
    directory = "/tmp/darkroom-programs-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory, mode: 0o755)
    atexit {
      if case .success(let programs) = TestPrograms.shared { try? FileSystem.removeTree(programs.directory) }
    }
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    try runShell(
      """
      umask 022
      cd '\(directory)'
      mkdir -p bin Sample/Extensions
      for name in darkroom darkroom-client darkroom-host darkroom-pam darkroom-viewfinder darkroom-window darkroom-sample-app \\
        darkroom-session-loop darkroom-host-demo darkroom-viewfinder-demo \\
        darkroom-scenario darkroom-probe darkroom-tracer darkroom-controls-extension darkroom-warm-host \\
        darkroom-foundation-extension darkroom-graph-extension darkroom-waiting-extension darkroom-made-up-camera darkroom-call-filter \\
        Snapshot FrameLogger Misbehaving darkroom-shapes-app RawPairs Film LibraryFirst Settings clowntown \\
        ClownTownCapture lockscreen-camera lockscreen-camera-controls LockScreenCameraCapture; do
        install -m 0755 '\(built)'/$name bin/
      done
      install -D -m 0755 bin/darkroom-client client/darkroom-client
      # Each test installs them, and what only a debugger reads is half of them.
      strip --remove-section=.swift_ast bin/Snapshot bin/RawPairs bin/Film bin/LibraryFirst bin/Settings bin/ClownTownCapture \\
        bin/darkroom-controls-extension bin/darkroom-foundation-extension bin/darkroom-graph-extension \\
        bin/LockScreenCameraCapture
      cp '\(Self.package)/Plugins/SampleApp/app.json' Sample/
      for name in Dictaphone FFmpegRecorder FrameLogger Misbehaving Notes Snapshot Timelapse; do
        mkdir Sample/Extensions/$name
        for file in '\(Self.package)/Plugins/'$name/extension.json '\(Self.package)/Plugins/'$name/*.sh \\
          '\(Self.package)/Plugins/'$name/*.py; do
          if [ -e "$file" ]; then cp "$file" Sample/Extensions/$name/; fi
        done
      done
      ln bin/FrameLogger Sample/Extensions/FrameLogger/
      ln bin/Misbehaving Sample/Extensions/Misbehaving/
      # It is allowed photos where a test says so.
      describe='s/^{/{\\n  "usageDescriptions": {"photos": "The tests look at them."},/'
      sed -i "$describe" Sample/Extensions/Misbehaving/extension.json
      sed -i 's/"usageDescriptions": {/&"photos": "The tests look at them.",/' Sample/app.json
      # One that never listens for events is dismissed by a script when its launch deadline has passed.
      sed -i 's/"policy": "capture"/"launchDeadline": 1, "policy": "capture"/' Sample/Extensions/Misbehaving/extension.json
      at_start() {
        mkdir Sample/Extensions/$1
        printf '#!/bin/sh\\n%s\\n' "$2" >Sample/Extensions/$1/run.sh
        chmod 0755 Sample/Extensions/$1/run.sh
        printf '{"id":"org.darkroom.sample.%s","name":"%s","executable":"run.sh","protocol":"1","launchDeadline":1}' \\
          $1 $1 >Sample/Extensions/$1/extension.json
      }
      at_start crashes 'kill -SEGV $$'
      at_start quits 'exit 3'
      at_start slips 'exit 0'
      at_start silent 'exec sleep 100'
      cp -al Sample Small
      rm -r Small/Extensions/Snapshot Small/app.json
      sed 's/org.darkroom.sample.snapshot/org.darkroom.sample.notes/' Sample/app.json >Small/app.json
      cp '\(Self.package)/Sources/Command/DarkroomCommands/Demo/scene.jpg' picture.jpg
      chmod -R u+rwX,go+rX .
      """
    )
    try Self.addSwiftExtensions(in: directory)
  }

  /// Assembles the bundles with Swift extensions.
  private static func addSwiftExtensions(in directory: String) throws {
    try runShell(
      """
      umask 022
      cd '\(directory)'
      swift_extension() {
        mkdir -p "$2/bin"
        cp '\(Self.package)'/$3/extension.json "$2/"
        ln bin/$1 "$2/bin/"
      }
      swift_extension Snapshot Sample/Extensions/Snapshot Plugins/Snapshot
      swift_extension Snapshot Camera/Extensions/Snapshot Plugins/Snapshot
      cp '\(Self.package)/Plugins/SampleApp/app.json' Camera/
      swift_extension darkroom-foundation-extension Foundation/Extensions/Foundation Tests/Fixtures/FoundationExtension
      sed 's/org.darkroom.sample.snapshot/org.darkroom.sample.foundation/' '\(Self.package)/Plugins/SampleApp/app.json' \\
        >Foundation/app.json
      swift_extension darkroom-graph-extension Graph/Extensions/Graph Tests/Fixtures/GraphExtension
      sed 's/org.darkroom.sample.snapshot/org.darkroom.sample.graph/' Camera/app.json >Graph/app.json
      swift_extension darkroom-controls-extension Sample/Extensions/Controls Tests/Fixtures/ControlsExtension
      for name in RawPairs Film LibraryFirst Settings; do
        swift_extension $name Shapes/$name/Extensions/$name Plugins/Shapes/$name
        cp '\(Self.package)/Plugins/Shapes/App/app.json' Shapes/$name/
      done
      swift_extension ClownTownCapture ClownTown/Extensions/Capture Plugins/ClownTown/Extension
      cp '\(Self.package)/Plugins/ClownTown/App/app.json' ClownTown/
      mkdir ClownTown/bin
      ln bin/clowntown ClownTown/bin/
      swift_extension LockScreenCameraCapture LockScreenCamera/Extensions/Capture Plugins/LockScreenCamera/Extension
      cp '\(Self.package)/Plugins/LockScreenCamera/App/app.json' LockScreenCamera/
      mkdir LockScreenCamera/bin
      ln bin/lockscreen-camera LockScreenCamera/bin/
      """
    )
  }

  /// Returns whether programs of the system are installed. Prints the missing ones.
  static func has(_ names: String...) -> Bool {
    names.allSatisfy { name in
      let isInstalled = access("/usr/bin/\(name)", X_OK) == 0
      if !isInstalled { print("SKIP: tests that need /usr/bin/\(name), which .ci/setup --tests installs") }
      return isInstalled
    }
  }
}
