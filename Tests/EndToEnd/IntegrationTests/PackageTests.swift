// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the Debian package, built from the programs of this build and installed with only its
/// dependencies.
@Suite(.timeLimit(.minutes(20)), .serialized, .waitingSerially)
struct PackageTests {
  /// Builds the package without compression and returns its path.
  private func makePackage(_ home: TestHome) throws -> String {
    let outputPath = home.file("package")
    try runShell(
      """
      cd '\(TestPrograms.package)'
      DPKG_DEB_COMPRESSOR_TYPE=none .ci/package --binaries '\(home.programs.directory)/bin' --out '\(home.directory)' \
        >'\(outputPath)'
      """
    )
    let lines = String(decoding: try #require(try FileSystem.contents(outputPath)), as: UTF8.self).split(
      separator: "\n"
    )
    return String(try #require(lines.last))
  }

  /// Returns a command prefix that enters a root directory with bwrap(1). Unlike in a chroot, user namespaces
  /// work there.
  private func commandPrefix(_ root: String, _ user: TestUser) -> String {
    let bubblewrap = """
      bwrap --bind '\(root)' / --proc /proc --dev /dev --ro-bind /sys /sys --tmpfs /tmp --chdir / --clearenv \
      --setenv PATH /usr/bin:/bin --setenv HOME /tmp
      """
    return user == .root
      ? "\(bubblewrap) --cap-add ALL"
      : "\(user.commandPrefix.joined(separator: " ")) \(bubblewrap) --unshare-user"
  }

  @Test(.enabled(if: TestUser.hasRoot && TestPrograms.has("bwrap", "dpkg-shlibdeps")))
  func `the package works with only its dependencies installed, and is removed completely`() throws {
    let home = try TestHome(.root)
    let package = try makePackage(home)
    // `.ci/arm64 package` compiles the listed programs.
    try runShell(
      #"""
      cd '\#(home.directory)' && '\#(TestPrograms.package)/.ci/package' --programs | sort >named
      dpkg-deb --fsys-tarfile '\#(package)' | tar -t | sed -n 's,^\./usr/lib/darkroom/,,p' | grep -v -e '^$' -e '\.so' \
        | sort | diff named -
      """#
    )
    // dpkg(1) refuses the installation if a dependency is missing.
    try runShell(
      """
      cd '\(home.directory)' && mkdir -p bare/var/lib/dpkg/info bare/var/lib/dpkg/updates && : >bare/var/lib/dpkg/status
      if dpkg --root="$PWD/bare" --no-triggers --install '\(package)' 2>said; then exit 1; fi
      grep 'darkroom depends on libseccomp2' said
      """
    )
    let root = home.file("clean")
    let rig = "\(TestPrograms.package)/Tests/Rigs/clean_root.sh"
    try runShell(
      """
      '\(rig)' '\(root)' '\(package)' >'\(home.file("installed"))' 2>&1
      chmod 0755 '\(root)' '\(home.directory)'
      """
    )
    for user in [TestUser.root, .regular] {
      let enter = commandPrefix(root, user)
      try runShell(
        """
        \(enter) darkroom --version | grep -E '^darkroom [0-9.]+$'
        \(enter) darkroom --root /tmp/state demo >'\(home.file("demo"))'
        grep -E '^captured  3 files' '\(home.file("demo"))'
        """
      )
    }
    try expectDocuments(in: root, home)
    try runShell(
      """
      dpkg --root='\(root)' --no-triggers --purge darkroom
      cd '\(root)'
      left=$(find . -path '*darkroom*' -not -path './var/lib/dpkg/*')
      echo "$left"
      [ -z "$left" ]
      """
    )
  }

  /// Checks that the manual, completions, policies, schemas, units, example and Python package are installed and current.
  private func expectDocuments(in root: String, _ home: TestHome) throws {
    try runShell(
      """
      cd '\(root)'
      darkroom='\(home.programs.darkroom)'
      for page in usr/share/man/man1/* usr/share/man/man3/darkroom.3.gz usr/share/man/man3/darkroom-*.3.gz; do
        zcat "$page" | mandoc -T lint -W error
      done
      zcat usr/share/man/man1/darkroom-policy.1.gz | mandoc -T ascii | col -b | grep -q 'policy verify'
      "$darkroom" man >'\(home.file("manual"))'
      zcat usr/share/man/man1/darkroom.1.gz | cmp - '\(home.file("manual"))'
      bash -n usr/share/bash-completion/completions/darkroom
      zsh -n usr/share/zsh/vendor-completions/_darkroom
      fish --no-execute usr/share/fish/vendor_completions.d/darkroom.fish
      for name in base strict capture; do "$darkroom" policy check "usr/share/darkroom/policies/$name.json"; done
      for name in app extension policy invariants record; do
        "$darkroom" schema $name | cmp - "usr/share/darkroom/schemas/$name.schema.json"
      done
      diff -r --exclude=__pycache__ usr/lib/python3/dist-packages/darkroom \
        '\(TestPrograms.package)/Sources/SDK/Python/darkroom'
      grep -x 'ExecStart=/usr/bin/darkroom serve --dbus' usr/lib/systemd/user/darkroom.service
      test "$(readlink usr/bin/darkroom)" = ../lib/darkroom/darkroom-client
      "$darkroom" man --prepared >'\(home.file("prepared"))'
      tail -c "$(stat -c %s '\(home.file("prepared"))')" usr/lib/darkroom/darkroom | cmp - '\(home.file("prepared"))'
      test -x usr/bin/darkroom-host
      file=usr/share/dbus-1/services/org.darkroom.Host1.service
      cmp "$file" "\(TestPrograms.package)/Sources/Host/HostBus/Files/${file##*/}"
      grep -x 'Exec=/usr/bin/darkroom serve --dbus' "$file"
      grep -x 'SystemdService=darkroom.service' "$file"
      zcat usr/share/man/man3/darkroom_take_frame.3.gz | cmp - '\(TestPrograms.package)/Sources/SDK/CDarkroom/darkroom.3'
      zcat usr/share/man/man3/darkroom_host_open.3.gz \\
        | cmp - '\(TestPrograms.package)/Sources/SDK/CDarkroom/darkroom-host.3'
      libraries=$PWD/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
      # pkg-config(1) omits the directories of the system unless told otherwise.
      flags=$(PKG_CONFIG_PATH=$libraries/pkgconfig PKG_CONFIG_SYSROOT_DIR=$PWD PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --cflags --libs darkroom)
      cc -o '\(home.file("sdk"))' '\(TestPrograms.package)/Tests/SDK/CSDKTests/program.c' $flags
      LD_LIBRARY_PATH=$libraries '\(home.file("sdk"))' sizes | grep -x 'size darkroom_error 272'
      cc -static -o '\(home.file("sdk"))' '\(TestPrograms.package)/Tests/SDK/CSDKTests/program.c' $flags
      '\(home.file("sdk"))' sizes | grep -x 'size darkroom_error 272'
      cc -static -o '\(home.file("sdk"))' '\(TestPrograms.package)/Plugins/HostDemo/host.c' $flags
      cd usr/share/doc/darkroom/examples/FrameLogger && cc -D_GNU_SOURCE -Wall -Werror -o '\(home.file("logger"))' ./*.c
      """
    )
  }

  @Test func `rejects unknown options and missing programs`() throws {
    let home = try TestHome(TestUser.available[0])
    for (arguments, reason) in [
      ("--binaries '\(home.directory)'", "\(home.directory)/darkroom: not an executable program"),
      ("--binaries", "--binaries: missing directory"),
      ("--everything", "unknown option '--everything'"),
    ] {
      try runShell(
        """
        if '\(TestPrograms.package)/.ci/package' \(arguments) 2>'\(home.file("said"))'; then exit 1; fi
        grep -Fe "\(reason)" '\(home.file("said"))'
        """
      )
    }
  }
}
