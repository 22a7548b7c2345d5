// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import SessionStore

/// `darkroom context set`: replaces the app context.
package enum ContextSetCommand: Command {
  private static let text = ArgumentSpec(
    "JSON",
    help: "The context as JSON, @FILE to read a file, or - to read standard input"
  )

  /// The limits of the input text, which may contain much white space around a small context.
  private static let limits = JSONLimits(bytes: 1 << 20, depth: 32)

  package static let spec = CommandSpec(
    "set",
    summary: "Replace the context of an app",
    discussion: """
      The context is limited to \(AppContextStore.limit) bytes as JSON without spaces. If the text is not JSON or \
      exceeds the limit, nothing changes.
      """,
    arguments: [CommonOptions.appArgument, text],
    examples: [
      ExampleSpec("darkroom context set org.example.camera '{\"flash\":\"off\"}'", "Set a context"),
      ExampleSpec("darkroom context set org.example.camera @context.json", "Set the context from a file"),
    ],
    exitCodes: [
      ExitCode.data.when("The text is not JSON, or exceeds the limit"),
      ExitCode.missing.when("The file cannot be read"), ExitCode.unusableStore,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let context = try context(parsed.value(of: text) ?? "", console)
    let root = try CommonOptions.stateRoot(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let bytes = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try AppContextStore(app).set(context)
    }
    if parsed.has(CommonOptions.json) {
      let limit = Int64(AppContextStore.limit)
      console.print(["app": .string(app.id), "bytes": .integer(Int64(bytes)), "limit": .integer(limit)])
    } else {
      console.print("set the context of \(app.id): \(bytes) of \(AppContextStore.limit) bytes")
    }
    return 0
  }

  private static func context(_ word: String, _ console: Console) throws(CommandFailure) -> JSONValue {
    let (source, text) = try read(word, console)
    do { return try JSONNode.parse(text, limits: limits).value } catch {
      let fix = source == nil ? "; put the JSON in single quotes to protect it from the shell" : ""
      throw CommandFailure(.data, "\(source ?? "JSON"):\(error)\(fix)")
    }
  }

  /// Returns the text of the context, and the name of its source, or `nil` for a command-line argument.
  private static func read(
    _ word: String,
    _ console: Console
  ) throws(CommandFailure) -> (source: String?, text: [UInt8]) {
    guard word == "-" || word.hasPrefix("@") else { return (nil, Array(word.utf8)) }
    let source = word == "-" ? "standard input" : String(word.dropFirst())
    let text: [UInt8]?
    do {
      text =
        word == "-"
        ? try Descriptor.duplicate(of: console.input).readAll(limit: limits.bytes)
        : try FileSystem.contents(source, limit: limits.bytes)
    } catch { throw CommandFailure(.missing, "the context cannot be read: \(error)") }
    guard let text else {
      throw CommandFailure(.data, "\(source) exceeds the maximum size of \(limits.bytes) bytes")
    }
    return (source, text)
  }
}
