// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// One line a target is easier to read than one line an argument.
// swift-format-ignore-file

import CompilerPluginSupport
import Glibc
import PackageDescription

// MARK: Build settings

/// Whether CI builds (`.ci/run`): its programs run thousands of times, so that some modules are optimized.
let isGate: Bool = Context.environment["DARKROOM_GATE"] == "1"
/// Whether the fuzzer is built (`.ci/fuzz`). It runs for seconds in CI; optimizing it would take longer.
let isFuzzed: Bool = Context.environment["DARKROOM_FUZZ"] == "1"

/// The language rules.
let rules: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]
/// Compiles each module of a debug build once: its files together, without a second pass for its interface, an index of system
/// modules and the compiler's check of its own output. Building `darkroom` takes 30 % less time; after a change of a file in its
/// largest module, 24 s instead of 5 s.
let compiledOnce: SwiftSetting = .unsafeFlags(
  names("-whole-module-optimization -disable-batch-mode -num-threads 2 -no-emit-module-separately-wmo -index-ignore-system-modules -index-ignore-clang-modules -Xfrontend -disable-llvm-verify"), .when(configuration: .debug))
/// Leaves out the toolchain's overlay for Apple's UIKit, and in CI debug information (`-gnone`, because SwiftPM passes `-g` last).
let reduced: SwiftSetting = .unsafeFlags(names("-Xfrontend -disable-cross-import-overlays" + (isGate ? " -Xfrontend -gnone" : "")))
/// Tests, whose authors change one file at a time.
let tested: [SwiftSetting] = rules + [reduced] + (isGate ? [compiledOnce] : [])
/// Creates type metadata by direct calls instead of mangled names in release builds: a prewarmed extension reaches its first frame 20 % sooner.
let directMetadata: SwiftSetting = .unsafeFlags(names("-Xfrontend -disable-concrete-type-metadata-mangled-name-accessors"), .when(configuration: .release))
/// All other Swift targets.
let strict: [SwiftSetting] = rules + [reduced, compiledOnce, directMetadata]
/// Swift targets that calculate. Debug builds optimize them, too.
let optimized: [SwiftSetting] = strict + [.unsafeFlags(["-O"])]
/// Swift targets of the sandbox, of launch plans and of pictures. CI tests them as they are shipped: an optimizer once broke the init process
/// while all tests of the debug build passed. Optimizing all modules takes CI three minutes.
let shipped: [SwiftSetting] = isGate && !isFuzzed ? optimized : strict

/// The C code between clone(2) and execve(2). It has no stack protector and no `_FORTIFY_SOURCE`: a failed check calls
/// abort(3), and this code shares its parent's memory.
let entryC: [CSetting] = [
  .define("_GNU_SOURCE"), .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
] + (isGate ? [.unsafeFlags(["-O2"])] : [])
/// All other C targets. `_FORTIFY_SOURCE` requires optimized code.
let strictC: [CSetting] = entryC + [
  .unsafeFlags(["-fstack-protector-strong"]), .define("_FORTIFY_SOURCE", to: "2", isGate ? nil : .when(configuration: .release)),
]
/// C code that embeds files (`#embed` of C23). `embeds` is for small files: the compiler for Swift needs 150 µs for each byte.
let embedding: [CSetting] = strictC + [.disableWarning("c23-extensions")]
/// The headers of libpipewire-0.3-dev. pkg-config would also link the library, which is loaded on demand.
let pipeWireC: [CSetting] = strictC + [.unsafeFlags(names("-isystem /usr/include/pipewire-0.3 -isystem /usr/include/spa-0.2"))]

/// Passes options to the linker, or makes it read `file` instead of the files that match `pattern`.
func linker(_ options: String, _ when: BuildSettingCondition? = nil) -> LinkerSetting { .unsafeFlags(names(options).flatMap { ["-Xlinker", $0] }, when) }
func remapped(_ pattern: String, to file: String) -> LinkerSetting { linker("--remap-inputs=\(pattern)=\(file)") }
/// LLVM's linker. GNU's warns about functions of the static runtime that are never called.
let lld: String = "-use-ld=lld"
/// Resolves all symbols at start, and maps the relocated data read-only (full RELRO); GNU's linker maps it writable.
let relro: [LinkerSetting] = [linker("-z relro -z now"), .unsafeFlags([lld])]
/// The libraries that a static FoundationEssentials needs.
let foundation: [LinkerSetting] = [.linkedLibrary("_FoundationCShims"), .linkedLibrary("_FoundationCollections")]
/// The further libraries that a static program with all of Foundation needs.
let allOfFoundation: [LinkerSetting] = names("CoreFoundation _FoundationICU FoundationInternationalization").map { .linkedLibrary($0) }
/// Links Swift's runtime statically; loading it takes several milliseconds of each start. Packed relocations (glibc 2.36)
/// reduce a table from 1.5 MB to 14 KB.
let staticRuntime: [LinkerSetting] = relro + foundation + [
  .unsafeFlags(["-static-stdlib"]), linker("-z pack-relative-relocs --no-export-dynamic"),
]
/// Links GCC's libraries, libseccomp and libcap statically if their archives are installed: a short command takes 25 % less time.
/// `.ci/arm64` names another machine.
let staticLibraries: [LinkerSetting] = {
  let machines: [String] = Context.environment["DARKROOM_MACHINE"].map { [$0] } ?? ["x86_64-linux-gnu", "aarch64-linux-gnu"]
  let paths: [String] = (11...19).reversed().flatMap { version in machines.map { "/usr/lib/gcc/\($0)/\(version)" } }
  let path: String? = paths.first { access("\($0)/libstdc++.a", R_OK) == 0 && access("\($0)/libgcc_eh.a", R_OK) == 0 }
  let gcc: [LinkerSetting] = path.map { [remapped("*/libstdc++.so", to: "\($0)/libstdc++.a"), remapped("*/libgcc_s.so*", to: "\($0)/libgcc_eh.a")] } ?? []
  func archive(_ name: String) -> String? { machines.map { "/usr/lib/\($0)/\(name).a" }.first { access($0, R_OK) == 0 } }
  return gcc + names("libseccomp libcap").compactMap { name in archive(name).map { remapped("*/\(name).so", to: $0) } }
}()
/// Leaves out what only the sample extension needs, a quarter of the command: SwiftPM links a program with the modules of each
/// program that it depends on.
let withoutSample: [LinkerSetting] =
  ["*/LockedCameraCapture.build/*.o", "*/CaptureImage.build/*.o", "*/libturbojpeg.so"].map { remapped($0, to: "/dev/null") }
/// Links an extension in Swift that loads nothing at start, so that its sandbox needs no runtime. It is not position-independent
/// (0.8 ms to start instead of 1.3), and stripped: the host verifies a program's digest at each launch.
let staticSwift: [LinkerSetting] = relro + foundation + [
  .unsafeFlags(["-static-executable"]), linker("--strip-all", .when(configuration: .release)),
]
/// Links a program in C without Swift's runtime, and links it statically.
let pureC: [LinkerSetting] = relro + [.unsafeFlags(names("-enable-experimental-feature Embedded -Xclang-linker -Wno-unused-command-line-argument"))]
let staticC: [LinkerSetting] = pureC + [.unsafeFlags(names("-Xclang-linker -static"))]

// MARK: Kinds of targets. A list is a string with spaces. A target is named after the last component of its path.

func names(_ list: String) -> [String] { list.split(separator: " ").map(String.init) }
func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
/// All modules that a module uses, directly or through others.
nonisolated(unsafe) var reach: [String: Set<String>] = [:]
/// The modules of a list and all that these use, so that a list need not name the latter.
func all(_ list: String) -> Set<String> { names(list).reduce(into: []) { $0.formUnion(reach[$1, default: []].union([$1])) } }
func targets(_ list: String) -> [Target.Dependency] { all(list).sorted().map { .target(name: $0) } }
/// The files in a target's directory that are not its sources.
func others(_ path: String) -> [String] {
  names("API.txt Cases Files/org.darkroom.Host1.service README.md abi.txt app.json catalog.txt extension.json fake_host.py host.c host.py pam.d programs program.c programs.json pyproject.toml")
    .filter { access("\(Context.packageDirectory)/\(path)/\($0)", F_OK) == 0 }
}
/// A Swift module in `Sources`, and its tests in `Tests`. `tests` lists what only these use; `nil` means that there are none.
func module(_ path: String, _ uses: String = "", _ settings: [SwiftSetting] = strict, embeds: String = "", exclude: String = "", tests: String? = "") -> [Target] {
  let module: [Target] = shared(name(path), "Sources/\(path)", uses, settings, embeds: embeds, exclude: exclude)
  return module + (tests.map { suite("\(path)Tests", "\(name(path)) \($0)") } ?? [])
}
/// A Swift module at any path.
func shared(_ name: String, _ path: String, _ uses: String = "", _ settings: [SwiftSetting] = strict, embeds: String = "", exclude: String = "", linker: [LinkerSetting] = []) -> [Target] {
  // Only the module that declares a macro depends on its plug-in, with which other modules would link.
  reach[name] = all(uses).filter { !$0.hasSuffix("Macros") }
  let (uses, files): ([Target.Dependency], [Resource]) = (targets(uses), names(embeds).map { .embedInCode($0) })
  return [.target(name: name, dependencies: uses, path: path, exclude: others(path) + names(exclude), resources: files, swiftSettings: settings, linkerSettings: linker)]
}
/// Tests. They do not depend on the programs that they run, whose linker settings they would get; SwiftPM builds these, too.
func suite(_ suite: String, _ uses: String = "", _ settings: [SwiftSetting] = tested, embeds: String = "") -> [Target] {
  let uses: [Target.Dependency] = targets("TestSupport JSONText LinuxPrimitives \(uses)")
  let (path, files): (String, [Resource]) = ("Tests/\(suite)", names(embeds).map { .embedInCode($0) })
  return [.testTarget(name: name(suite), dependencies: uses, path: path, exclude: others(path), resources: files, swiftSettings: settings)]
}
/// A program in Swift, or in C if it has settings for C.
func program(
  _ name: String, _ path: String, _ uses: String = "", _ settings: [SwiftSetting] = strict, c: [CSetting] = [], linker: [LinkerSetting] = []
) -> [Target] {
  let (uses, rest): ([Target.Dependency], [String]) = (targets(uses), others(path))
  return [.executableTarget(name: name, dependencies: uses, path: path, exclude: rest, cSettings: c, swiftSettings: settings, linkerSettings: linker)]
}
/// An extension in Swift.
func sandboxed(_ name: String, _ path: String, _ uses: String = "LockedCameraCapture", linker: [LinkerSetting] = []) -> [Target] { program(name, path, uses, linker: staticSwift + linker) }
/// A C module in `Sources`.
func moduleInC(_ path: String, _ settings: [CSetting] = strictC, exclude: String = "") -> [Target] {
  [.target(name: name(path), path: "Sources/\(path)", exclude: names(exclude), cSettings: settings)]
}
/// A C library of a Debian package. A library without `pkgConfig` is loaded when it is first needed.
func library(_ name: String, pkgConfig: String? = nil, package: String, in folder: String = "Sources/System/Libraries") -> [Target] {
  [.systemLibrary(name: name, path: "\(folder)/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])]
}

// MARK: Floors, from the bottom to the top. A module uses its own floor and those below, which `.ci/floors` checks.

/// The wrappers of system calls, and C libraries.
let system: [[Target]] = [
  moduleInC("System/CLinux"), module("System/LinuxPrimitives", "CLinux", shipped),
  library("CSeccomp", pkgConfig: "libseccomp", package: "libseccomp-dev"), library("CCap", pkgConfig: "libcap", package: "libcap-dev"),
  library("CGcrypt", pkgConfig: "libgcrypt", package: "libgcrypt20-dev"), library("CPAM", pkgConfig: "pam", package: "libpam0g-dev"),
  library("CXKBCommon", pkgConfig: "xkbcommon", package: "libxkbcommon-dev"), library("CFreeType", pkgConfig: "freetype2", package: "libfreetype-dev"),
  library("CFontconfig", pkgConfig: "fontconfig", package: "libfontconfig-dev"), library("CChafa", pkgConfig: "chafa", package: "libchafa-dev"),
  library("CV4L2", package: "libv4l-dev"), library("CALSA", package: "libasound2-dev"),
  library("CSystemd", package: "libsystemd-dev"), library("CSQLite", package: "libsqlite3-dev"), library("COpenH264", pkgConfig: "openh264", package: "libopenh264-dev"),
  library("CTurboJPEG", package: "libturbojpeg0-dev"), library("CPNG", package: "libpng-dev"), library("CEvdev", package: "libevdev-dev"),
]

/// The messages between a host and an extension, as values.
let messages: [[Target]] = [module("Protocol/JSONText", "", shipped), module("Protocol/ExtensionProtocol", "JSONText")]

/// Policy documents and compiled filters, as values. `FilterAnalysis` shares no code with the compiler that it checks.
let policy: [[Target]] = [
  moduleInC("Policy/CSystemCalls", embedding, exclude: "syscalls.tsv constants.txt ioctls.txt signatures.txt"),
  module("Policy/SystemCalls", "CSystemCalls", shipped),
  moduleInC("Policy/CPolicyFiles", embedding), shared("Policies", "Policies", "CPolicyFiles", exclude: "base.json capture.json container.json strict.json policy.schema.json invariants.json invariants.schema.json"),
  module("Policy/SandboxPolicy", "JSONText SystemCalls", shipped, tests: "Policies"),
  module("Policy/FilterAnalysis", "", isFuzzed ? shipped : optimized, tests: nil), suite("Policy/FilterAnalysisTests", "FilterAnalysis", optimized),
  module("Policy/PolicyProof", "FilterAnalysis SandboxPolicy", shipped, tests: "Policies SandboxEnforcement"),
  module("Policy/PolicyLint", "SandboxPolicy", tests: "Policies PolicyProof"),
  module("Policy/Refusals", "SandboxPolicy", tests: "Policies"),
  module("Policy/PolicyExplanation", "FilterAnalysis Refusals", tests: "Policies SandboxEnforcement"),
  module("Policy/PolicyLearning", "Refusals", tests: "Policies"),
  module("Policy/PolicyInterchange", "PolicyProof", embeds: "Peers/docker.json", tests: nil),
  suite("Policy/PolicyInterchangeTests", "PolicyInterchange Policies SandboxEnforcement", embeds: "Fixtures/podman.json Fixtures/flatpak.json"),
]

/// A policy becomes filters and Landlock rules, and a launch plan becomes a process.
let sandbox: [[Target]] = [
  moduleInC("Sandbox/CSandboxEntry", entryC),
  module("Sandbox/SandboxEnforcement", "LinuxPrimitives SandboxPolicy CSeccomp CCap", shipped, tests: "Policies PolicyExplanation"),
  module("Sandbox/SandboxLaunch", "SandboxEnforcement CSandboxEntry", shipped, tests: "Policies"),
]

/// The state directory, sessions and their migration, installed apps, the photo library.
let store: [[Target]] = [
  module("Store/Digests", "CGcrypt LinuxPrimitives", shipped),
  module("Store/SessionStore", "ExtensionProtocol Digests", embeds: "Schemas/record.schema.json"),
  module("Store/PhotoLibrary", "SessionStore CSQLite"),
  module("Store/AppBundles", "JSONText Digests", embeds: "Schemas/app.schema.json Schemas/extension.schema.json", tests: "SessionStore"),
]

/// Cameras, microphones and keys. Their libraries are loaded when the first device is opened.
let devices: [[Target]] = [
  moduleInC("Devices/CPipeWire", pipeWireC),
  module("Devices/CameraSource", "ExtensionProtocol LinuxPrimitives CTurboJPEG CPNG", shipped),
  module("Devices/CameraDevices", "CameraSource CV4L2 CPipeWire"),
  module("Devices/Microphones", "CameraDevices CALSA"),
  module("Devices/KeyInput", "LinuxPrimitives CEvdev"),
]

/// Modules with the names of Apple's, so that sources keep their imports, and what each uses. Each is a product: a program links only what it imports.
let apple: KeyValuePairs<String, String> = [
  "Combine": "LockedCameraCapture", "CoreVideo": "LockedCameraCapture", "CoreMedia": "CoreVideo", "QuartzCore": "", "AVFoundation": "CaptureImage COpenH264 CoreMedia QuartzCore", "AVKit": "LockedCameraCapture", "AppIntents": "LockedCameraCapture", "ExtensionKit": "LockedCameraCapture", "Photos": "LockedCameraCapture", "UniformTypeIdentifiers": "", "WidgetKit": "LockedCameraCapture", "os": "LockedCameraCapture", "OSLog": "os",
]
/// The modules that extensions and apps import. They use only the floors Protocol and System. CaptureImage and SwiftUI link
/// with the libraries that they need, so that an extension need not load them in its sandbox.
let sdk: [[Target]] = [
  module("SDK/LockedCameraCapture", "ExtensionProtocol LinuxPrimitives", tests: "AVFoundation AppBundles CameraSource CaptureImage SessionStore SwiftUI"),
  shared("CaptureImage", "Sources/SDK/CaptureImage", "LockedCameraCapture CTurboJPEG", shipped, linker: [.linkedLibrary("turbojpeg")]),
  [.macro(name: "SwiftUIMacros", path: "Sources/SDK/Apple/SwiftUIMacros", swiftSettings: strict)], shared("UIKit", "Sources/SDK/Apple/UIKit", "CaptureImage QuartzCore CPNG", shipped, linker: names("png16 z").map { .linkedLibrary($0) }), shared("SwiftUI", "Sources/SDK/Apple/SwiftUI", "Combine UIKit CFreeType SwiftUIMacros", optimized, linker: names("png16 z brotlidec brotlicommon bz2").map { .linkedLibrary($0) }), suite("SDK/Apple/SwiftUITests", "SwiftUI"), suite("SDK/Apple/CombineTests", "Combine"),
  moduleInC("SDK/CDarkroom", exclude: "build-library darkroom-host.3 darkroom-manage.3 darkroom.3 darkroom.pc.in libdarkroom.map"),
  moduleInC("SDK/CPythonPackage", embedding), shared("PythonSDK", "Sources/SDK/Python", "CPythonPackage", exclude: "darkroom"),
] + apple.map { shared($0, "Sources/SDK/Apple/\($0)", $1) }

/// One session from its launch to its migration, and the services around it. Confined programs contain the libraries that parse
/// what users enter and what extensions draw.
let host: [[Target]] = [
  module("Host/LaunchPlanning", "AppBundles Policies PolicyLint PolicyProof Refusals SandboxLaunch SessionStore", shipped),
  module("Host/CaptureHost", "LaunchPlanning Microphones PhotoLibrary PolicyLearning", tests: "SessionServices SessionSimulation"),
  module("Host/ViewfinderLink", "CameraSource", tests: nil), module("Host/Viewfinders", "CaptureHost PolicyExplanation ViewfinderLink"),
  module("Host/SystemBus", "LinuxPrimitives CSystemd", tests: nil), module("Host/LockMonitoring", "ExtensionProtocol SystemBus"), module("Host/UserAuthentication", "Digests JSONText"),
  module("Host/SessionServices", "KeyInput LockMonitoring UserAuthentication Viewfinders"),
  module("Host/Prewarming", "SessionServices", tests: nil), module("Host/HostService", "JSONText LinuxPrimitives"), module("Host/HostDiagnosis", "CaptureHost HostService"),
  // The command uses neither of these modules, whose asynchronous API would link the concurrency runtime.
  module("Host/DarkroomHost", "HostDiagnosis Prewarming"), moduleInC("Host/CInterfaceFiles", embedding), module("Host/HostInterface", "CInterfaceFiles DarkroomHost", exclude: "Schemas"),
  shared("HostBus", "Sources/Host/HostBus", "HostInterface CSystemd", exclude: names("darkroom.Host1.Manager darkroom.Host1.App darkroom.Host1.Extension darkroom.Host1.Session freedesktop.DBus").map { "Interfaces/org.\($0).xml" }.joined(separator: " "), linker: [.linkedLibrary("systemd")]), suite("Host/HostBusTests", "HostBus"),
  program("darkroom-pam", "Sources/Host/darkroom-pam", "LinuxPrimitives CPAM", linker: relro),
  program("darkroom-viewfinder", "Sources/Host/darkroom-viewfinder", "SandboxEnforcement ViewfinderLink CChafa", linker: relro),
  program("darkroom-window", "Sources/Host/darkroom-window", "SandboxEnforcement ViewfinderLink CXKBCommon CFreeType CFontconfig", optimized, linker: relro),
]

/// The templates of `darkroom init`.
let templates: String = """
  CaptureApp.swift CaptureExtension.swift Package.swift README.md TakePicture.swift app.json buildC.sh buildSwift.sh capture.c capture.py \
  capture.sh extension.json import.py import.sh interrupted.txt shots.txt test.sh
  """
/// Tools for authors of extensions and for auditors.
let workshop: [[Target]] = [
  moduleInC("Workshop/CExtensionLibrary", strictC + [.headerSearchPath("../../SDK/CDarkroom")]),
  module("Workshop/ExtensionTemplates", "AppBundles CExtensionLibrary PythonSDK", embeds: names(templates).map { "Files/\($0).template" }.joined(separator: " ")),
  module("Workshop/PolicyTrials", "CaptureHost PolicyExplanation"), module("Workshop/SessionSimulation", "PolicyTrials SessionServices"),
  module("Workshop/SandboxAudit", "HostDiagnosis PolicyTrials PolicyInterchange SessionServices", embeds: "Schemas/audit.schema.json"), module("Workshop/DarkroomWorkshop", "DarkroomHost ExtensionTemplates SandboxAudit SessionSimulation"),
]

/// The commands. `darkroom` depends on the sample extension, which `darkroom demo` runs, so that SwiftPM builds both.
let command: [[Target]] = [
  module("Command/CommandGrammar", tests: "CLinux"),
  module("Command/DarkroomCommands", "CommandGrammar ExtensionTemplates Prewarming SandboxAudit SessionSimulation", embeds: "Demo/scene.jpg"),
  program("darkroom-client", "Sources/Command/darkroom-client", "CLinux", c: strictC, linker: pureC),
  program("darkroom-host", "Sources/Command/darkroom-host", "DarkroomCommands HostBus", linker: staticRuntime + staticLibraries),
  program("darkroom", "Sources/Command/darkroom", "DarkroomCommands Snapshot", linker: staticRuntime + staticLibraries + withoutSample),
]

/// Example extensions and apps.
let examples: [[Target]] = [
  sandboxed("Snapshot", "Plugins/Snapshot", "CaptureImage"), program("darkroom-sample-app", "Plugins/SampleApp", "LockedCameraCapture"),   program("darkroom-host-demo", "Plugins/HostDemo", "DarkroomHost", linker: staticRuntime), program("darkroom-viewfinder-demo", "Plugins/ViewfinderDemo", "DarkroomHost", linker: staticRuntime),
  shared("ClownTown", "Plugins/ClownTown/Shared", "LockedCameraCapture"), program("clowntown", "Plugins/ClownTown/App", "ClownTown"), sandboxed("ClownTownCapture", "Plugins/ClownTown/Extension", "ClownTown CaptureImage SwiftUI", linker: allOfFoundation),
  shared("ShapesShared", "Plugins/Shapes/Shared", "LockedCameraCapture"), program("darkroom-shapes-app", "Plugins/Shapes/App", "ShapesShared"), sandboxed("RawPairs", "Plugins/Shapes/RawPairs", "CaptureImage"), sandboxed("Film", "Plugins/Shapes/Film"), sandboxed("LibraryFirst", "Plugins/Shapes/LibraryFirst", "CaptureImage"), sandboxed("Settings", "Plugins/Shapes/Settings", "CaptureImage ShapesShared"),
  shared("LockScreenCamera", "Plugins/LockScreenCamera/Shared", "AppIntents"), program("lockscreen-camera", "Plugins/LockScreenCamera/App", "LockScreenCamera"), program("lockscreen-camera-controls", "Plugins/LockScreenCamera/Controls", "LockScreenCamera WidgetKit"), sandboxed("LockScreenCameraCapture", "Plugins/LockScreenCamera/Extension", "AVFoundation LockScreenCamera SwiftUI os", linker: allOfFoundation),
  program("FrameLogger", "Plugins/FrameLogger", c: strictC, linker: staticC), program("Misbehaving", "Plugins/Misbehaving", c: strictC, linker: staticC),
]

/// Modules and programs that tests use, and the tests of the programs as a whole.
let testing: [[Target]] = [
  shared("TestSupport", "Tests/TestSupport", "JSONText LinuxPrimitives"), shared("BenchmarkStatistics", "Tests/Benchmarks/Statistics", "JSONText"), suite("Benchmarks/BenchmarkStatisticsTests", "BenchmarkStatistics"),
  shared("FuzzTargets", "Tests/Fuzz/Targets", "AppBundles CameraSource FilterAnalysis Policies SandboxPolicy SessionStore"), suite("Fuzz/FuzzTargetsTests", "FuzzTargets"),
  library("CFuse", pkgConfig: "fuse3", package: "libfuse3-dev", in: "Tests/Rigs"), program("darkroom-recorded-disk", "Tests/Rigs/RecordedDisk", "CFuse", c: strictC),
  program("darkroom-made-up-camera", "Tests/Rigs/MadeUpCamera", c: pipeWireC, linker: [.linkedLibrary("pipewire-0.3")]),
  program("darkroom-probe", "Tests/Fixtures/Probe", c: strictC + [.headerSearchPath(".")], linker: staticC),
  program("darkroom-verdicts", "Tests/Fixtures/Verdicts", c: strictC, linker: staticC), program("darkroom-tracer", "Tests/Fixtures/Tracer", c: strictC, linker: staticC), program("darkroom-faults", "Tests/Fixtures/FaultInjector", c: strictC, linker: staticC),
  program("darkroom-call-filter", "Tests/Fixtures/CallFilter", "CSeccomp", c: strictC, linker: staticC), program("darkroom-filter-compiler", "Tests/Fixtures/FilterCompiler", "CSeccomp", c: strictC),
  program("darkroom-minijail-reader", "Tests/Fixtures/MinijailReader", c: strictC, linker: [linker("--export-dynamic")]), program("darkroom-fake-logind", "Tests/Fixtures/FakeLogind", c: strictC, linker: [.linkedLibrary("systemd")]), program("darkroom-fake-sensor", "Tests/Fixtures/FakeSensor", c: strictC, linker: [.linkedLibrary("systemd")]),
  program("darkroom-waiting-extension", "Tests/Fixtures/WaitingExtension", c: strictC, linker: staticC),
  sandboxed("darkroom-controls-extension", "Tests/Fixtures/ControlsExtension"), sandboxed("darkroom-graph-extension", "Tests/Fixtures/GraphExtension", "AVFoundation AVKit os", linker: allOfFoundation), sandboxed("darkroom-task-extension", "Tests/Fixtures/TaskExtension"), sandboxed("darkroom-conformance-extension", "Tests/Fixtures/ConformanceExtension"), sandboxed("darkroom-foundation-extension", "Tests/Fixtures/FoundationExtension", linker: allOfFoundation),
  program("darkroom-app-fixture", "Tests/Fixtures/App", "LockedCameraCapture", linker: staticRuntime), program("darkroom-store-worker", "Tests/Fixtures/StoreWorker", "AppBundles PhotoLibrary", optimized, linker: staticSwift),
  program("darkroom-key-listener", "Tests/Fixtures/KeyListener", "DarkroomHost", linker: staticRuntime),
  program("darkroom-probe-host", "Tests/Fixtures/ProbeHost", "Prewarming SessionSimulation", linker: staticRuntime), program("darkroom-session-loop", "Tests/Fixtures/SessionLoop", "Prewarming SessionSimulation", linker: staticRuntime), program("darkroom-scenario", "Tests/Fixtures/Scenario", "Prewarming SessionSimulation", linker: staticRuntime), program("darkroom-warm-host", "Tests/Fixtures/WarmHost", "Prewarming SessionSimulation", linker: staticRuntime),
  // Depends on no module of the host, so that this largest module is compiled at the same time as these, which wait for each other.
  suite("EndToEnd/IntegrationTests", "LaunchPlanning"),
  suite("Sandbox/SandboxProtectionTests", "SandboxPolicy"), suite("Store/PowerFailureTests"), suite("Devices/CameraRigTests"),
  suite("SDK/PluginTests", "AppBundles"), suite("SDK/CSDKTests"), suite("SDK/ConformanceTests", "ExtensionProtocol"), suite("SDK/AVFoundationTests", "AVFoundation CoreMedia ExtensionProtocol LockedCameraCapture OSLog UniformTypeIdentifiers"), suite("SDK/PythonSDKTests", "ExtensionProtocol PythonSDK"),
  suite("EndToEnd/FaultTests"), suite("EndToEnd/CompatibilityTests"), suite("EndToEnd/DocumentationTests", "DarkroomCommands"), suite("EndToEnd/MessageCatalogTests", "AVFoundation CaptureImage DarkroomCommands HostBus SwiftUI"),
]

/// The fuzzer. Only a build with `--sanitize=fuzzer`, which provides its `main`, can link it.
let fuzzer: [[Target]] = isFuzzed ? [program("darkroom-fuzz", "Tests/Fuzz/Program", "FuzzTargets", linker: [.unsafeFlags([lld])])] : []
/// The modules that Tests/Benchmarks, a package of its own, measures.
let measured: String = "BenchmarkStatistics CaptureHost CaptureImage CommandGrammar DarkroomHost LaunchPlanning PolicyInterchange Prewarming"
let programs: [Product] = names("darkroom darkroom-client darkroom-host darkroom-probe Snapshot").map { .executable(name: $0, targets: [$0]) }
let libraries: [Product] = (names("CDarkroom CaptureImage DarkroomHost DarkroomWorkshop LockedCameraCapture SwiftUI UIKit") + apple.map(\.key)).map { .library(name: $0, targets: [$0]) }

let package = Package(
  name: "darkroom",
  products: programs + libraries + [.library(name: "DarkroomModules", targets: names(measured))],
  targets: [[Target]]([system, messages, policy, sandbox, store, devices, sdk, host, workshop, command, examples, testing, fuzzer].joined()).flatMap { $0 })
