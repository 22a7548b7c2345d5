// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import Digests
package import JSONText
package import LaunchPlanning
internal import LinuxPrimitives

/// A software bill of materials in the bundle of an app: the list of the components that the app was built from.
package struct BillOfMaterials {
  /// A format of bills of materials.
  enum Format: String, CaseIterable {
    case spdx = "SPDX"
    case cycloneDX = "CycloneDX"

    /// Returns the format that recommends the name of a file, or `nil` if the name is not that of a bill of materials.
    init?(name: String) {
      let name = name.lowercased()
      guard
        let format = Self.allCases.first(where: { format in format.names.contains(name) })
          ?? Self.allCases.first(where: { format in format.endings.contains { name.hasSuffix($0) } })
      else { return nil }
      self = format
    }

    /// The names that the CycloneDX specification recommends; SPDX recommends none.
    private var names: Set<String> { self == .cycloneDX ? ["bom.json", "bom.xml"] : [] }

    /// The recommended endings of names.
    private var endings: [String] {
      switch self {
      case .spdx:
        [".spdx", ".spdx.json", ".spdx.xml", ".spdx.yaml", ".spdx.yml", ".spdx.rdf", ".spdx.rdf.xml"]
      case .cycloneDX: [".cdx.json", ".cdx.xml"]
      }
    }
  }

  /// The path below the bundle.
  let path: String
  /// The format that the name stands for.
  let format: Format
  /// The digest of the file.
  let digest: SHA256Digest

  /// Returns the bills of materials of a bundle. Their names are examined, and not their contents.
  package static func all(in bundle: String) throws(BundleDigest.Fault) -> [BillOfMaterials] {
    var found: [BillOfMaterials] = []
    for path in try BundleDigest.files(of: bundle) {
      guard let format = Format(name: FileSystem.lastComponent(path)) else { continue }
      let digest = try BundleDigest.file("\(bundle)/\(path)")
      found.append(BillOfMaterials(path: String(path.dropFirst("./".count)), format: format, digest: digest))
    }
    return found
  }

  /// The bill of materials as data.
  package var json: JSONValue {
    ["path": .string(path), "format": .string(format.rawValue), "digest": .string("\(digest)")]
  }
}
