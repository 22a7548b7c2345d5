// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import LinuxPrimitives

extension HostileHost {
  /// Opens files and directories without `O_CLOEXEC`, at low and high descriptor numbers.
  static func leakDescriptors(_ secret: String) -> [Int32] {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 65536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let file = Glibc.open(secret, O_RDWR)
    let directory = Glibc.open("/", O_RDONLY | O_DIRECTORY)
    for number in [Int32(61), 700, 1023, 1024, 5000] where number < Int32(limit.rlim_cur) {
      dup2(number % 2 == 0 ? directory : file, number)
    }
    let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    return [file, directory, connectedSocket(), datagrams, makeIOUring()].filter { $0 >= 0 }
  }

  /// Returns one end of a socket pair whose peer has sent data and stays open.
  private static func connectedSocket() -> Int32 {
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    _ = Glibc.write(ends[1], "hello", 5)
    return ends[0]
  }

  /// Returns an io_uring (io_uring_setup(2)), or -1 if the kernel does not support it.
  private static func makeIOUring() -> Int32 {
    var parameters = [UInt64](repeating: 0, count: 15)
    let ring = parameters.withUnsafeMutableBytes { bytes in
      call(Int(SYS_io_uring_setup), 1, Int(bitPattern: bytes.baseAddress))
    }
    // The kernel sets close-on-exec on the original descriptor.
    return ring < 0 ? -1 : dup(Int32(ring))
  }

  /// Holds shared locks of both kinds until this process exits.
  static func lock(_ path: String) {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    _ = flock(file, LOCK_SH)
    var range = Glibc.flock()
    range.l_type = Int16(F_RDLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_len = 1
    // Open file description locks: other record locks are released when any descriptor of the file is closed.
    let setOwnedByFile: Int32 = 37
    withUnsafeMutablePointer(to: &range) { _ = darkroom_fcntl(file, setOwnedByFile, Int(bitPattern: $0)) }
  }

  /// Reads a file repeatedly, as if its program were executed.
  static func keepReading(_ path: String) {
    _ = try? PlainThread.start(name: "reader") {
      while true {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        var byte: UInt8 = 0
        _ = Glibc.read(file, &byte, 1)
        _ = close(file)
        usleep(5000)
      }
    }
  }

  /// Adds a key to a new session keyring that every child would inherit (keyctl(2)). The keyring is released
  /// when this process exits.
  static func holdKey() {
    // The corresponding constants are KEYCTL_JOIN_SESSION_KEYRING and KEY_SPEC_SESSION_KEYRING.
    let join = 1
    let ownKeyring = -3
    _ = call(Int(SYS_keyctl), join)
    "user".withCString { type in
      "darkroom-probe-left".withCString { name in
        _ = call(
          Int(SYS_add_key),
          Int(bitPattern: type),
          Int(bitPattern: name),
          Int(bitPattern: type),
          1,
          ownKeyring
        )
      }
    }
  }

  /// Makes a system call that the C library does not wrap.
  private static func call(_ number: Int, _ a: Int, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0, _ e: Int = 0)
    -> Int
  {
    // syscall(2) is variadic, which Swift cannot import. On both architectures, it receives its arguments
    // like any other function.
    typealias Call = @convention(c) (Int, Int, Int, Int, Int, Int) -> Int
    guard let symbol = dlsym(nil, "syscall") else { return -1 }
    return unsafeBitCast(symbol, to: Call.self)(number, a, b, c, d, e)
  }
}
