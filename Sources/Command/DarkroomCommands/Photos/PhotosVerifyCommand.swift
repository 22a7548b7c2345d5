// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PhotoLibrary
internal import PolicyExplanation

/// `darkroom photos verify`: compares the index with the files.
package enum PhotosVerifyCommand: Command {
  package static let spec = CommandSpec(
    "verify",
    summary: "Compare the index of the photo library with its files",
    discussion: """
      Nothing is changed.
      """,
    exitCodes: [
      ExitCode.success("No file is missing; files may have been edited"),
      ExitCode.missing.when("A file is missing"), ExitCode.unusableLibrary,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    guard let library = try PhotoLibraryOptions.existing(parsed, console) else {
      if parsed.has(CommonOptions.json) { console.print(["checked": 0, "invalid": .array([])]) }
      return 0
    }
    let (checked, wrong) = try PhotoLibraryOptions.mappingLibraryErrors { () throws(PhotoLibraryError) in
      try library.verify()
    }
    if parsed.has(CommonOptions.json) {
      let items = wrong.map { item -> JSONValue in
        [
          "asset": .string(item.asset.id), "path": .string(library.filePath(item.asset)),
          "reason": .string(item.how.rawValue),
        ]
      }
      console.print(["checked": .integer(Int64(checked)), "invalid": .array(items)])
    } else {
      for item in wrong {
        let path = TextTable.printable(library.filePath(item.asset))
        console.print("\(item.how.rawValue)  \(item.asset.id)  \(path)")
      }
      console.note("\(counted(checked, "asset")) compared, \(wrong.count) missing or changed")
    }
    return wrong.contains { $0.how == .missing } ? ExitCode.missing.rawValue : 0
  }
}
