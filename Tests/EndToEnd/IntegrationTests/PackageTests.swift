// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the Debian package, built from the programs of this build and installed with only its
/// dependencies.
@Suite(.timeLimit(.minutes(20)), .serialized, .waitingInTurn)
struct PackageTests {
  /// Builds the package without compression and returns its path.
  private func makePackage(_ place: Place) throws -> String {
    let told = place.file("package")
    try runShell(
      """
      cd '\(Programs.package)'
      DPKG_DEB_COMPRESSOR_TYPE=none .ci/package --binaries '\(place.programs.directory)/bin' --out '\(place.directory)' \
        >'\(told)'
      """
    )
    let lines = String(decoding: try #require(try FileSystem.contents(told)), as: UTF8.self).split(
      separator: "\n"
    )
    return String(try #require(lines.last))
  }

  /// Returns a command prefix that enters a root directory with bwrap(1). Unlike in a chroot, user namespaces
  /// work there.
  private func words(_ root: String, _ person: Person) -> String {
    let bubblewrap = """
      bwrap --bind '\(root)' / --proc /proc --dev /dev --ro-bind /sys /sys --tmpfs /tmp --chdir / --clearenv \
      --setenv PATH /usr/bin:/bin --setenv HOME /tmp
      """
    return person == .root
      ? "\(bubblewrap) --cap-add ALL"
      : "\(person.becoming.joined(separator: " ")) \(bubblewrap) --unshare-user"
  }

  @Test(.enabled(if: Person.hasRoot && Programs.has("bwrap", "dpkg-shlibdeps")))
  func `where nothing but its dependencies is installed it works, and nothing stays of it`() throws {
    let place = try Place(.root)
    let package = try makePackage(place)
    // dpkg(1) refuses the installation if a dependency is missing.
    try runShell(
      """
      cd '\(place.directory)' && mkdir -p bare/var/lib/dpkg/info bare/var/lib/dpkg/updates && : >bare/var/lib/dpkg/status
      if dpkg --root="$PWD/bare" --no-triggers --install '\(package)' 2>said; then exit 1; fi
      grep 'darkroom depends on libseccomp2' said
      """
    )
    let root = place.file("clean")
    let rig = "\(Programs.package)/Tests/Rigs/clean_root.sh"
    try runShell(
      """
      '\(rig)' '\(root)' '\(package)' >'\(place.file("installed"))' 2>&1
      chmod 0755 '\(root)' '\(place.directory)'
      """
    )
    for person in [Person.root, .ordinary] {
      let enter = words(root, person)
      try runShell(
        """
        \(enter) darkroom --version | grep -E '^darkroom [0-9.]+$'
        \(enter) darkroom --root /tmp/state demo >'\(place.file("demo"))'
        grep -E '^captured  3 files' '\(place.file("demo"))'
        """
      )
    }
    try expectDocuments(in: root, place)
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

  /// Checks that the manual, completions, policies, schemas, unit and example are installed and current.
  private func expectDocuments(in root: String, _ place: Place) throws {
    try runShell(
      """
      cd '\(root)'
      darkroom='\(place.programs.darkroom)'
      for page in usr/share/man/man1/*; do zcat "$page" | mandoc -T lint -W error; done
      zcat usr/share/man/man1/darkroom-policy.1.gz | mandoc -T ascii | col -b | grep -q 'policy verify'
      "$darkroom" manual >'\(place.file("manual"))'
      zcat usr/share/man/man1/darkroom.1.gz | cmp - '\(place.file("manual"))'
      bash -n usr/share/bash-completion/completions/darkroom
      zsh -n usr/share/zsh/vendor-completions/_darkroom
      fish --no-execute usr/share/fish/vendor_completions.d/darkroom.fish
      for name in base strict capture; do "$darkroom" policy check "usr/share/darkroom/policies/$name.json"; done
      for name in app extension policy invariants record; do
        "$darkroom" schema $name | cmp - "usr/share/darkroom/schemas/$name.schema.json"
      done
      grep -x 'ExecStart=/usr/bin/darkroom serve' usr/lib/systemd/user/darkroom.service
      cd usr/share/doc/darkroom/examples/FrameLogger && cc -D_GNU_SOURCE -Wall -Werror -o '\(place.file("logger"))' ./*.c
      """
    )
  }

  @Test func `what it cannot be made of is named`() throws {
    let place = try Place(Person.available[0])
    for (words, reason) in [
      ("--binaries '\(place.directory)'", "there is no program \(place.directory)/darkroom"),
      ("--binaries", "--binaries wants a directory after it"),
      ("--everything", "there is no option '--everything'"),
    ] {
      try runShell(
        """
        if '\(Programs.package)/.ci/package' \(words) 2>'\(place.file("said"))'; then exit 1; fi
        grep -Fe "\(reason)" '\(place.file("said"))'
        """
      )
    }
  }
}
