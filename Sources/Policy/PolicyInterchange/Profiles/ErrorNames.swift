// SPDX-License-Identifier: Apache-2.0

/// The error names in profiles (errno(3)), with the numbers of x86 and ARM.
package enum ErrorNames {
  /// The names in numerical order, starting at 1; `-` marks an unassigned number.
  private static let first = """
    EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST \
    EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM \
    ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP - ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG \
    EUNATCH ENOCSI EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT - EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG \
    EREMOTE ENOLINK EADV ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG ELIBACC \
    ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE \
    ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETDOWN \
    ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT \
    ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM EREMOTEIO EDQUOT \
    ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE ERFKILL \
    EHWPOISON
    """

  /// The names by number, starting at 1.
  private static let names = first.split(separator: " ").map(String.init)

  /// Returns the number of an error, or `nil` if the name is unknown.
  package static func number(of name: String) -> UInt16? {
    switch name {
    case "EWOULDBLOCK": return 11
    case "EDEADLOCK": return 35
    case "ENOTSUP": return 95
    case "-": return nil
    default: return names.firstIndex(of: name).map { UInt16($0 + 1) }
    }
  }

  /// Returns the name of an error, or its number as text if it has no name.
  package static func name(of number: UInt16) -> String {
    guard number > 0, names.indices.contains(Int(number) - 1), names[Int(number) - 1] != "-" else {
      return String(number)
    }
    return names[Int(number) - 1]
  }
}
