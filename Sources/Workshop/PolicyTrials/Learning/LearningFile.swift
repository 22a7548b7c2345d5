// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import Digests
internal import JSONText
package import LaunchPlanning
package import LinuxPrimitives
package import PolicyLearning
package import SandboxPolicy
package import SessionStore

/// The file that accumulates the learned behavior of a program over several runs.
package struct LearningFile: Sendable {
  /// The path of the file.
  package let path: String
  /// The base policy of the learning: its name or the path of its document.
  package let base: String
  /// The digest of the base policy.
  package let baseDigest: String
  /// The program and its arguments, or the ID of an extension.
  package let subject: [String]

  /// The limits of the file's size and depth.
  private static let limits = JSONLimits(bytes: 1 << 24, depth: 16)

  /// Creates a file at a path that the user specified.
  package init(_ path: String, _ policy: ResolvedPolicy, digest: String, subject: [String]) {
    self.path = path
    base = policy.baseName
    baseDigest = digest
    self.subject = subject
  }

  /// Creates a file in the state root. Each command line and policy has its own file.
  package init(in root: StateRoot, _ found: FoundPolicy, subject: [String]) throws(LearningFileError) {
    let directory: String
    do { directory = try root.prepareLearning() } catch { throw .store(error) }
    let base = found.policy.baseName
    let key = JSONValue.array(([base] + subject).map { .string($0) })
    let digest: String
    do { digest = "\(try SHA256Digest.of(key.bytes()))" } catch { throw .digest(error) }
    let name = digest.split(separator: ":").last.map(String.init) ?? digest
    self.init(
      "\(directory)/\(name.prefix(32)).json",
      found.policy,
      digest: found.digest,
      subject: subject
    )
  }

  /// Returns the learned behavior so far; empty if the file does not exist.
  package func read() throws(LearningFileError) -> LearningProfile {
    let bytes: [UInt8]?
    do {
      bytes = try FileSystem.contents(path, limit: Self.limits.bytes)
    } catch  where error.errno == .noSuchFile {
      return LearningProfile(base: base, baseDigest: baseDigest, subject: subject)
    } catch { throw .system(error) }
    guard let bytes else { throw .tooLarge(path) }
    let picture: LearningProfile
    do {
      picture = try LearningProfile(JSONNode.parse(bytes, limits: Self.limits).value)
    } catch let error as LearningProfileError {
      throw .fault(path, error)
    } catch { throw .syntax(path, "\(error)") }
    guard picture.base == base, picture.baseDigest == baseDigest else {
      throw .otherBase(path, found: picture.base, wanted: base)
    }
    return picture
  }

  /// Adds the calls of a session to the file, and returns everything learned so far.
  package func add(
    _ report: SessionReport,
    _ scope: LearningProfile.Scope
  ) throws(LearningFileError) -> LearningProfile {
    let ledger = report.learned ?? LearningLedger()
    let run = LearningProfile.Run(
      at: report.record.startedAt,
      scope: scope,
      ending: "\(report.record.outcome)",
      calls: ledger.total
    )
    return try add(ledger, of: run)
  }

  /// Adds a run to the file, under a lock, and returns everything learned so far.
  package func add(_ ledger: LearningLedger, of run: LearningProfile.Run) throws(LearningFileError)
    -> LearningProfile
  {
    let lock: FileLock
    do throws(SystemCallError) {
      lock = try FileLock.lock(owning: FileSystem.open(FileSystem.directoryName(path), [.directory]))
    } catch { throw .system(error) }
    var picture = try read()
    picture.add(ledger, of: run)
    do { try FileSystem.replaceContents(path, with: picture.json.bytes(.indented)) } catch {
      throw .system(error)
    }
    _ = lock
    return picture
  }

  /// Deletes the file. Throws if it does not contain learned behavior, so that a mistyped path deletes
  /// nothing.
  package func forget() throws(LearningFileError) {
    do throws(LearningFileError) { _ = try read() } catch .otherBase {
      // The file contains learned behavior for another policy; the user still asked to delete it.
    } catch { throw error }
    do { try FileSystem.unlink(path) } catch  where error.errno == .noSuchFile {
      return
    } catch { throw .system(error) }
  }
}

extension ResolvedPolicy {
  /// The name by which users refer to the policy, or the path of its document.
  package var baseName: String {
    switch extensibility {
    case .named: name
    case .document(let path): path
    }
  }
}

/// A failure to read or write learned behavior.
package enum LearningFileError: Error, Sendable, CustomStringConvertible {
  /// A system call failed.
  case system(SystemCallError)
  /// The state root could not be used.
  case store(StoreError)
  /// The name of the file could not be computed.
  case digest(DigestError)
  /// The file is larger than the limit.
  case tooLarge(String)
  /// The file is not valid JSON.
  case syntax(String, String)
  /// The file is JSON, but not learned behavior.
  case fault(String, LearningProfileError)
  /// The file was learned under another policy, or another version of it.
  case otherBase(String, found: String, wanted: String)

  /// The error, with a fix.
  package var description: String {
    switch self {
    case .system(let error): "the learned behavior cannot be read or written: \(error)"
    case .store(let error): "\(error)"
    case .digest(let error): "\(error)"
    case .tooLarge(let path): "\(path) exceeds the maximum size of learned behavior; use another file"
    case .syntax(let path, let text): "\(path): \(text); use another file"
    case .fault(let path, let fault): "\(path): \(fault)"
    case .otherBase(let path, let found, let wanted):
      found == wanted
        ? "\(path) was learned before the policy \(wanted) was changed; use another file, or delete this one ('policy learn --fresh' does)"
        : "\(path) was learned with the policy \(found), not \(wanted); use another file, or delete this one ('policy learn --fresh' does)"
    }
  }
}
