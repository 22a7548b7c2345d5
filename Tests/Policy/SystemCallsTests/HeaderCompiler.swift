// SPDX-License-Identifier: Apache-2.0

import Glibc
import SystemCalls

/// Compares constants with system headers, using the C compiler of the Swift toolchain.
enum HeaderCompiler {
  /// The differences between constants and headers.
  struct HeaderComparison {
    /// The names that have another value in the headers.
    var different: Set<String> = []
    /// The names that the headers do not declare.
    var unknown: Set<String> = []
  }

  /// The messages of a failed compilation.
  struct Failure: Error {
    var lines: [String]
  }

  /// The kernel headers that can be included together.
  static let kernelHeaders = """
    linux/netlink.h asm-generic/socket.h asm-generic/fcntl.h asm/fcntl.h linux/fcntl.h linux/futex.h
    asm-generic/mman-common.h linux/fadvise.h asm/mman.h linux/mman.h linux/mempolicy.h linux/sched.h linux/prctl.h
    linux/securebits.h linux/capability.h linux/seccomp.h linux/bpf.h linux/keyctl.h linux/mount.h
    linux/memfd.h linux/time.h linux/personality.h linux/fanotify.h linux/close_range.h linux/resource.h linux/xattr.h
    linux/fs.h linux/falloc.h linux/stat.h linux/landlock.h linux/io_uring.h linux/perf_event.h linux/net.h linux/ipc.h
    linux/sem.h linux/shm.h linux/msg.h linux/random.h linux/userfaultfd.h linux/pidfd.h linux/wait.h linux/reboot.h
    linux/module.h linux/kexec.h linux/ioprio.h linux/kcmp.h linux/membarrier.h linux/rseq.h linux/kernel.h
    asm/termbits.h asm/ioctls.h linux/sockios.h linux/kd.h linux/vt.h linux/loop.h linux/kvm.h linux/vhost.h
    linux/nsfs.h linux/if_tun.h linux/fuse.h linux/fscrypt.h linux/fsverity.h linux/hidraw.h linux/dm-ioctl.h
    linux/udmabuf.h linux/dma-buf.h linux/media.h linux/fd.h linux/serial.h
    """
  /// The C library headers, and the kernel headers that include them.
  static let libraryHeaders = """
    sys/socket.h netinet/in.h unistd.h errno.h signal.h sys/ptrace.h sys/mount.h sys/epoll.h sys/eventfd.h sys/timerfd.h
    sys/signalfd.h sys/inotify.h fcntl.h sys/swap.h sys/stat.h linux/input.h linux/uinput.h linux/videodev2.h
    sound/asound.h
    """

  /// Returns the differences between values and headers.
  static func compare(
    _ values: [(name: String, value: UInt64)],
    with headers: String,
    options: String
  ) throws -> HeaderComparison {
    // Some headers of the kernel use size_t without a definition.
    var source = "#include <stddef.h>\n"
    source += headers.split { $0 == " " || $0 == "\n" }.map { "#include <\($0)>\n" }.joined()
    // Compares the lower half, the only half that is defined for negative values.
    for (name, value) in values {
      source += "_Static_assert((unsigned)(\(name)) == \(value & 0xFFFF_FFFF)u, \"differs:\(name)\");\n"
    }
    var comparison = HeaderComparison()
    let lines = try diagnostics(source, options)
    let known = Set(values.map(\.name))
    for line in lines where line.contains("error:") {
      if let name = line.split(separator: "differs:").dropFirst().first?.prefix(while: { $0 != "\"" }) {
        comparison.different.insert(String(name))
      } else if let name = line.split(separator: "'").dropFirst().first, known.contains(String(name)) {
        comparison.unknown.insert(String(name))
      } else if !line.contains("not an integer"), !line.contains("to an incomplete type") {
        // The argument of a call can be a structure that exists on other architectures only.
        throw Failure(lines: [line])
      }
    }
    return comparison
  }

  /// Returns the compiler's messages for a source.
  private static func diagnostics(_ source: String, _ options: String) throws -> [String] {
    var template = Array("/tmp/darkroom-headers-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(lines: ["mkdtemp"]) }
    let directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { _ = system("rm -r \(directory)") }
    // The 32-bit headers of the C library include these generated files, whose contents are irrelevant here.
    mkdir("\(directory)/gnu", 0o700)
    for name in ["gnu/stubs-32.h", "gnu/stubs-x32.h", "source.c"] {
      guard let file = fopen("\(directory)/\(name)", "w") else { throw Failure(lines: ["fopen"]) }
      if name == "source.c" { fputs(source, file) }
      fclose(file)
    }
    // Disables suggestions, so that the compiler reports an unknown name under this name.
    let fixedOptions =
      "-D_GNU_SOURCE -fsyntax-only -w -ferror-limit=0 -fno-spell-checking -fno-caret-diagnostics"
    // Debian's package of Swift has the C compiler only in the directory of swiftc, which is not in PATH.
    let clang = "\"$(dirname \"$(realpath \"$(command -v swiftc)\")\")/clang\""
    let command = "\(clang) \(options) \(fixedOptions) -I \(directory) \(directory)/source.c 2>&1"
    guard let stream = popen(command, "r") else { throw Failure(lines: ["popen"]) }
    var text: [UInt8] = []
    while case let next = fgetc(stream), next != EOF { text.append(UInt8(next)) }
    pclose(stream)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
