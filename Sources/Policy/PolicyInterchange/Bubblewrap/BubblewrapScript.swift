// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// A shell script that runs a program by bwrap(1) in a sandbox that is as near to a session's as bwrap can make one.
package enum BubblewrapScript {
  /// The script, and what of a session it does not have.
  package static func write(_ policy: ResolvedPolicy) -> (text: String, losses: [InterchangeLoss]) {
    let filter = "\(policy.name).bpf"
    // Descriptor 9 is the highest that every shell can redirect.
    let options = namespaces + ["--cap-drop ALL"] + environment + root(policy)
    let lines =
      [
        "#!/bin/sh",
        "# The policy \(policy.name), written by darkroom for bubblewrap 0.8.0.",
        "# The filter: darkroom policy export bpf \(policy.name) --output \(filter)",
        "# Use: sh \(policy.name).sh SESSION-DIRECTORY PROGRAM [ARGUMENT...]",
        "session=${1:?name the session directory}",
        "shift",
        "exec prlimit \(limits(policy.limits).joined(separator: " ")) \\",
        "bwrap \\",
      ] + options.map { "  \($0) \\" } + ["  --seccomp 9 -- \"$@\" 9<\(filter)"]
    return (lines.joined(separator: "\n") + "\n", losses(policy))
  }

  /// Everything that bwrap can separate, and the end of the sandbox with whoever started it.
  private static let namespaces = [
    "--unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup",
    "--uid 1000 --gid 1000 --hostname darkroom --die-with-parent --new-session",
  ]

  /// The environment of an extension, as far as it is known before a session.
  private static let environment = [
    "--clearenv", "--setenv PATH /usr/local/bin:/usr/bin:/bin", "--setenv LANG C.UTF-8",
    "--setenv USER extension --setenv LOGNAME extension",
    "--setenv HOME /container/home --setenv TMPDIR /container/tmp",
    "--setenv DARKROOM_SESSION_DIR /session --setenv DARKROOM_CONTAINER_DIR /container",
  ]

  /// What the sandbox sees. bwrap's own root is writable until it is mounted again.
  private static func root(_ policy: ResolvedPolicy) -> [String] {
    var options = policy.readOnly.map { path in
      let place = quoted(path.path)
      return "--ro-bind\(path.presence == .optional ? "-try" : "") \(place) \(place)"
    }
    if policy.readOnly.contains(where: { $0.path == "/usr" }) {
      options.append(
        ["bin", "sbin", "lib", "lib64"].map { "--symlink usr/\($0) /\($0)" }.joined(separator: " ")
      )
    }
    options += policy.devices.map { "--dev-bind \(quoted($0.value)) \(quoted($0.value))" }
    return options + [
      "--symlink /proc/self/fd /dev/fd --symlink /container/shm /dev/shm",
      "--proc /proc --bind \"$session\" /session",
      "--perms 0700 --size \(policy.scratchBytes) --tmpfs /container",
      "--dir /container/home --dir /container/tmp --dir /container/shm",
      "--symlink /container/tmp /tmp --symlink /container/tmp /var/tmp", "--remount-ro / --chdir /session",
    ]
  }

  /// Options of prlimit(1).
  private static func limits(_ limits: PolicyLimits) -> [String] {
    [
      "--core=0", "--cpu=\(limits.cpuTime)", "--fsize=\(limits.fileSize)", "--nproc=\(limits.processes)",
      "--nofile=\(limits.descriptors)", "--as=\(limits.addressSpace)",
    ]
  }

  /// A path as a shell takes it for one word.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", "+": true
      default: false
      }
    }
    return isPlain
      ? word : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
  }

  /// What of a session bwrap does not have.
  private static func losses(_ policy: ResolvedPolicy) -> [InterchangeLoss] {
    let missing = [
      ("landlock", "bwrap has no Landlock: files are kept closed by the root alone"),
      ("timeNamespace", "bwrap makes no time namespace: the program sees how long the machine runs"),
      (
        "controlGroup",
        "the limit of memory of all processes together needs a control group; bwrap makes none"
      ),
      ("limits", "nothing counts the files and bytes of the session, its output and its time"),
      ("root", "names of users and the app's context are not shown, and all of /proc is"),
      ("seccomp", "refused calls are not reported to anybody"),
    ]
    var losses = missing.map { InterchangeLoss($0.0, .outsideFilter($0.1), .weaker) }
    if policy.execute == .once {
      let text =
        "bwrap starts the program by execve, which this policy's filter refuses: no program starts under it unless the "
        + "policy says \"execute\": \"any\""
      losses.append(InterchangeLoss("execute", .execution(text), .stricter))
    }
    return losses
  }
}
