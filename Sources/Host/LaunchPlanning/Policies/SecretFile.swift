// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The recognition of files that hold private keys or passwords.
///
/// A name is enough for formats whose content is encrypted or binary. For text formats the content decides: most files that
/// end with `.pem` are certificates, which are public.
enum SecretFile {
  /// The number of bytes in which the marker of a private key is searched.
  private static let prefix = 4096
  /// The largest file that is searched, in bytes.
  private static let largest = 1 << 20

  /// Endings of names whose format always holds keys or passwords.
  private static let secretEndings = [
    ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".kdb", ".keytab", ".ppk", ".age-key", ".agekey",
  ].map { Array($0.utf8) }
  /// Names of files in which programs keep passwords and tokens.
  private static let secretNames: Set = [
    ".netrc", "_netrc", ".pgpass", ".my.cnf", ".git-credentials", ".vault-token", ".htpasswd", "shadow",
    "gshadow",
    "opasswd", "krb5.keytab",
  ]
  /// Endings of names whose content can be a private key.
  private static let keyEndings = [
    ".pem", ".key", ".priv", ".private", ".pk8", ".p8", ".crt", ".cer", ".asc", ".der", "_rsa", "_dsa",
    "_ecdsa",
    "_ed25519", "_key", "-key",
  ].map { Array($0.utf8) }
  /// The length of the longest of these endings, in bytes.
  private static let longestEnding = (secretEndings + keyEndings).map(\.count).max() ?? 0
  /// Text that only private keys contain: PEM (RFC 7468), OpenPGP armor (RFC 9580), PuTTY, age and WireGuard.
  private static let markers = [
    "PRIVATE KEY-----", "PGP PRIVATE KEY BLOCK", "PuTTY-User-Key-File", "AGE-SECRET-KEY-", "PrivateKey = ",
  ].map { Array($0.utf8) }

  /// Whether a regular file of a directory holds private keys or passwords, as far as its name or its content shows.
  ///
  /// Content is read from files that look like keys, and from files that not every user may read: such a file has a
  /// reason for that.
  static func isSecret(
    _ name: [UInt8],
    _ status: FileStatus,
    in directory: borrowing Descriptor
  ) -> Bool {
    let text = String(decoding: name, as: UTF8.self)
    let end = Array(text.lowercased().utf8.suffix(longestEnding))
    func hasEnding(_ ending: [UInt8]) -> Bool { end.suffix(ending.count).elementsEqual(ending) }
    if secretNames.contains(text) || secretEndings.contains(where: hasEnding) { return true }
    let looksLikeKey = name.starts(with: "id_".utf8) || keyEndings.contains(where: hasEnding)
    let isGuarded = status.permissions & 0o004 == 0
    guard looksLikeKey || isGuarded, status.size <= largest else { return false }
    guard let file = try? directory.openEntry(name, [.noFollow, .nonBlocking]),
      let bytes = start(of: file)
    else {
      // A file that looks like a key and is closed to this user may be open to the session's.
      return looksLikeKey
    }
    return markers.contains { contains($0, bytes) }
  }

  /// The first bytes of a file, or `nil` if it cannot be read.
  private static func start(of file: borrowing Descriptor) -> [UInt8]? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: prefix, alignment: 16)
    defer { buffer.deallocate() }
    return switch try? file.read(into: buffer) {
    case .bytes(let count): Array(buffer[..<count])
    case .end: []
    case .wouldBlock, nil: nil
    }
  }

  /// Whether bytes contain a marker.
  private static func contains(_ marker: [UInt8], _ bytes: [UInt8]) -> Bool {
    guard bytes.count >= marker.count else { return false }
    return (0...bytes.count - marker.count).contains { bytes[$0..<$0 + marker.count].elementsEqual(marker) }
  }
}
