// SPDX-License-Identifier: Apache-2.0

/// A documented command that the tests cannot run, and its replacement.
struct CommandStandIn {
  /// The command, exactly as in the documents.
  let command: String
  /// The reason why the tests do not run the command.
  let reason: String
  /// A file of the package that shows where the command runs or what it requires, and the text to find there.
  let evidence: (path: String, text: String)
  /// The shell command that runs instead.
  let standIn: String

  /// All replaced commands. CommandLineTests checks that each is still in use.
  static let all = [
    CommandStandIn(
      command: ".ci/setup && swift run darkroom demo",
      reason:
        "it installs packages, and builds the program that these tests belong to; the demo itself is run",
      evidence: (".ci/run", "check setup .ci/setup"),
      standIn: "darkroom demo"
    ),
    CommandStandIn(
      command: ".ci/setup --tests && swift test",
      reason: "it would run itself",
      evidence: (".ci/run", "readonly test_command='.ci/setup --tests && swift test'"),
      standIn: ":"
    ),
    CommandStandIn(
      command: "swift test --filter PolicyLintTests",
      reason: "it would wait for the end of these tests; the same suites are run without a build",
      evidence: ("Package.swift", "module(\"Policy/PolicyLint\""),
      standIn:
        ".build/debug/darkroomPackageTests.xctest --testing-library swift-testing --filter PolicyLintTests"
    ),
    CommandStandIn(
      command: ".ci/package",
      reason: "it builds everything again; PackageTests makes the package of what is built, and installs it",
      evidence: ("Tests/EndToEnd/IntegrationTests/PackageTests.swift", ".ci/package --binaries"),
      standIn: ":"
    ),
    pipInstallation("tools"),
    pipInstallation("Reader/Extensions/Read/venv"),
    CommandStandIn(
      command: "darkroom doctor",
      reason: "it exits with 69 where sessions get no control group, as in many containers",
      evidence: (
        "Tests/EndToEnd/IntegrationTests/DoctorTests.swift",
        "enforces every layer of the shipped policies on this machine"
      ),
      standIn: "darkroom doctor || test $? -eq 69"
    ),
    CommandStandIn(
      command: "swift build",
      reason: "the tests were built by it",
      evidence: (".ci/run", "swift build --build-tests"),
      standIn: "test -x .build/debug/darkroom"
    ),
    CommandStandIn(
      command: "swift build --product Snapshot",
      reason: "the tests were built together with it",
      evidence: ("Package.swift", "darkroom-client darkroom-host darkroom-probe Snapshot\")"),
      standIn: "test -x .build/debug/Snapshot"
    ),
    CommandStandIn(
      command:
        "swift build --package-path Shutter --static-swift-stdlib -Xswiftc -static-executable -Xswiftc -use-ld=lld",
      reason:
        "it builds half of this package again; Snapshot is the same program by another name, linked in the same way",
      evidence: (
        "Sources/Workshop/ExtensionTemplates/Files/buildSwift.sh.template",
        "swift build --static-swift-stdlib -Xswiftc -static-executable -Xswiftc -use-ld=lld"
      ),
      standIn: """
        swift package --package-path Shutter describe >/dev/null \
        && mkdir -p Shutter/.build/debug && cp ../darkroom/.build/debug/Snapshot Shutter/.build/debug/Shutter
        """
    ),
    CommandStandIn(
      command: "swift build --package-path Kiosk",
      reason: "it builds this package again; HostDemo is the same program by another name",
      evidence: ("Package.swift", "program(\"darkroom-host-demo\", \"Plugins/HostDemo\", \"DarkroomHost\""),
      standIn: """
        swift package --package-path Kiosk describe >/dev/null \
        && mkdir -p Kiosk/.build/debug && cp ../darkroom/.build/debug/darkroom-host-demo Kiosk/.build/debug/Kiosk
        """
    ),
    CommandStandIn(
      command: "darkroom serve --dbus --lock-state settable &",
      reason: "it needs a session bus; the tutorial BuildKiosk starts it on a private bus",
      evidence: (
        "Sources/Darkroom.docc/Tutorials/BuildKiosk.md", "darkroom serve --dbus --lock-state settable 2>"
      ),
      standIn: "sleep 100 &"
    ),
    CommandStandIn(
      command: "Plugins/Kiosk/kiosk.py org.darkroom.sample.snapshot --camera pattern",
      reason: "it needs a compositor, and runs until its window is closed; KioskTests starts it",
      evidence: ("Tests/EndToEnd/IntegrationTests/Support/KioskRig.swift", "Plugins/Kiosk/kiosk.py"),
      standIn: "Plugins/Kiosk/kiosk.py --help"
    ),
    otherLanguage(
      "rustc -C target-feature=+crt-static -L lib -l static=darkroom",
      "capture.rs",
      orElse: extensionInC
    ),
    otherLanguage(
      "go build -ldflags '-linkmode external -extldflags -static'",
      "capture.go",
      orElse: extensionInC
    ),
    otherLanguage("go build", "host.go", orElse: "ln -s /bin/true host"),
  ]

  /// The same extension as Plugins/OtherLanguages/capture.rs in C.
  private static let extensionInC = """
    cc -static -x c ../darkroom/Sources/Workshop/ExtensionTemplates/Files/capture.c.template -x none \
    -I../darkroom/Sources/SDK/CDarkroom/include -Llib -ldarkroom -o capture
    """

  /// Returns a replacement for the compilation of a file of Plugins/OtherLanguages. If the Debian package of the
  /// compiler is installed, the command runs.
  private static func otherLanguage(
    _ compiler: String,
    _ file: String,
    orElse other: String
  ) -> CommandStandIn {
    let command = "\(compiler) ../darkroom/Plugins/OtherLanguages/\(file)"
    let program = "/usr/bin/\(command.prefix { $0 != " " })"
    return CommandStandIn(
      command: command,
      reason: "CI does not install this large compiler; OtherLanguagesTests compiles the same program",
      evidence: ("Tests/SDK/PluginTests/OtherLanguagesTests.swift", "/usr/bin/"),
      standIn: "if [ -x \(program) ]; then /usr/bin/\(command); else \(other); fi"
    )
  }

  /// Returns a replacement for the installation of a package into a new Python virtual environment.
  private static func pipInstallation(_ environment: String) -> CommandStandIn {
    CommandStandIn(
      command: "/usr/bin/python3 -m venv \(environment) && \(environment)/bin/pip install six",
      reason: "it fetches a package; a module of its name is put where pip would put it",
      evidence: (
        "Tests/EndToEnd/IntegrationTests/VirtualEnvironmentTests.swift",
        "the files of the wheel go to `site-packages`"
      ),
      standIn: """
        /usr/bin/python3 -m venv --without-pip \(environment) \
        && echo '__version__ = "1"' >"$(echo \(environment)/lib/python3*/site-packages)/six.py"
        """
    )
  }
}
