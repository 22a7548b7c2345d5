// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SandboxAudit
internal import SandboxPolicy

/// `darkroom policy history`: prints the commit that introduced each rule of a policy document.
package enum PolicyHistoryCommand: Command {
  /// The argument for the document.
  private static let file = ArgumentSpec(
    "FILE",
    .one,
    .file,
    help: "A policy document in a git repository"
  )
  /// The option for the maximum number of commits.
  private static let limit = OptionSpec.value(
    "limit",
    "N",
    .integer(1...10_000),
    default: "500",
    help: "Read at most N commits that changed FILE"
  )

  package static let spec = CommandSpec(
    "history",
    summary: "Show the commit that added each rule of a policy",
    discussion: """
      Each rule of the policy, with its groups and the policies that it extends, is searched in the commits that \
      changed FILE, back to the commit that added the rule. A rule that was removed and added again has the age of \
      the last addition. The current shipped policies are used for all commits. Renames of FILE are not followed.
      """,
    options: [limit],
    arguments: [file],
    examples: [ExampleSpec("darkroom policy history camera.json", "Show which commit allowed each call")],
    exitCodes: [
      ExitCode.invalidPolicy, ExitCode.missing.when("FILE does not exist, or is not in a git repository"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let path = parsed.value(of: file) ?? ""
    guard !PolicyFinder.shippedNames.contains(path) else {
      throw CommandFailure(
        .usage,
        "\(path) is a shipped policy and has no history; give the path of a policy document"
      )
    }
    let now = try SessionCommands.policy(path).policy
    let history: PolicyDocumentHistory
    do throws(GitFileHistory.Fault) {
      history = try PolicyDocumentHistory(of: path, now, limit: Int(parsed.value(of: limit) ?? "") ?? 500)
    } catch { throw CommandFailure(.missing, "\(path): \(error)") }
    if parsed.has(CommonOptions.json) {
      console.print(json(path, history))
    } else {
      for line in lines(history) { console.print(TextTable.printable(line)) }
    }
    return 0
  }

  /// Returns the result as JSON.
  private static func json(_ path: String, _ history: PolicyDocumentHistory) -> JSONValue {
    [
      "file": .string(path), "commits": .integer(Int64(history.file.commits.count)),
      "complete": .bool(history.file.isComplete),
      "grants": .array(
        history.grants.map { grant, age in
          let (commit, mayBeOlder) = history.origin(of: age)
          return [
            "call": .string(grant.call),
            "conditions": .array(grant.conditions.map { .string($0.description) }),
            "since": commit?.json ?? .null, "orOlder": .bool(mayBeOlder),
          ]
        }
      ),
    ]
  }

  /// Returns the result as text: the commits, newest first, each with the rules that it introduced.
  private static func lines(_ history: PolicyDocumentHistory) -> [String] {
    var lines: [String] = []
    let ages =
      [GrantHistory.Age.uncommitted] + history.file.commits.indices.flatMap { [.since($0), .atLeast($0)] }
    for age in ages {
      let brought = history.grants.filter { $0.age == age }
      guard !brought.isEmpty else { continue }
      let (commit, mayBeOlder) = history.origin(of: age)
      if let commit {
        let words = mayBeOlder ? "since this commit or an earlier commit" : "since this commit"
        lines.append(
          "\(commit.id.prefix(12))  \(TimestampText.short(commit.time))  \(commit.subject) (\(words))"
        )
      } else {
        lines.append("not committed")
      }
      lines += brought.map { "    \($0.grant.text)" }
    }
    return lines
  }
}
