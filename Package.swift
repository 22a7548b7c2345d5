// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import Glibc
import PackageDescription

/// Whether this is for the gate (.ci/run), which builds everything once and runs it a thousand times.
let isGate = Context.environment["DARKROOM_GATE"] == "1"

/// Whether the fuzzer is built, which runs for seconds in the gate: to optimize it there takes longer than that.
let isFuzzed = Context.environment["DARKROOM_FUZZ"] == "1"

/// What every Swift target keeps to: no implicit re-export, no existential by accident, no warning.
let rules: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

/// Has the compiler write how a type is made, and not only its name: from that the runtime makes it when it is used for the
/// first time, and looks through the whole program for what it conforms to. Between a press and the code of an extension
/// that has waited everything is used for the first time; it takes a fifth less so. Code grows by one percent.
let typesAtHand: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"])
]

/// How the gate compiles: whole modules, which takes a quarter less than file by file; each once, and not a second time
/// for what others see of it, which takes a sixth of what tests take; without an index of what others have written, which
/// only editors ask for and which takes a sixth; and without what only debuggers read, which takes an eighth.
let once: [SwiftSetting] =
  isGate
  ? [
    .unsafeFlags([
      "-whole-module-optimization", "-num-threads", "2", "-no-emit-module-separately-wmo",
      "-index-ignore-system-modules", "-index-ignore-clang-modules",
      // Of the compiler itself, to which SwiftPM says -g after all that stands here.
      "-Xfrontend", "-gnone",
    ])
  ] : []

/// What everything is built with whose place is not on a session's way: commands, documents, tests.
let strict: [SwiftSetting] = rules + typesAtHand + once

/// The analysis of filters is calculation and nothing else: also in a debug build it must not keep a launch waiting.
let optimized: [SwiftSetting] = strict + [.unsafeFlags(["-O"])]

/// What everything is built with that launches a session or is in one. The gate tests it as it is shipped: an optimizing
/// compiler has broken pid 1 before while every test of the debug build passed. Not where there are only values,
/// with nothing to release and no memory that is shared: an optimizer makes no difference that a test could see there.
let shipped: [SwiftSetting] = isGate && !isFuzzed ? optimized : strict

/// What the C code between clone(2) and execve(2) is built with: no stack protector and no `_FORTIFY_SOURCE`. Their checks end
/// in the C library, which prints and aborts; that code shares its parent's memory, or runs where there is no C library.
let entryC: [CSetting] =
  [
    .define("_GNU_SOURCE"),
    .enableWarning("all"),
    .enableWarning("extra"),
    .treatAllWarnings(as: .error),
  ] + (isGate ? [.unsafeFlags(["-O2"])] : [])

/// What every other C target is built with. `_FORTIFY_SOURCE` works only in optimized code.
let strictC: [CSetting] =
  entryC + [
    .unsafeFlags(["-fstack-protector-strong"]),
    isGate
      ? .define("_FORTIFY_SOURCE", to: "2")
      : .define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release)),
  ]

/// Where Debian has the headers of libpipewire-0.3-dev. It has two such folders, and pkg-config would also link with what
/// only the first such camera loads.
let pipeWireHeaders: [CSetting] = [
  .unsafeFlags(["-isystem", "/usr/include/pipewire-0.3", "-isystem", "/usr/include/spa-0.2"])
]

/// Has all symbols bound at start, and what the loader has written mapped read-only afterwards (full RELRO).
let boundAtStart: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])
]

/// A linker that does not repeat the C library's advice about functions that the runtime contains and nobody calls.
let quietLinker = ["-use-ld=lld"]

/// How a program of the host is linked, as it is shipped: with Swift's library in it. To find and to bind that takes some
/// milliseconds of each start, and tests start programs ten thousand times.
///
/// What such a program has to have told to it of where it lies, 88,000 places, is a list of 14 KB and not of 1.5 MB that way
/// (Debian 12's loader is the first that reads it), and nobody outside looks for any of its 23,000 names.
let withRuntime: [LinkerSetting] =
  boundAtStart + [
    .unsafeFlags(["-static-stdlib"] + quietLinker),
    .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--no-export-dynamic"]),
    .linkedLibrary("_FoundationCShims"),
    .linkedLibrary("_FoundationCollections"),
  ]

/// Links a program with the archives of GCC's libraries, which Swift's runtime needs a little of: to find and to bind what
/// there is in the shared ones takes a fifth of a short command. Where they are not found, nothing changes.
let withCompilersLibraries: [LinkerSetting] = {
  #if arch(arm64)
    let machine = "aarch64-linux-gnu"
  #else
    let machine = "x86_64-linux-gnu"
  #endif
  let found = (11...19).reversed().map { "/usr/lib/gcc/\(machine)/\($0)" }.first {
    access("\($0)/libstdc++.a", R_OK) == 0 && access("\($0)/libgcc_eh.a", R_OK) == 0
  }
  guard let found else { return [] }
  return replaced("*/libstdc++.so", by: "\(found)/libstdc++.a")
    + replaced("*/libgcc_s.so*", by: "\(found)/libgcc_eh.a")
}()

/// Keeps modules out of a program that it would be linked with because something is built beside it.
///
/// A dependency on a program is meant to have that built, but what it is made of is linked with whoever has the dependency,
/// and with it what that needs: a quarter of the command was Foundation and Dispatch, which begin work at its start.
func without(_ modules: [String]) -> [LinkerSetting] {
  modules.flatMap { replaced("*/\($0).build/*.o", by: "/dev/null") }
}

/// Has the linker read one file instead of those with a name like this.
func replaced(_ pattern: String, by file: String) -> [LinkerSetting] {
  [.unsafeFlags(["-Xlinker", "--remap-inputs=\(pattern)=\(file)"])]
}

/// How an extension in Swift is linked: with nothing to load, which takes longer than all else that happens before its
/// first frame; so the sandbox has to show it no runtime either.
///
/// Not position-independent: relocating itself, Snapshot starts in 1.3 ms instead of 0.8. Nor could a static program be: SwiftPM
/// gives each program a run path, with which the C library's start of such programs (Debian 12) ends in an assertion.
let selfContained: [LinkerSetting] =
  boundAtStart + [
    .unsafeFlags(["-static-executable"] + quietLinker),
    // The host checks the digest of a program at each launch: what only a debugger reads would double what that takes.
    .unsafeFlags(["-Xlinker", "--strip-all"], .when(configuration: .release)),
    .linkedLibrary("_FoundationCShims"),
    .linkedLibrary("_FoundationCollections"),
  ]

/// How a program in C is linked: with nothing to load, and without the Swift runtime, which it would be given otherwise.
let staticC: [LinkerSetting] =
  boundAtStart + [
    .unsafeFlags([
      "-enable-experimental-feature", "Embedded", "-Xclang-linker", "-static", "-Xclang-linker",
      "-Wno-unused-command-line-argument",
    ])
  ]

/// A module of the package.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// A module on a session's way.
func sessionModule(
  _ name: String,
  _ dependencies: [Target.Dependency] = [],
  linkedWith libraries: [String] = []
) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    swiftSettings: shipped,
    linkerSettings: libraries.map { .linkedLibrary($0) }
  )
}

/// The tests of one module.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.target(name: name), "TestSupport"] + dependencies,
    swiftSettings: strict
  )
}

/// An example extension in C; its folder also holds what its bundle consists of.
func extensionInC(_ name: String) -> Target {
  .executableTarget(
    name: name,
    path: "Plugins/\(name)",
    exclude: ["README.md", "extension.json"],
    cSettings: strictC,
    linkerSettings: staticC
  )
}

/// An example extension in Swift; its folder also holds what its bundle consists of.
func extensionInSwift(_ name: String, path: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["LockedCameraCapture"] + dependencies,
    path: path,
    exclude: ["extension.json"],
    swiftSettings: strict,
    linkerSettings: selfContained
  )
}

/// A C library that comes from a Debian package.
func debian(_ name: String, pkgConfig: String?, package: String, path: String? = nil) -> Target {
  .systemLibrary(name: name, path: path, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// The fuzzer, which only a build with `--sanitize=fuzzer` can link: it brings the `main` (`.ci/fuzz`).
let fuzzer: [Target] =
  isFuzzed
  ? [
    .executableTarget(
      name: "darkroom-fuzz",
      dependencies: ["FuzzTargets", "LinuxPrimitives"],
      path: "Tests/Fuzz/Program",
      swiftSettings: strict,
      linkerSettings: [.unsafeFlags(quietLinker)]
    )
  ] : []

let package = Package(
  name: "darkroom",
  products: [
    .executable(name: "darkroom", targets: ["darkroom"]),
    .executable(name: "darkroom-probe", targets: ["darkroom-probe"]),
    // Without a name of its own here, no other package could have it built.
    .executable(name: "Snapshot", targets: ["Snapshot"]),
    .library(name: "LockedCameraCapture", targets: ["LockedCameraCapture"]),
    .library(name: "CaptureImage", targets: ["CaptureImage"]),
    // For Tests/Benchmarks alone: everything in these modules that others may use is in the libraries above.
    .library(
      name: "DarkroomModules",
      targets: ["BenchmarkStatistics", "CaptureHost", "CaptureImage", "CommandGrammar", "PolicyInterchange"]
    ),
  ],
  targets: [
    // What other people write.
    debian("CSeccomp", pkgConfig: "libseccomp", package: "libseccomp-dev"),
    debian("CCap", pkgConfig: "libcap", package: "libcap-dev"),
    debian("CGcrypt", pkgConfig: "libgcrypt", package: "libgcrypt20-dev"),
    debian("CPAM", pkgConfig: "pam", package: "libpam0g-dev"),
    debian("CXKBCommon", pkgConfig: "xkbcommon", package: "libxkbcommon-dev"),
    debian("CFreeType", pkgConfig: "freetype2", package: "libfreetype-dev"),
    debian("CFontconfig", pkgConfig: "fontconfig", package: "libfontconfig-dev"),
    // Loaded by the first camera that is opened and not with every command, so nothing is linked with it.
    debian("CV4L2", pkgConfig: nil, package: "libv4l-dev"),
    // Loaded by the first microphone that is opened, for the same reason.
    debian("CALSA", pkgConfig: nil, package: "libasound2-dev"),
    // Loaded by who asks logind first, and with the first photo library that is opened.
    debian("CSystemd", pkgConfig: nil, package: "libsystemd-dev"),
    debian("CSQLite", pkgConfig: nil, package: "libsqlite3-dev"),
    // Loaded with the first picture, and by who listens for keys first.
    debian("CTurboJPEG", pkgConfig: nil, package: "libturbojpeg0-dev"),
    debian("CPNG", pkgConfig: nil, package: "libpng-dev"),
    debian("CEvdev", pkgConfig: nil, package: "libevdev-dev"),
    // Loaded by the first camera of its kind, too; here is what its headers have as inline functions and macros.
    .target(name: "CPipeWire", cSettings: strictC + pipeWireHeaders),
    debian("CChafa", pkgConfig: "chafa", package: "libchafa-dev"),
    // For a rig of the tests only.
    debian("CFuse", pkgConfig: "fuse3", package: "libfuse3-dev", path: "Tests/Rigs/CFuse"),

    // The kernel.
    .target(name: "CLinux", cSettings: strictC),
    .target(name: "CSandboxEntry", cSettings: entryC),
    sessionModule("LinuxPrimitives", ["CLinux"]),

    // Values: these import nothing of the system.
    sessionModule("JSONText"),
    // The tables of the next, as they lie there: Swift's compiler takes half a minute for so many bytes, and C's copies them.
    .target(
      name: "CSystemCalls",
      exclude: ["syscalls.tsv", "constants.txt", "ioctls.txt", "signatures.txt"],
      cSettings: strictC + [.disableWarning("c23-extensions")]
    ),
    sessionModule("SystemCalls", ["CSystemCalls"]),
    sessionModule("ExtensionProtocol", ["JSONText"]),
    // What a signed audit states.
    module("Attestation", ["JSONText"]),
    sessionModule("SandboxPolicy", ["JSONText", "SystemCalls"]),
    module("PolicyLint", ["SandboxPolicy", "JSONText", "SystemCalls"]),
    // What programs say of how they are started and loaded: read, and nothing executed.
    module("ProgramFiles"),
    module("Refusals", ["SandboxPolicy", "SystemCalls", "JSONText"]),
    module("PolicyWords", ["SandboxPolicy", "SystemCalls", "FilterAnalysis", "Refusals", "JSONText"]),
    module("PolicyLearning", ["Refusals", "SandboxPolicy", "SystemCalls", "JSONText"]),
    module("CommandGrammar"),
    // Shares nothing with the compiler whose programs it judges, and so imports nothing.
    .target(name: "FilterAnalysis", swiftSettings: isGate && isFuzzed ? strict : optimized),
    // What filters do, in words.
    module("FilterReading", ["FilterAnalysis", "SystemCalls"]),
    // What a policy says and what holds under all, as sets of calls; and whether compiled filters keep to it.
    sessionModule("PolicyProof", ["FilterAnalysis", "SandboxPolicy", "SystemCalls", "JSONText"]),
    // What other programs call a policy: read, given meaning, written.
    module(
      "PolicyInterchange",
      ["PolicyProof", "FilterAnalysis", "SandboxPolicy", "SystemCalls", "JSONText"],
      resources: [.embedInCode("Peers/docker.json")]
    ),
    .target(
      name: "Policies",
      path: "Policies",
      exclude: [],
      resources: [
        .embedInCode("base.json"), .embedInCode("capture.json"), .embedInCode("strict.json"),
        .embedInCode("policy.schema.json"), .embedInCode("invariants.json"),
        .embedInCode("invariants.schema.json"),
      ],
      swiftSettings: strict
    ),

    // Doors: each owns what it wraps.
    sessionModule("Digests", ["CGcrypt", "LinuxPrimitives"]),
    sessionModule(
      "SandboxEnforcement",
      ["JSONText", "SandboxPolicy", "LinuxPrimitives", "CSeccomp", "CCap"]
    ),
    sessionModule(
      "SandboxLaunch",
      ["SandboxPolicy", "SandboxEnforcement", "LinuxPrimitives", "CSandboxEntry"]
    ),
    sessionModule("ControlGroups", ["LinuxPrimitives"]),
    module("HostService", ["JSONText", "LinuxPrimitives"]),
    module("LockMonitoring", ["ExtensionProtocol", "JSONText", "LinuxPrimitives", "CSystemd"]),
    sessionModule("KeyInput", ["LinuxPrimitives", "CEvdev"]),
    module("PersonAuthentication", ["Digests", "JSONText", "LinuxPrimitives"]),
    module(
      "SessionStore",
      ["ExtensionProtocol", "JSONText", "LinuxPrimitives", "Digests"],
      resources: [.embedInCode("Schemas/record.schema.json")]
    ),
    sessionModule("PhotoLibrary", ["ExtensionProtocol", "SessionStore", "LinuxPrimitives", "CSQLite"]),
    .target(
      name: "AppBundles",
      dependencies: ["JSONText", "LinuxPrimitives", "Digests", "ProgramFiles"],
      resources: [
        .embedInCode("Schemas/app.schema.json"), .embedInCode("Schemas/extension.schema.json"),
      ],
      swiftSettings: strict
    ),
    sessionModule(
      "CameraSource",
      ["ExtensionProtocol", "LinuxPrimitives", "CTurboJPEG", "CPNG"]
    ),
    module(
      "CameraDevices",
      ["CameraSource", "ExtensionProtocol", "LinuxPrimitives", "CV4L2", "CPipeWire"]
    ),
    sessionModule("SoundSource", ["CameraSource", "ExtensionProtocol", "LinuxPrimitives"]),
    module(
      "SoundDevices",
      ["SoundSource", "CameraDevices", "CameraSource", "ExtensionProtocol", "LinuxPrimitives", "CALSA"]
    ),

    // What an extension or an app imports.
    sessionModule("LockedCameraCapture", ["ExtensionProtocol", "JSONText", "LinuxPrimitives"]),
    // An extension that writes pictures is loaded with the library for that, and need not find it in its sandbox.
    sessionModule("CaptureImage", ["LockedCameraCapture", "CTurboJPEG"], linkedWith: ["turbojpeg"]),

    // The host.
    sessionModule(
      "CaptureHost",
      [
        "ExtensionProtocol", "JSONText", "SandboxPolicy", "SandboxEnforcement", "SandboxLaunch",
        "SessionStore", "PhotoLibrary", "PolicyLearning", "Refusals", "FilterAnalysis", "PolicyProof",
        "AppBundles", "Attestation", "CameraDevices", "CameraSource", "ControlGroups", "Digests", "KeyInput",
        "LinuxPrimitives", "Policies", "PolicyLint", "ProgramFiles", "SoundDevices", "SoundSource",
        "SystemCalls", "ViewfinderLink",
      ]
    ),
    .target(
      name: "ExtensionTemplates",
      dependencies: ["AppBundles"],
      resources: [
        "CaptureApp.swift", "CaptureExtension.swift", "Package.swift", "README.md", "TakePicture.swift",
        "app.json",
        "buildC.sh", "buildSwift.sh", "capture.c", "capture.py", "capture.sh", "extension.json", "import.py",
        "import.sh", "interrupted.txt", "shots.txt", "test.sh",
      ].map { .embedInCode("Files/\($0).template") },
      swiftSettings: strict
    ),
    module(
      "DarkroomCommands",
      [
        "CaptureHost", "ExtensionTemplates", "CommandGrammar", "JSONText", "SandboxPolicy",
        "SandboxEnforcement", "SandboxLaunch",
        "SessionStore", "Refusals", "PolicyLint", "PolicyWords", "PolicyLearning", "PolicyInterchange",
        "PolicyProof", "FilterAnalysis", "FilterReading", "SystemCalls", "AppBundles", "Attestation",
        "CameraDevices", "CameraSource",
        "LinuxPrimitives", "Digests", "Policies", "ExtensionProtocol", "KeyInput", "LockMonitoring",
        "PersonAuthentication", "PhotoLibrary", "HostService", "SoundDevices", "SoundSource",
      ],
      resources: [.embedInCode("Demo/scene.jpg"), .embedInCode("Audit/Schemas/audit.schema.json")]
    ),
    // The demo runs the sample extension, so building the command builds that, too.
    .executableTarget(
      name: "darkroom",
      dependencies: ["DarkroomCommands", "Snapshot"],
      swiftSettings: strict,
      linkerSettings: withRuntime + withCompilersLibraries + without(["LockedCameraCapture", "CaptureImage"])
        // What that extension writes pictures with.
        + replaced("*/libturbojpeg.so", by: "/dev/null")
    ),

    // Talks with PAM's modules in a process of its own: one that hangs or crashes takes nothing with it.
    .executableTarget(
      name: "darkroom-pam",
      dependencies: ["LinuxPrimitives", "CPAM"],
      exclude: ["pam.d"],
      swiftSettings: strict,
      linkerSettings: boundAtStart
    ),

    // What a program that shows a viewfinder hears of its host, and what it counts.
    module("ViewfinderLink", ["CameraSource", "ExtensionProtocol", "LinuxPrimitives"]),
    // Shows a viewfinder in a terminal, in a process of its own, which is confined: what its library loads would slow
    // the start of every command, and what it looks at nobody has to trust.
    .executableTarget(
      name: "darkroom-viewfinder",
      dependencies: [
        "CameraSource", "ExtensionProtocol", "LinuxPrimitives", "SandboxEnforcement", "ViewfinderLink",
        "CChafa",
      ],
      swiftSettings: strict,
      linkerSettings: boundAtStart
    ),
    // Shows one in a window, and a lock screen, confined likewise. A program of its own, because it needs few libraries for
    // that, one that knows keyboards and two that find and draw letters, and because what it is linked with is what somebody
    // has who takes it over. Pixels are calculated: always optimized.
    .executableTarget(
      name: "darkroom-window",
      dependencies: [
        "CameraSource", "ExtensionProtocol", "LinuxPrimitives", "SandboxEnforcement", "ViewfinderLink",
        "CXKBCommon", "CFreeType", "CFontconfig",
      ],
      swiftSettings: optimized,
      linkerSettings: boundAtStart
    ),

    // Examples: extensions, and an app that they belong to.
    .executableTarget(
      name: "Snapshot",
      dependencies: ["LockedCameraCapture", "CaptureImage"],
      path: "Plugins/Snapshot",
      exclude: ["README.md", "extension.json"],
      swiftSettings: strict,
      linkerSettings: selfContained
    ),
    .executableTarget(
      name: "darkroom-sample-app",
      dependencies: ["LockedCameraCapture", "LinuxPrimitives"],
      path: "Plugins/SampleApp",
      exclude: ["README.md", "app.json"],
      swiftSettings: strict
    ),
    // The talk's example: what app and extension share, and the two of them.
    .target(
      name: "ClownTown",
      dependencies: ["LockedCameraCapture"],
      path: "Plugins/ClownTown/Shared",
      swiftSettings: strict
    ),
    extensionInSwift("ClownTownCapture", path: "Plugins/ClownTown/Extension", ["ClownTown", "CaptureImage"]),
    .executableTarget(
      name: "clowntown",
      dependencies: ["ClownTown", "LockedCameraCapture"],
      path: "Plugins/ClownTown/App",
      exclude: ["app.json"],
      swiftSettings: strict
    ),
    // The shapes of real users: how others have built on Apple's system.
    .target(
      name: "ShapesShared",
      dependencies: ["LockedCameraCapture"],
      path: "Plugins/Shapes/Shared",
      swiftSettings: strict
    ),
    extensionInSwift("RawPairs", path: "Plugins/Shapes/RawPairs", ["CaptureImage"]),
    extensionInSwift("Film", path: "Plugins/Shapes/Film"),
    extensionInSwift("LibraryFirst", path: "Plugins/Shapes/LibraryFirst", ["CaptureImage"]),
    extensionInSwift("Settings", path: "Plugins/Shapes/Settings", ["CaptureImage", "ShapesShared"]),
    .executableTarget(
      name: "darkroom-shapes-app",
      dependencies: ["LockedCameraCapture", "ShapesShared"],
      path: "Plugins/Shapes/App",
      exclude: ["app.json"],
      swiftSettings: strict
    ),
    extensionInC("FrameLogger"),
    extensionInC("Misbehaving"),

    // What the benchmarks calculate; the rest of them is a package of its own (Tests/Benchmarks/README.md).
    .target(
      name: "BenchmarkStatistics",
      dependencies: ["JSONText"],
      path: "Tests/Benchmarks/Statistics",
      swiftSettings: strict
    ),
    tests("BenchmarkStatistics", ["JSONText"]),

    // What the fuzzer and the tests feed with the same inputs.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "AppBundles", "CameraSource", "ExtensionProtocol", "FilterAnalysis", "JSONText", "LinuxPrimitives",
        "Policies", "ProgramFiles", "SandboxPolicy", "SessionStore",
      ],
      path: "Tests/Fuzz/Targets",
      swiftSettings: strict
    ),
    tests("FuzzTargets", ["LinuxPrimitives"]),

    // Tests.
    .target(
      name: "TestSupport",
      dependencies: ["JSONText", "LinuxPrimitives"],
      path: "Tests/TestSupport",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "darkroom-probe",
      path: "Tests/Fixtures/Probe",
      exclude: ["README.md"],
      cSettings: strictC + [.headerSearchPath(".")],
      linkerSettings: staticC
    ),
    // An extension like any other: it is also started in a sandbox.
    .executableTarget(
      name: "darkroom-task-extension",
      dependencies: ["LockedCameraCapture"],
      path: "Tests/Fixtures/TaskExtension",
      swiftSettings: strict,
      linkerSettings: selfContained
    ),
    // Another, whose camera the person adjusts.
    extensionInSwift("darkroom-controls-extension", path: "Tests/Fixtures/ControlsExtension"),
    .executableTarget(
      name: "darkroom-probe-host",
      dependencies: [
        "CaptureHost", "SandboxPolicy", "SandboxEnforcement", "SandboxLaunch", "SessionStore",
        "LinuxPrimitives", "CLinux",
      ],
      path: "Tests/Fixtures/ProbeHost",
      swiftSettings: strict
    ),
    // An app as a process of its own, which a test can stop and kill.
    .executableTarget(
      name: "darkroom-app-fixture",
      dependencies: ["LockedCameraCapture", "LinuxPrimitives"],
      path: "Tests/Fixtures/App",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "darkroom-fake-logind",
      path: "Tests/Fixtures/FakeLogind",
      cSettings: strictC,
      linkerSettings: [.linkedLibrary("systemd")]
    ),
    .executableTarget(
      name: "darkroom-verdicts",
      path: "Tests/Fixtures/Verdicts",
      cSettings: strictC,
      linkerSettings: staticC
    ),
    // A disk whose history is known, to take the power away from.
    .executableTarget(
      name: "darkroom-recorded-disk",
      dependencies: ["CFuse"],
      path: "Tests/Rigs/RecordedDisk",
      cSettings: strictC
    ),
    // A camera for a server of PipeWire that can be set.
    .executableTarget(
      name: "darkroom-made-up-camera",
      path: "Tests/Rigs/MadeUpCamera",
      cSettings: strictC + pipeWireHeaders,
      linkerSettings: [.linkedLibrary("pipewire-0.3")]
    ),
    .executableTarget(
      name: "darkroom-tracer",
      path: "Tests/Fixtures/Tracer",
      cSettings: strictC,
      linkerSettings: staticC
    ),
    // Injures programs at each of their calls on files.
    .executableTarget(
      name: "darkroom-faults",
      path: "Tests/Fixtures/FaultInjector",
      exclude: ["README.md"],
      cSettings: strictC,
      linkerSettings: staticC
    ),
    // Changes a state root with the real code, so that it can be injured meanwhile; and says whether all is right.
    .executableTarget(
      name: "darkroom-store-worker",
      dependencies: [
        "AppBundles", "CLinux", "Digests", "ExtensionProtocol", "JSONText", "LinuxPrimitives", "PhotoLibrary",
        "SessionStore",
      ],
      path: "Tests/Fixtures/StoreWorker",
      exclude: ["README.md"],
      // It compares every byte, and is started, thousands of times.
      swiftSettings: optimized,
      linkerSettings: selfContained
    ),
    // Refuses system calls of the program that it executes, as service managers and container runtimes do.
    .executableTarget(
      name: "darkroom-call-filter",
      dependencies: ["CSeccomp"],
      path: "Tests/Fixtures/CallFilter",
      cSettings: strictC,
      linkerSettings: staticC
    ),
    // libseccomp as container runtimes use it: the second opinion on what their profiles mean.
    .executableTarget(
      name: "darkroom-filter-compiler",
      dependencies: ["CSeccomp"],
      path: "Tests/Fixtures/FilterCompiler",
      cSettings: strictC
    ),
    // libminijail with its programs written and not loaded: the second opinion on what its policies mean.
    .executableTarget(
      name: "darkroom-minijail-reader",
      path: "Tests/Fixtures/MinijailReader",
      cSettings: strictC,
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]
    ),
    // Not the two programs: the probe's linker settings would become the tests'. The build makes them.
    .testTarget(
      name: "SandboxProtectionTests",
      dependencies: ["LinuxPrimitives", "SandboxPolicy", "TestSupport"],
      swiftSettings: strict
    ),
    // Not darkroom and Snapshot, although it runs both: see LockedCameraCaptureTests. The build makes them all the same.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "DarkroomCommands", "CommandGrammar", "AppBundles", "SandboxPolicy", "SessionStore",
        "CaptureHost", "Refusals", "LinuxPrimitives", "PolicyLint", "TestSupport",
      ],
      swiftSettings: strict
    ),
    tests("JSONText"),
    tests("SystemCalls"),
    tests("FilterReading", ["FilterAnalysis", "SystemCalls"]),
    tests("ProgramFiles", ["LinuxPrimitives"]),
    tests("LinuxPrimitives", ["CLinux"]),
    tests("Digests", ["LinuxPrimitives"]),
    tests("Attestation", ["JSONText"]),
    tests("ExtensionProtocol", ["JSONText", "LinuxPrimitives"]),
    tests("SandboxPolicy", ["JSONText", "Policies", "SystemCalls"]),
    tests("PolicyLint", ["FilterAnalysis", "JSONText", "Policies", "PolicyProof", "SandboxPolicy"]),
    tests("Refusals", ["JSONText", "SandboxPolicy", "Policies", "SystemCalls"]),
    tests(
      "PolicyWords",
      [
        "FilterAnalysis", "JSONText", "Refusals", "SandboxEnforcement", "SandboxPolicy", "SystemCalls",
        "Policies",
      ]
    ),
    tests("PolicyLearning", ["JSONText", "SandboxPolicy", "Policies"]),
    tests(
      "SandboxEnforcement",
      [
        "FilterAnalysis", "FilterReading", "JSONText", "SandboxPolicy", "SystemCalls", "LinuxPrimitives",
        "Policies",
      ]
    ),
    tests("SandboxLaunch", ["SandboxEnforcement", "SandboxPolicy", "LinuxPrimitives", "Policies"]),
    tests("ControlGroups", ["LinuxPrimitives"]),
    tests("HostService", ["JSONText", "LinuxPrimitives"]),
    // Not the stand-in for logind, and not darkroom-pam, which the two start; the build puts them beside the tests.
    tests("LockMonitoring", ["ExtensionProtocol", "JSONText", "LinuxPrimitives"]),
    tests("KeyInput", ["LinuxPrimitives"]),
    tests("PersonAuthentication", ["Digests", "LinuxPrimitives"]),
    // Not the programs that it runs: the build puts them beside the tests.
    .testTarget(
      name: "FaultTests",
      dependencies: ["TestSupport", "JSONText", "LinuxPrimitives"],
      swiftSettings: strict
    ),
    tests("SessionStore", ["ExtensionProtocol", "JSONText", "LinuxPrimitives", "CLinux", "Digests"]),
    tests("PhotoLibrary", ["ExtensionProtocol", "LinuxPrimitives", "SessionStore", "CLinux"]),
    tests("AppBundles", ["JSONText", "LinuxPrimitives", "ProgramFiles", "SessionStore"]),
    // Not the programs that it runs, for the reason below.
    .testTarget(
      name: "PluginTests",
      dependencies: ["AppBundles", "LinuxPrimitives", "TestSupport"],
      exclude: ["fake_host.py"],
      swiftSettings: strict
    ),
    tests(
      "CaptureHost",
      [
        "ExtensionProtocol", "JSONText", "LinuxPrimitives", "SandboxLaunch", "SandboxPolicy", "SessionStore",
        "AppBundles", "PhotoLibrary", "Refusals", "Policies", "KeyInput", "PolicyProof", "SandboxEnforcement",
        "CameraSource", "ViewfinderLink",
      ]
    ),
    .executableTarget(
      name: "darkroom-session-loop",
      dependencies: ["CaptureHost", "CameraSource", "SessionStore", "LinuxPrimitives"],
      path: "Tests/SessionLoop",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "darkroom-scenario",
      dependencies: [
        "CaptureHost", "ExtensionProtocol", "JSONText", "LinuxPrimitives", "PhotoLibrary", "SessionStore",
      ],
      path: "Tests/Fixtures/Scenario",
      swiftSettings: strict
    ),
    // An extension that is started ahead, and a host that lives long enough for that.
    .executableTarget(
      name: "darkroom-waiting-extension",
      path: "Tests/Fixtures/WaitingExtension",
      cSettings: strictC,
      linkerSettings: staticC
    ),
    .executableTarget(
      name: "darkroom-warm-host",
      dependencies: [
        "AppBundles", "CaptureHost", "ExtensionProtocol", "JSONText", "LinuxPrimitives", "SandboxLaunch",
        "SandboxPolicy", "SessionStore",
      ],
      path: "Tests/Fixtures/WarmHost",
      swiftSettings: strict
    ),
    // It runs programs of the build, the command among them, and so depends on none of them.
    .testTarget(
      name: "PowerFailureTests",
      dependencies: ["JSONText", "LinuxPrimitives", "TestSupport"],
      swiftSettings: strict
    ),
    // It runs the command that the build has put beside it, with programs of Debian.
    .testTarget(
      name: "CompatibilityTests",
      dependencies: ["JSONText", "LinuxPrimitives", "TestSupport"],
      exclude: ["programs.json"],
      swiftSettings: strict
    ),
    // It runs the command in a virtual machine, and so depends on nothing of it.
    .testTarget(
      name: "CameraRigTests",
      dependencies: ["TestSupport", "JSONText", "LinuxPrimitives"],
      swiftSettings: strict
    ),
    // It runs the programs that the build has put beside it, and so depends on none of them.
    .testTarget(
      name: "IntegrationTests",
      dependencies: ["TestSupport", "JSONText", "LinuxPrimitives", "SandboxPolicy"],
      swiftSettings: strict
    ),
    tests("ExtensionTemplates", ["AppBundles", "LinuxPrimitives"]),
    tests("CameraSource", ["ExtensionProtocol", "LinuxPrimitives"]),
    tests(
      "SoundSource",
      ["SoundDevices", "CameraSource", "ExtensionProtocol", "LinuxPrimitives"]
    ),
    tests("CameraDevices", ["CameraSource", "ExtensionProtocol", "LinuxPrimitives"]),
    // Optimized like what it tries a million times.
    .testTarget(
      name: "FilterAnalysisTests",
      dependencies: ["FilterAnalysis", "TestSupport"],
      swiftSettings: optimized
    ),
    tests(
      "PolicyProof",
      [
        "JSONText", "LinuxPrimitives", "FilterAnalysis", "SandboxEnforcement", "SandboxPolicy", "SystemCalls",
        "Policies",
      ]
    ),
    // Not the compiler that it runs, for the reason above.
    .testTarget(
      name: "PolicyInterchangeTests",
      dependencies: [
        "PolicyInterchange", "FilterAnalysis", "SystemCalls", "SandboxPolicy", "SandboxEnforcement",
        "JSONText",
        "Policies", "LinuxPrimitives", "TestSupport",
      ],
      resources: [.embedInCode("Fixtures/podman.json"), .embedInCode("Fixtures/flatpak.json")],
      swiftSettings: strict
    ),
    tests("CommandGrammar", ["LinuxPrimitives", "CLinux"]),
    // The program itself is not named, for the reason below; the build puts it beside the tests.
    tests(
      "DarkroomCommands",
      [
        "CommandGrammar", "JSONText", "LinuxPrimitives", "SessionStore", "FilterAnalysis",
        "PolicyInterchange", "SystemCalls", "CameraSource", "SoundSource",
      ]
    ),
    // Not Snapshot itself: its linker settings would become those of the tests. The build makes it all the same.
    tests(
      "LockedCameraCapture",
      [
        "ExtensionProtocol", "JSONText", "LinuxPrimitives", "CameraSource", "CaptureImage", "AppBundles",
        "SessionStore",
      ]
    ),
  ] + fuzzer
)
