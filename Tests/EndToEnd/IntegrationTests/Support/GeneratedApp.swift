// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// An app that `darkroom init` has generated.
struct GeneratedApp {
  /// The name of the app.
  static let name = "rose-camera"
  /// The ID of the app.
  static let id = "org.example.\(name)"

  /// The test home that contains the app.
  let home: TestHome
  /// The language of its extension.
  let language: String
  /// The directory of the app.
  var directory: String { home.file(Self.name) }
  /// The directory of its pictures.
  var library: String { home.file(".local/share/\(Self.id)") }

  /// Generates an app. Swift apps get programs that all tests share.
  init(_ user: TestUser, _ language: String) throws {
    home = try TestHome(user)
    self.language = language
    let sources = language == "swift" ? ["--darkroom", TestPrograms.package] : []
    let arguments = ["init", Self.name, "--language", language, "--directory", home.directory] + sources
    let result = try home.start([home.programs.darkroom] + arguments).end()
    try #require(result.code == 0, "\(result.errors)")
    guard language == "swift" else { return }
    let built = try SwiftTemplatePrograms.shared.get().directory
    let copied = try shell(
      """
      mkdir -p bundle/bin
      cp '\(built)/CaptureApp' bundle/bin/app
      cp '\(built)/CaptureExtension' bundle/Extensions/Capture/capture
      """
    )
    try #require(copied.code == 0, "\(copied.errors)")
  }

  /// Builds the app if necessary, and installs it into the state root.
  func install() throws {
    let built = try shell("if [ -x build ] && [ ! -e bundle/bin/app ]; then ./build; fi")
    try #require(built.code == 0, "\(built.errors)")
    try home.install("\(directory)/bundle")
  }

  /// Runs shell commands as the user in the app's directory, with `darkroom` in `PATH`.
  func shell(_ commands: String, root: String? = nil) throws -> Command.Result {
    let path = "PATH=\(home.programs.directory)/bin:/usr/local/bin:/usr/bin:/bin"
    let root = root.map { ["DARKROOM_ROOT=\($0)"] } ?? []
    return try home.start(
      ["/usr/bin/env", "--chdir=\(directory)", path] + root + ["/bin/sh", "-ec", commands]
    ).end()
  }

  /// Returns the commands of the app's README in order, without the compilation of Swift.
  func documentedCommands() throws -> String {
    let bytes = try #require(try FileSystem.contents("\(directory)/README.md"))
    let blocks = String(decoding: bytes, as: UTF8.self).split(separator: "```sh\n").dropFirst()
    let commands = blocks.compactMap { $0.split(separator: "```").first.map(String.init) }.joined()
    return language == "swift" ? commands.replacing("./build\n", with: "") : commands
  }
}

/// The programs of the Swift template, compiled once from the output of `darkroom init`.
struct SwiftTemplatePrograms {
  /// The programs of this test run.
  static let shared = Result { try SwiftTemplatePrograms() }

  /// The directory of the programs.
  let directory: String

  /// Compiles the programs with the modules of the build, because SwiftPM would rebuild all of them.
  private init() throws {
    directory = "/tmp/darkroom-template-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory, mode: 0o755)
    atexit {
      if case .success(let programs) = SwiftTemplatePrograms.shared {
        try? FileSystem.removeTree(programs.directory)
      }
    }
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    try runShell(
      """
      cd '\(directory)'
      '\(built)/darkroom' init \(GeneratedApp.name) --language swift --darkroom '\(TestPrograms.package)'
      sources=\(GeneratedApp.name)/Sources
      # That the manifest can be read is not said by the compiler.
      swift package --package-path \(GeneratedApp.name) dump-package >manifest.json
      objects=
      for module in CLinux JSONText LinuxPrimitives ExtensionProtocol LockedCameraCapture CaptureImage; do
        objects="$objects $(find '\(built)'/$module.build/ -name '*.o' -not -name '*.swiftmodule.o' | tr '\\n' ' ')"
      done
      compile() {
        swiftc -swift-version 6 -warnings-as-errors -parse-as-library -module-cache-path '\(built)/ModuleCache' -I . -I '\(built)/Modules' \\
          -Xcc -fmodule-map-file='\(built)/CLinux.build/module.modulemap' \\
          -Xcc -fmodule-map-file='\(TestPrograms.package)/Sources/System/Libraries/CTurboJPEG/module.modulemap' "$@"
      }
      compile -module-name CaptureShared -wmo -emit-module -emit-object -o CaptureShared.o \\
        -emit-module-path CaptureShared.swiftmodule $sources/CaptureShared/*.swift
      for name in CaptureExtension CaptureApp; do
        compile -module-name $name -static-executable -use-ld=lld -l_FoundationCShims -l_FoundationCollections -lturbojpeg \\
          $sources/$name/*.swift CaptureShared.o $objects -o $name
      done
      chmod 0755 CaptureExtension CaptureApp
      """
    )
  }
}
