// SPDX-License-Identifier: Apache-2.0

internal import PythonSDK

extension TemplateLanguage {
  /// The files that are specific to apps in this language.
  var parts: [TemplateSource] {
    switch self {
    case .swift: Self.swiftParts
    case .c: Self.cParts + [importerPart(PackageResources.import_sh_template)]
    case .python:
      [extensionPart(PackageResources.capture_py_template)] + Self.pythonPackage
        + [importerPart(PackageResources.import_py_template)]
    case .shell:
      [
        extensionPart(PackageResources.capture_sh_template),
        importerPart(PackageResources.import_sh_template),
      ]
    }
  }

  /// The README's description of the extension.
  private static let extensionMeaning = "the capture extension"
  /// The README's description of the app.
  private static let importerMeaning = "the app: imports the captures of the extension"

  /// Returns the program of an extension that is not compiled, at its path in the bundle.
  private func extensionPart(_ bytes: [UInt8]) -> TemplateSource {
    .program("\(TemplateSource.extensionDirectory)/\(executable)", bytes, Self.extensionMeaning)
  }

  /// Returns the program of an app that is not compiled, at its path in the bundle.
  private func importerPart(_ bytes: [UInt8]) -> TemplateSource {
    .program("\(ExtensionTemplate.bundle)/bin/\(importer)", bytes, Self.importerMeaning)
  }

  /// A copy of the Python package, next to the extension that imports it. The README lists only its directory.
  private static var pythonPackage: [TemplateSource] {
    let directory = "\(TemplateSource.extensionDirectory)/\(PythonPackage.name)/"
    return PythonPackage.modules.enumerated().map { number, module in
      let row = TemplateSource.Row(path: directory, summary: "the Python package of Darkroom")
      return TemplateSource("\(directory)\(module.name)", module.text, row: number == 0 ? row : nil)
    }
  }

  /// The sources of an extension in C.
  private static var cParts: [TemplateSource] {
    [
      TemplateSource("capture.c", PackageResources.capture_c_template, extensionMeaning),
      TemplateSource("darkroom.h", CLibrary.header, "the functions of the C library for extensions"),
      TemplateSource("darkroom.c", CLibrary.source, "the C library, compiled with the extension"),
      .program("build", PackageResources.buildC_sh_template, "compiles the extension into the bundle"),
      TemplateSource(".gitignore", Array("/bundle/Extensions/Capture/capture\n".utf8)),
    ]
  }

  /// The sources of an extension and an app in Swift.
  private static var swiftParts: [TemplateSource] {
    [
      TemplateSource(
        "Sources/CaptureExtension/CaptureExtension.swift",
        PackageResources.CaptureExtension_swift_template,
        extensionMeaning
      ),
      TemplateSource(
        "Sources/CaptureApp/CaptureApp.swift",
        PackageResources.CaptureApp_swift_template,
        importerMeaning
      ),
      TemplateSource(
        "Sources/CaptureShared/TakePicture.swift",
        PackageResources.TakePicture_swift_template,
        "the code that both share: the intent and the context"
      ),
      TemplateSource("Package.swift", PackageResources.Package_swift_template, "the build configuration"),
      .program(
        "build",
        PackageResources.buildSwift_sh_template,
        "compiles the extension and the app into the bundle"
      ),
      TemplateSource(
        ".gitignore",
        Array("/.build/\n/bundle/bin/app\n/bundle/Extensions/Capture/capture\n".utf8)
      ),
    ]
  }
}
