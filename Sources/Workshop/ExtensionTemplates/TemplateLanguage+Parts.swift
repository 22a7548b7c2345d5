// SPDX-License-Identifier: Apache-2.0

extension TemplateLanguage {
  /// The files that are specific to apps in this language.
  var parts: [TemplatePart] {
    switch self {
    case .swift: Self.swiftParts
    case .c: Self.partsInC + [importerPart(PackageResources.import_sh_template)]
    case .python:
      [
        extensionPart(PackageResources.capture_py_template),
        importerPart(PackageResources.import_py_template),
      ]
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
  private static let importerMeaning = "the app: takes in what the extension has left"

  /// Returns the program of an extension that is not compiled, at its path in the bundle.
  private func extensionPart(_ bytes: [UInt8]) -> TemplatePart {
    .program("\(TemplatePart.extensionDirectory)/\(executable)", bytes, Self.extensionMeaning)
  }

  /// Returns the program of an app that is not compiled, at its path in the bundle.
  private func importerPart(_ bytes: [UInt8]) -> TemplatePart {
    .program("\(ExtensionTemplate.bundle)/bin/\(importer)", bytes, Self.importerMeaning)
  }

  /// The sources of an extension in C.
  private static var partsInC: [TemplatePart] {
    [
      TemplatePart("capture.c", PackageResources.capture_c_template, extensionMeaning),
      .program("build", PackageResources.buildC_sh_template, "compiles it, and puts it into the bundle"),
      TemplatePart(".gitignore", Array("/bundle/Extensions/Capture/capture\n".utf8)),
    ]
  }

  /// The sources of an extension and an app in Swift.
  private static var swiftParts: [TemplatePart] {
    [
      TemplatePart(
        "Sources/CaptureExtension/CaptureExtension.swift",
        PackageResources.CaptureExtension_swift_template,
        extensionMeaning
      ),
      TemplatePart(
        "Sources/CaptureApp/CaptureApp.swift",
        PackageResources.CaptureApp_swift_template,
        importerMeaning
      ),
      TemplatePart(
        "Sources/CaptureShared/TakePicture.swift",
        PackageResources.TakePicture_swift_template,
        "what both have in common: the intent and the context"
      ),
      TemplatePart("Package.swift", PackageResources.Package_swift_template, "how they are compiled"),
      .program(
        "build",
        PackageResources.buildSwift_sh_template,
        "compiles them, and puts them into the bundle"
      ),
      TemplatePart(
        ".gitignore",
        Array("/.build/\n/bundle/bin/app\n/bundle/Extensions/Capture/capture\n".utf8)
      ),
    ]
  }
}
