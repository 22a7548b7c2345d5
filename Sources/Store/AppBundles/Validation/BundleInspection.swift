// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The validation of one bundle.
struct BundleInspection {
  /// The validator with the expected machine and policies.
  let validator: ManifestValidator
  /// The path of the bundle.
  let path: String
  /// The problems found.
  var diagnostics: [ManifestDiagnostic] = []
  /// The files of the host that sessions see, by the extension's directory.
  private(set) var views: [String: PolicyView] = [:]
  private var app: AppDraft?
  private var directories = 0
  private var extensions: [(directory: String, draft: ExtensionDraft, policy: PolicyReference?)] = []

  /// Creates an inspection.
  init(validator: ManifestValidator, path: String) {
    self.validator = validator
    self.path = path
  }

  /// Parses all manifests, beginning with the app's, against which the others are validated.
  mutating func inspect(_ root: borrowing Descriptor) {
    var reader = ManifestReader(file: AppBundle.manifestName)
    if let node = document(root, &reader) { app = AppDraft(node, &reader) }
    inspectExtensions(root)
    validateControls(root, &reader)
    diagnostics = reader.diagnostics + diagnostics
  }

  /// Returns the report, with the problems ordered by file and position.
  func report(_ path: String) -> BundleReport {
    var report = BundleReport(bundle: nil, diagnostics: ordered)
    if report.errors.isEmpty, let manifest = app?.manifest {
      let bundled = extensions.compactMap { found in
        found.draft.manifest(policy: found.policy).map {
          BundledExtension(directory: found.directory, manifest: $0)
        }
      }
      report.bundle = AppBundle(path: path, manifest: manifest, extensions: bundled)
    }
    return report
  }

  private var ordered: [ManifestDiagnostic] {
    var files: [String] = []
    for diagnostic in diagnostics where !files.contains(diagnostic.file) { files.append(diagnostic.file) }
    func place(_ diagnostic: ManifestDiagnostic) -> (Int, Int) {
      (diagnostic.position?.line ?? 0, diagnostic.position?.column ?? 0)
    }
    return files.flatMap { file in diagnostics.filter { $0.file == file }.sorted { place($0) < place($1) } }
  }

  /// Returns the JSON document in a file, or `nil` after adding a diagnostic.
  private func document(_ root: borrowing Descriptor, _ reader: inout ManifestReader) -> JSONNode? {
    let limits = JSONLimits.document
    do {
      let file = try FileSystem.openBeneath(root, reader.file, [.read, .nonBlocking])
      let kind = try file.status().kind
      guard kind == .regular else {
        reader.add(.notRegular(found: reader.file, kind: kind), "", at: nil)
        return nil
      }
      guard let bytes = try file.readAll(limit: limits.bytes) else {
        reader.add(.manifestTooLarge(limit: limits.bytes), "", at: nil)
        return nil
      }
      return parse(bytes, &reader)
    } catch {
      switch error.errno {
      case .noSuchFile: reader.add(.manifestMissing, "", at: nil)
      case .tooManyLinks: reader.add(.pathThroughLink(found: reader.file), "", at: nil)
      default: reader.add(.unreadable(call: error.call, errno: error.errno), "", at: nil)
      }
      return nil
    }
  }

  private func parse(_ bytes: [UInt8], _ reader: inout ManifestReader) -> JSONNode? {
    do {
      return try JSONNode.parse(bytes)
    } catch {
      reader.add(.syntax(JSONSyntaxErrorText(error)), "", at: error.position)
      return nil
    }
  }

  private mutating func inspectExtensions(_ root: borrowing Descriptor) {
    let names: [String]
    do {
      names = try FileSystem.openBeneath(root, AppBundle.extensionsName, [.directory]).entries().sorted()
    } catch {
      if error.errno != .noSuchFile {
        let fault = ManifestFault.unreadable(call: error.call, errno: error.errno)
        diagnostics.append(ManifestDiagnostic(file: AppBundle.extensionsName, fault: fault))
        return
      }
      names = []
    }
    if names.isEmpty {
      diagnostics.append(ManifestDiagnostic(file: AppBundle.extensionsName, fault: .noExtensions))
    }
    for name in names { inspectExtension("\(AppBundle.extensionsName)/\(name)", root) }
  }

  private mutating func inspectExtension(_ directory: String, _ root: borrowing Descriptor) {
    directories += 1
    var reader = ManifestReader(file: "\(directory)/\(AppBundle.extensionManifestName)")
    do {
      let status = try FileSystem.openBeneath(root, directory, [.path, .noFollow]).status()
      guard status.kind == .directory else {
        diagnostics.append(ManifestDiagnostic(file: directory, fault: .notAnExtension(status.kind)))
        return
      }
      let opened = try FileSystem.openBeneath(root, directory, [.directory])
      if let node = document(root, &reader) {
        validate(ExtensionDraft(node, &reader), directory, ExtensionFiles(opened), &reader)
      }
    } catch {
      reader.add(.unreadable(call: error.call, errno: error.errno), "", at: nil)
    }
    diagnostics += reader.diagnostics
  }

  /// Validates a manifest against the files, the app and the other extensions.
  private mutating func validate(
    _ draft: ExtensionDraft,
    _ directory: String,
    _ files: consuming ExtensionFiles,
    _ reader: inout ManifestReader
  ) {
    let policy = files.policy(draft, shipped: validator.policyNames, &reader)
    let view =
      switch policy {
      case .shipped(let name): validator.view(name)
      case .file(let name): validator.view("\(path)/\(directory)/\(name)")
      case nil: nil as PolicyView?
      }
    views[directory] = view
    files.validateProgram(draft, machine: validator.machine, view, &reader)
    if let id = draft.id {
      if let appID = app?.id, !id.hasPrefix("\(appID).") {
        reader.add(.foreignIdentifier(found: id, app: appID), "id", at: draft.position("id"))
      }
      if let other = extensions.first(where: { $0.draft.id == id }) {
        let file = "\(other.directory)/\(AppBundle.extensionManifestName)"
        reader.add(.extensionRepeated(id: id, other: file), "id", at: draft.position("id"))
      }
    }
    validateUsage(draft, &reader)
    extensions.append((directory, draft, policy))
  }

  private func validateUsage(_ draft: ExtensionDraft, _ reader: inout ManifestReader) {
    guard let app else { return }
    for resource in ProtectedResource.allCases where !app.namedResources.contains(resource) {
      let key = "usageDescriptions.\(resource.rawValue)"
      if let reason = draft.node["usageDescriptions"]?[resource.rawValue] {
        reader.add(.appReasonMissing(resource), key, at: reason.position)
      } else if resource == .camera, draft.asksForFrames {
        reader.add(.appReasonMissing(resource), "frames", at: draft.position("frames"))
      }
    }
  }

  private mutating func validateControls(_ root: borrowing Descriptor, _ reader: inout ManifestReader) {
    for found in app?.controls ?? [] {
      guard case .file(let path)? = found.control.icon else { continue }
      ExtensionFiles.validateFile(path, in: root, "\(found.key).icon", at: found.position("icon"), &reader)
    }
    let ids = extensions.compactMap(\.draft.id)
    // The control may refer to an extension whose ID could not be read, which is reported already.
    guard ids.count == directories else { return }
    for found in app?.controls ?? [] where !ids.contains(found.control.extensionID) {
      let id = found.control.extensionID
      let fault = ManifestFault.extensionUnknown(found: id, nearest: nearest(to: id, among: ids), known: ids)
      reader.add(fault, "\(found.key).extension", at: found.position("extension"))
    }
    validateIntents(&reader)
  }

  /// Checks that all controls and extensions of the app name the same capture intent, if any names one.
  private mutating func validateIntents(_ reader: inout ManifestReader) {
    var first: String?
    for found in app?.controls ?? [] {
      let draft = extensions.first { $0.draft.id == found.control.extensionID }?.draft
      let named = found.control.intent
      if named == nil, let wanted = draft?.intent {
        reader.add(.intentMissing(wanted: wanted), "\(found.key).intent", at: found.node.position)
      }
      guard let named else { continue }
      if let first, first != named {
        let fault = ManifestFault.intentsDiffer(found: named, other: first)
        reader.add(fault, "\(found.key).intent", at: found.position("intent"))
      }
      first = first ?? named
    }
    for (directory, draft, _) in extensions {
      let launching = app?.controls.first { $0.control.extensionID == draft.id && $0.control.intent != nil }
      guard let wanted = launching?.control.intent ?? (draft.intent == nil ? nil : first) else { continue }
      guard draft.intent != wanted else { continue }
      let fault: ManifestFault =
        draft.intent.map { .intentsDiffer(found: $0, other: wanted) } ?? .intentMissing(wanted: wanted)
      let file = "\(directory)/\(AppBundle.extensionManifestName)"
      let position = draft.position("intent")
      diagnostics.append(ManifestDiagnostic(file: file, position: position, key: "intent", fault: fault))
    }
  }
}
