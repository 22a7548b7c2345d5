// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SandboxPolicy

/// A bwrap(1) command line, alone or in a script, translated to the nearest policy resources.
///
/// Each option without an equivalent in a session is recorded as a loss. A session never sees more paths than
/// the command shows. A path that the command makes writable outside the session directory becomes read-only.
package struct BubblewrapCommand: Sendable {
  /// The paths, devices, scratch size and limits of the command.
  package private(set) var resources = PolicyResources()
  /// The options that a policy cannot express.
  package private(set) var losses: [InterchangeLoss] = []
  /// The line and option that loads a filter, or `nil` if the command loads no filter.
  package private(set) var filterLocation: String?
  /// The value of the last `--size` option, which applies to the next tmpfs, in bytes.
  private var size: Int?
  /// Whether the command leaves the host's network namespace shared.
  private var sharesNetwork = true

  /// Creates a command from the first invocation of bwrap in a script.
  ///
  /// - Throws: ``InterchangeError`` if the script does not run bwrap, or if an option is unknown or
  ///   incomplete.
  package init(text: String) throws(InterchangeError) {
    for words in try ShellWord.commands(text) {
      guard let start = words.firstIndex(where: { $0.text == "bwrap" || $0.text.hasSuffix("/bwrap") }) else {
        continue
      }
      for word in words[..<start] { readLimit(word) }
      try read(Array(words[(start + 1)...]))
      if sharesNetwork {
        recordLoss(words[start], .outsideFilter("the command shares the network, which a session lacks"))
      }
      return
    }
    throw InterchangeError(nil, .missing("a bwrap command line"))
  }

  /// The devices that `--dev` creates and a policy can grant.
  private static let standardDevices: Set<String> = GrantablePaths.devices

  private mutating func recordLoss(
    _ word: ShellWord,
    _ matter: InterchangeLoss.Kind,
    _ consequence: InterchangeLoss.Consequence = .stricter
  ) {
    losses.append(InterchangeLoss("line \(word.position.line): \(word.text)", matter, consequence))
  }

  private mutating func read(_ words: [ShellWord]) throws(InterchangeError) {
    var index = 0
    while index < words.count {
      let option = words[index]
      // The first argument that is not an option is the program.
      guard option.text.hasPrefix("--"), option.text != "--" else { return }
      guard let arity = BubblewrapOption.arity(option.text) else {
        throw InterchangeError(option.position, .unknownKeyword(option.text, kind: "bwrap option"))
      }
      guard index + arity < words.count else {
        throw InterchangeError(option.position, .missing("the argument of \(option.text)"))
      }
      try apply(option, words[index + 1..<index + 1 + arity].map(\.text))
      index += 1 + arity
    }
  }

  private mutating func apply(_ option: ShellWord, _ values: [String]) throws(InterchangeError) {
    switch option.text {
    case "--unshare-net", "--unshare-all": sharesNetwork = false
    case "--share-net":
      sharesNetwork = false
      recordLoss(option, .outsideFilter("a session has no network"))
    case "--ro-bind", "--ro-bind-try", "--bind", "--bind-try": bind(option, values[0], values[1])
    case "--dev-bind", "--dev-bind-try": device(option, values[0], values[1])
    case "--dev": resources.devices.formUnion(Self.standardDevices)
    case "--size":
      guard let bytes = Int(values[0]) else {
        throw InterchangeError(option.position, .invalidNumber(values[0]))
      }
      size = bytes
    case "--tmpfs" where values[0] == "/container":
      if let bytes = size, ResolvedPolicy.scratchRange.contains(bytes) { resources.scratchBytes = bytes }
      size = nil
    case "--perms": break
    case "--seccomp", "--add-seccomp-fd":
      filterLocation = "line \(option.position.line): \(option.text) \(values[0])"
    case "--args": recordLoss(option, .unreadableInclude("descriptor \(values[0])"))
    case let name where BubblewrapOption.implied.contains(name): break
    case let name where BubblewrapOption.rootContents.contains(name):
      // Every session has its own tmpfs and directories at these paths.
      let own = values.contains { value in
        ["/container", "/session", "/tmp", "/var/tmp", "/dev"].contains {
          value == $0 || value.hasPrefix("\($0)/")
        }
      }
      let system = name == "--symlink" && values[0].hasPrefix("usr/")
      if !own, !system { recordLoss(option, .outsideFilter("\(values.last ?? "") is not created")) }
      size = nil
    case let name:
      let reason = BubblewrapOption.unsupported[name] ?? "a policy has no such setting"
      recordLoss(
        option,
        .outsideFilter(values.isEmpty ? reason : "\(values.joined(separator: " ")): \(reason)")
      )
    }
  }

  private mutating func bind(_ option: ShellWord, _ source: String, _ location: String) {
    // The host chooses the session directory, so its source is ignored.
    guard location != "/session" else { return }
    guard source == location else {
      return recordLoss(
        option,
        .outsideFilter("\(source) is shown at \(location); a policy shows paths only at the same path")
      )
    }
    if let refusal = GrantablePaths.refusal(of: source) {
      return recordLoss(option, .outsideFilter("\(source) \(refusal.reason); the path is not shown"))
    }
    let isWritable = option.text.hasPrefix("--bind")
    if isWritable {
      recordLoss(
        option,
        .outsideFilter("\(source) is read-only; a session can write only to its own directories")
      )
    }
    resources.readOnly[source] = option.text.hasSuffix("-try") ? .optional : .required
  }

  private mutating func device(_ option: ShellWord, _ source: String, _ location: String) {
    guard source == location, GrantablePaths.devices.contains(source) else {
      return recordLoss(
        option,
        .outsideFilter(
          "\(source) at \(location) is not a device that a session can have; the device is not shown"
        )
      )
    }
    resources.devices.insert(source)
  }

  /// The options of prlimit(1) with an equivalent limit in a policy.
  private static let limits: [(option: String, name: LimitName)] = [
    ("--cpu=", .cpuTime), ("--fsize=", .fileSize), ("--nproc=", .processes), ("--nofile=", .descriptors),
    ("--as=", .addressSpace),
  ]

  private mutating func readLimit(_ word: ShellWord) {
    guard word.text.hasPrefix("--"), word.text.contains("=") else { return }
    guard let (option, name) = Self.limits.first(where: { word.text.hasPrefix($0.option) }) else {
      // Sessions never write core dumps, so `--core=0` is already in effect.
      if word.text != "--core=0" { recordLoss(word, .outsideFilter("a policy has no such limit"), .weaker) }
      return
    }
    // The hard limit counts, because the program cannot raise it.
    let text = word.text.dropFirst(option.count).split(separator: ":").last
    guard let value = text.flatMap({ Int($0) }), name.range.contains(value) else {
      return recordLoss(word, .outsideFilter("no valid value for \(name.rawValue)"), .weaker)
    }
    resources.limits[name] = value
  }
}
