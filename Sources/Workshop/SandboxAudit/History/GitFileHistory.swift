// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LinuxPrimitives
internal import SessionStore

/// The versions of a file in its git repository, newest first.
///
/// Only plumbing commands are run. They do not start a pager, filter, diff driver or signature check from the
/// repository's configuration. They run with an empty environment, a timeout and a limit on their output. Git
/// itself refuses a repository that belongs to another user.
package struct GitFileHistory {
  /// A commit that changed the file.
  package struct Commit: Hashable {
    /// The object name.
    package var id: String
    /// The commit date, in milliseconds since 1970.
    package var time: Int64
    /// The first line of the commit message.
    package var subject: String

    /// The commit as JSON.
    package var json: JSONValue {
      ["commit": .string(id), "date": TimestampText.json(time), "subject": .string(subject)]
    }
  }

  /// An error while the history was read.
  package enum Fault: Error, CustomStringConvertible {
    /// Git is not installed.
    case noGit
    /// The file is not in a repository that git reads for this user.
    case noRepository
    /// Git did not answer within the timeout, or its output exceeds the limit.
    case unanswered
    /// A system call failed, such as the start of git.
    case system(SystemCallError)

    /// The error message.
    package var description: String {
      switch self {
      case .noGit: "git is not installed"
      case .noRepository: "the file is not in a git repository of this user, or was never committed"
      case .unanswered: "git timed out or printed too much output"
      case .system(let error): "\(error)"
      }
    }
  }

  /// The commits that changed the file, newest first.
  package let commits: [Commit]
  /// Whether `commits` contains all commits that changed the file.
  package let isComplete: Bool

  private let git: String
  private let directory: String
  private let name: String

  /// The options that keep git from the network and from programs in the repository's configuration.
  private static let options = [
    "--no-pager", "--no-replace-objects", "--literal-pathspecs", "--no-optional-locks", "-c",
    "core.fsmonitor=false",
    "-c", "protocol.allow=never", "-c", "log.showSignature=false",
  ]
  /// The timeout of one git command, in nanoseconds.
  private static let timeout: UInt64 = 20_000_000_000
  /// The maximum output of one git command, in bytes.
  private static let maximumOutput = 1 << 22

  /// Reads the list of at most `limit` commits that changed a file.
  package init(of path: String, limit: Int) throws(Fault) {
    guard let git = ["/usr/bin/git", "/usr/local/bin/git"].first(where: FileSystem.isReadable) else {
      throw .noGit
    }
    let real: String
    do throws(SystemCallError) { real = try FileSystem.realPath(path) } catch { throw .system(error) }
    self.git = git
    directory = FileSystem.directoryName(real)
    name = FileSystem.lastComponent(real)
    let words = ["rev-list", "--max-count=\(limit + 1)", "--format=%H %ct %s", "HEAD", "--", name]
    guard let output = try Self.run(git, directory, words) else { throw .noRepository }
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    let found = lines.compactMap(Self.commit)
    guard !found.isEmpty else { throw .noRepository }
    isComplete = found.count <= limit
    commits = Array(found.prefix(limit))
  }

  /// Returns the contents of the file after a commit, or `nil` if the commit removed the file.
  package func content(after commit: Commit) throws(Fault) -> [UInt8]? {
    try Self.run(git, directory, ["cat-file", "blob", "\(commit.id):./\(name)"])
  }

  /// Runs git, and returns its output, or `nil` if git failed. Messages of git are discarded: they are about
  /// commands that the user did not give.
  private static func run(
    _ git: String,
    _ directory: String,
    _ words: [String]
  ) throws(Fault) -> [UInt8]? {
    let result: ChildProgram.Result
    do throws(SystemCallError) {
      let null = try FileSystem.open("/dev/null", .readWrite)
      result = try ChildProgram.run(
        git,
        options + ["-C", directory] + words,
        input: null.rawValue,
        errors: null.rawValue,
        until: MonotonicClock.now + timeout,
        limit: maximumOutput
      )
    } catch { throw .system(error) }
    guard let status = result.status, result.output.count < maximumOutput else { throw .unanswered }
    return status == .exited(0) ? result.output : nil
  }

  /// Parses a line of the list. Git also prints a line that begins with `commit` before each line.
  private static func commit(_ line: Substring) -> Commit? {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0] != "commit", parts[0].count >= 40, parts[0].allSatisfy(\.isHexDigit),
      let seconds = Int64(parts[1])
    else { return nil }
    return Commit(
      id: String(parts[0]),
      time: seconds * 1000,
      subject: parts.count > 2 ? String(parts[2].prefix(200)) : ""
    )
  }
}
