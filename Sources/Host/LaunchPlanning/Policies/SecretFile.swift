// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Recognizes files that contain private keys or passwords.
///
/// The name decides for formats with encrypted or binary content. The content decides for text formats,
/// because most `.pem` files are public certificates.
enum SecretFile {
  /// The number of bytes that are searched for the marker of a private key.
  private static let prefix = 4096
  /// The maximum size of a file that is searched, in bytes.
  private static let largest = 1 << 20

  /// Name suffixes of formats that always contain keys or passwords.
  private static let secretEndings: Set = [
    ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".kdb", ".keytab", ".ppk", ".age-key", ".agekey",
  ]
  /// Names of files in which programs store passwords and tokens.
  private static let secretNames: Set = [
    ".netrc", "_netrc", ".pgpass", ".my.cnf", ".git-credentials", ".vault-token", ".htpasswd", "shadow",
    "gshadow", "opasswd", "krb5.keytab",
  ]
  /// Name suffixes of files that may contain a private key.
  private static let keyEndings: Set = [
    ".pem", ".key", ".priv", ".private", ".pk8", ".p8", ".crt", ".cer", ".asc", ".der", "_rsa", "_dsa",
    "_ecdsa", "_ed25519", "_key", "-key",
  ]
  private static let allEndings = secretEndings.union(keyEndings)
  /// The first bytes of these suffixes: separators such as the period.
  private static let firstBytes = Set(allEndings.compactMap(\.utf8.first))
  /// The length of the longest of these suffixes, in bytes.
  private static let longestEnding = allEndings.map(\.utf8.count).max() ?? 0
  /// Text that occurs only in private keys: PEM (RFC 7468), OpenPGP armor (RFC 9580), PuTTY, age and
  /// WireGuard.
  private static let markers = [
    "PRIVATE KEY-----", "PGP PRIVATE KEY BLOCK", "PuTTY-User-Key-File", "AGE-SECRET-KEY-", "PrivateKey = ",
  ].map { Array($0.utf8) }

  /// Returns whether a regular file in a directory appears to contain private keys or passwords, by its name
  /// or content.
  ///
  /// The content is read if the name looks like a key, or if the file is not readable for others.
  static func isSecret(
    _ name: [UInt8],
    _ status: FileStatus,
    in directory: borrowing Descriptor
  ) -> Bool {
    let text = String(decoding: name, as: UTF8.self)
    let endings = endings(of: text.lowercased())
    if secretNames.contains(text) || !secretEndings.isDisjoint(with: endings) { return true }
    let looksLikeKey = name.starts(with: "id_".utf8) || !keyEndings.isDisjoint(with: endings)
    let isGuarded = status.permissions & 0o004 == 0
    guard looksLikeKey || isGuarded, status.size <= largest else { return false }
    guard let file = try? directory.openEntry(name, [.noFollow, .nonBlocking]),
      let bytes = start(of: file)
    else {
      // The session's user may be able to read the file even if this process cannot.
      return looksLikeKey
    }
    return markers.contains { ByteSearch.first($0, in: bytes) != nil }
  }

  /// Returns the first bytes of a file, or `nil` if it cannot be read.
  private static func start(of file: borrowing Descriptor) -> [UInt8]? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: prefix, alignment: 16)
    defer { buffer.deallocate() }
    return switch try? file.read(into: buffer) {
    case .bytes(let count): Array(buffer[..<count])
    case .end: []
    case .wouldBlock, nil: nil
    }
  }

  /// Returns the suffixes of a name that begin with a first byte of the known suffixes and are not longer.
  ///
  /// A survey calls this for each of more than a hundred thousand files, so that few suffixes are compared.
  private static func endings(of name: String) -> [String] {
    let bytes = Array(name.utf8)
    let starts = max(0, bytes.count - longestEnding)..<bytes.count
    return starts.filter { firstBytes.contains(bytes[$0]) }.map {
      String(decoding: bytes[$0...], as: UTF8.self)
    }
  }
}
