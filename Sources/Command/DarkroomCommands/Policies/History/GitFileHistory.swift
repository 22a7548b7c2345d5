// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import SandboxAudit
internal import SessionStore

/// The versions of a file in its git repository, newest first.
///
/// Only plumbing commands are run, which start no pager, no filter, no diff driver and no signature check of the
/// repository's configuration. They get no environment, a deadline and a bound on their output. Git itself refuses a
/// repository that belongs to another user.
struct GitFileHistory {
  /// A commit that changed the file.
  struct Commit: Hashable {
    /// The object name.
    var id: String
    /// The time of the commit, in milliseconds since 1970.
    var time: Int64
    /// The first line of its message.
    var subject: String

    /// The commit as data.
    var json: JSONValue {
      ["commit": .string(id), "date": MomentText.json(time), "subject": .string(subject)]
    }
  }

  /// A history that cannot be read.
  enum Fault: Error, CustomStringConvertible {
    /// Git is not installed.
    case noGit
    /// The file is not in a repository that git reads for this user.
    case noRepository
    /// Git did not answer within its deadline, or a version is too large.
    case unanswered
    /// Git could not be started.
    case system(SystemCallError)

    /// A sentence.
    var description: String {
      switch self {
      case .noGit: "git is not installed"
      case .noRepository: "the file is not in a git repository of this user, or was never committed"
      case .unanswered: "git did not answer in time"
      case .system(let error): "\(error)"
      }
    }
  }

  /// The commits that changed the file, newest first.
  let commits: [Commit]
  /// Whether these are all commits that changed it.
  let isComplete: Bool

  private let git: String
  private let directory: String
  private let name: String

  /// Options that keep git from the network and from programs that the repository's configuration names.
  private static let options = [
    "--no-pager", "--no-replace-objects", "--literal-pathspecs", "--no-optional-locks", "-c",
    "core.fsmonitor=false",
    "-c", "protocol.allow=never", "-c", "log.showSignature=false",
  ]
  /// The time that one command of git may take, in nanoseconds.
  private static let patience: UInt64 = 20_000_000_000
  /// The largest output of one command of git that is read, in bytes.
  private static let largest = 1 << 22

  /// Reads the list of the commits that changed a file, at most `limit`.
  init(of path: String, limit: Int) throws(Fault) {
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

  /// Returns the file as it was after a commit, or `nil` if the commit removed it.
  func content(after commit: Commit) throws(Fault) -> [UInt8]? {
    try Self.run(git, directory, ["cat-file", "blob", "\(commit.id):./\(name)"])
  }

  /// Runs git, and returns its output, or `nil` if it failed.
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
        until: MonotonicClock.now + patience,
        limit: largest
      )
    } catch { throw .system(error) }
    guard let status = result.status, result.output.count < largest else { throw .unanswered }
    return status == .exited(0) ? result.output : nil
  }

  /// Reads a line of the list; git also prints a line with the word `commit` for each.
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
