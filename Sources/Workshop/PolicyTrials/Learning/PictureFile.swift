// SPDX-License-Identifier: Apache-2.0

package import Digests
internal import JSONText
package import LaunchPlanning
package import LinuxPrimitives
package import PolicyLearning
package import SandboxPolicy
package import SessionStore

/// The file in which a picture of a program is kept from run to run.
package struct PictureFile: Sendable {
  /// Where it is.
  package let path: String
  /// The policy that is measured by: its name or the path of its document.
  package let base: String
  /// Its digest.
  package let baseDigest: String
  /// The program and its arguments, or the id of an extension.
  package let subject: [String]

  /// How much text there may be.
  private static let limits = JSONLimits(bytes: 1 << 24, depth: 16)

  /// A file that a person named.
  package init(_ path: String, _ policy: ResolvedPolicy, digest: String, subject: [String]) {
    self.path = path
    base = policy.baseName
    baseDigest = digest
    self.subject = subject
  }

  /// The file of a program below a state root: one for each command line and policy.
  package init(in root: StateRoot, _ found: FoundPolicy, subject: [String]) throws(PictureFileError) {
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

  /// What is known so far; nothing, if there is no file.
  package func read() throws(PictureFileError) -> LearningPicture {
    let bytes: [UInt8]?
    do {
      bytes = try FileSystem.contents(path, limit: Self.limits.bytes)
    } catch  where error.errno == .noSuchFile {
      return LearningPicture(base: base, baseDigest: baseDigest, subject: subject)
    } catch { throw .system(error) }
    guard let bytes else { throw .tooLarge(path) }
    let picture: LearningPicture
    do {
      picture = try LearningPicture(JSONNode.parse(bytes, limits: Self.limits).value)
    } catch let error as PictureFault {
      throw .fault(path, error)
    } catch { throw .syntax(path, "\(error)") }
    guard picture.base == base, picture.baseDigest == baseDigest else {
      throw .otherBase(path, found: picture.base, wanted: base)
    }
    return picture
  }

  /// Adds a run to what is known, whoever else adds one at the same time, and gives all of it.
  package func add(_ ledger: LearningLedger, of run: LearningPicture.Run) throws(PictureFileError)
    -> LearningPicture
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

  /// Forgets everything. A file that is no picture of a program is left, and an error: a slip shall not delete it.
  package func forget() throws(PictureFileError) {
    do throws(PictureFileError) { _ = try read() } catch .otherBase {
      // It is one, measured by another policy, and forgotten for that.
    } catch { throw error }
    do { try FileSystem.unlink(path) } catch  where error.errno == .noSuchFile {
      return
    } catch { throw .system(error) }
  }
}

extension ResolvedPolicy {
  /// What a person calls the policy by: its name, or the path of its document.
  package var baseName: String {
    switch standing {
    case .named: name
    case .document(let path): path
    }
  }
}

/// Why a picture cannot be read or kept.
package enum PictureFileError: Error, Sendable, CustomStringConvertible {
  /// The file system refuses.
  case system(SystemCallError)
  /// The state root refuses.
  case store(StoreError)
  /// The name of the file cannot be worked out.
  case digest(DigestError)
  /// It is larger than any picture.
  case tooLarge(String)
  /// It is no JSON.
  case syntax(String, String)
  /// It is JSON, but no picture.
  case fault(String, PictureFault)
  /// It was learned by another policy, or by another version of it.
  case otherBase(String, found: String, wanted: String)

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .system(let error): "what was learned cannot be kept: \(error)"
    case .store(let error): "\(error)"
    case .digest(let error): "\(error)"
    case .tooLarge(let path): "\(path) is too large for what is learned of a program: name another file"
    case .syntax(let path, let text): "\(path): \(text): name another file"
    case .fault(let path, let fault): "\(path): \(fault)"
    case .otherBase(let path, let found, let wanted):
      found == wanted
        ? "\(path) was learned before the policy \(wanted) was changed: name another file, or begin anew with --fresh"
        : "\(path) was learned by the policy \(found), not \(wanted): name another file, or begin anew with --fresh"
    }
  }
}
