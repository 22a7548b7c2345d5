#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a certificate of `darkroom policy verify --certificate` against a compiled filter.

usage: check.py CERTIFICATE FILTER

The filter is an array of struct sock_filter, in the byte order of x86-64 and AArch64. The checker shares no code with Darkroom and
finds no proof by itself. It tests, for each instruction, that the facts that the certificate lists follow from the facts of the
instructions before it, and that no call that reaches a permitting return is a forbidden one. The exit status is 0 if the
certificate proves its claims of this filter, and 1 if not. The claims are printed: what they forbid is for the reader to judge.
"""

import hashlib
import json
import struct
import sys

ALL = 0xFFFFFFFF
# Actions of seccomp(2); the lower half of a returned value is data.
KILL_PROCESS, KILL_THREAD, TRAP, ERRNO = 0x80000000, 0x00000000, 0x00030000, 0x00050000
NOTIFY, TRACE, LOG, ALLOW = 0x7FC00000, 0x7FF00000, 0x7FFC0000, 0x7FFF0000
KNOWN_REFUSALS = {KILL_PROCESS, KILL_THREAD, TRAP, ERRNO}
# Operation codes of classic BPF (linux/bpf_common.h).
LOAD_WORD, AND, JUMP, RETURN = 0x20, 0x54, 0x05, 0x06
RETURN_ACCUMULATOR = 0x16
EQUAL, GREATER, GREATER_OR_EQUAL, ANY_BIT = 0x15, 0x25, 0x35, 0x45
INDEX_COMPARISONS = {0x1D, 0x2D, 0x3D, 0x4D}
# Operations that keep the accumulator: loads of the index register, stores, tax.
KEEPING = {0x01, 0x81, 0x61, 0x02, 0x03, 0x07}
# Operations that set the accumulator to a value that no fact describes.
FORGETTING = {0x00, 0x80, 0x60, 0x87, 0x84} | {
    code | source for code in (0x04, 0x14, 0x24, 0x34, 0x44, 0x54, 0x64, 0x74, 0xA4) for source in (0, 8)
}


class Refused(Exception):
    """The error for a certificate that does not prove its claims about the filter."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def word(value, reason):
    require(type(value) is int and 0 <= value <= ALL, reason)
    return value


class Fact:
    """A set of calls: ranges of architectures and numbers, and bit comparisons that all hold."""

    def __init__(self, architectures, numbers, bits, accumulator):
        self.architectures = architectures
        self.numbers = numbers
        self.bits = bits
        self.accumulator = accumulator

    @staticmethod
    def read(data):
        def ranges(pairs):
            pairs = [(word(low, "a range"), word(high, "a range")) for low, high in pairs]
            require(all(low <= high for low, high in pairs), "a range is empty")
            return pairs

        bits = set()
        for index, mask, value, holds in data["bits"]:
            require(type(index) is int and 2 <= index < 16 and type(holds) is bool, "a fact about bits")
            bits.add((index, word(mask, "a mask"), word(value, "a value"), holds))
        accumulator = data["accumulator"]
        if accumulator is not None:
            index, mask = accumulator
            require(type(index) is int and 0 <= index < 16, "an accumulator")
            accumulator = (index, word(mask, "a mask"))
        return Fact(ranges(data["architectures"]), ranges(data["numbers"]), frozenset(bits), accumulator)

    def is_contradictory(self):
        """Whether no call can be in the set. False is always a safe answer."""
        if not self.architectures or not self.numbers:
            return True
        known = {}
        for index, mask, value, holds in self.bits:
            if not holds:
                continue
            if value & ~mask & ALL:
                return True
            old_mask, old_value = known.get(index, (0, 0))
            if (old_value ^ value) & old_mask & mask:
                return True
            known[index] = (old_mask | mask, old_value | value)
        for index, mask, value, holds in self.bits:
            old_mask, old_value = known.get(index, (0, 0))
            if not holds and mask & ~old_mask & ALL == 0 and old_value & mask == value:
                return True
        return False

    def meets(self, other):
        """Whether a call may be in both sets. True is always a safe answer."""
        both = Fact(
            intersection(self.architectures, other.architectures),
            intersection(self.numbers, other.numbers),
            self.bits | other.bits,
            None,
        )
        return not both.is_contradictory()

    def is_within(self, other):
        """Whether every call of the set is in the other one, with the same accumulator or nothing known of it."""
        return (
            other.accumulator in (None, self.accumulator)
            and other.bits <= self.bits
            and covers(other.architectures, self.architectures)
            and covers(other.numbers, self.numbers)
        )


def intersection(one, other):
    return [
        (max(a, c), min(b, d)) for a, b in one for c, d in other if max(a, c) <= min(b, d)
    ]


def covers(outer, inner):
    """Returns whether each number of some ranges is in other ranges."""
    outer = sorted(outer)
    for low, high in inner:
        for start, end in outer:
            if start <= low <= end:
                low = end + 1
            if low > high:
                break
        if low <= high:
            return False
    return True


def compared(fact, code, constant, is_true):
    """Returns the calls of a fact for which a comparison of the accumulator is true or false."""
    if fact.accumulator is None:
        return fact
    index, mask = fact.accumulator
    result = Fact(fact.architectures, fact.numbers, fact.bits, fact.accumulator)
    if index < 2:
        if mask != ALL or code == ANY_BIT:
            return result
        yes = {
            EQUAL: (constant, constant),
            GREATER: (constant + 1, ALL),
            GREATER_OR_EQUAL: (constant, ALL),
        }[code]
        if is_true:
            ranges = [yes] if yes[0] <= yes[1] else []
        else:
            ranges = [(low, high) for low, high in ((0, yes[0] - 1), (yes[1] + 1, ALL)) if low <= high]
        if index == 0:
            result.numbers = intersection(fact.numbers, ranges)
        else:
            result.architectures = intersection(fact.architectures, ranges)
    elif code == EQUAL:
        if constant & ~mask & ALL:
            # The other bits of the accumulator are zero.
            if is_true:
                result.numbers = []
        else:
            result.bits = fact.bits | {(index, mask, constant, is_true)}
    elif code == ANY_BIT:
        result.bits = fact.bits | {(index, mask & constant, 0, not is_true)}
    return result


def successors(fact, place, instruction):
    """Returns the successors of an instruction, each with the calls that reach it."""
    code, if_true, if_false, constant = instruction
    if code in (RETURN, RETURN_ACCUMULATOR):
        return []
    if code == JUMP:
        return [(place + 1 + constant, fact)]
    if code in (EQUAL, GREATER, GREATER_OR_EQUAL, ANY_BIT):
        return [
            (place + 1 + if_true, compared(fact, code, constant, True)),
            (place + 1 + if_false, compared(fact, code, constant, False)),
        ]
    if code in INDEX_COMPARISONS:
        return [(place + 1 + if_true, fact), (place + 1 + if_false, fact)]
    if code in KEEPING:
        return [(place + 1, fact)]
    if code == LOAD_WORD:
        require(constant % 4 == 0 and constant < 64, f"instruction {place} loads from offset {constant}")
        accumulator = (constant // 4, ALL)
    elif code == AND and fact.accumulator is not None:
        accumulator = (fact.accumulator[0], fact.accumulator[1] & constant)
    else:
        require(code in FORGETTING, f"instruction {place} has the unknown code 0x{code:x}")
        accumulator = None
    return [(place + 1, Fact(fact.architectures, fact.numbers, fact.bits, accumulator))]


def may_permit(instruction, certificate):
    """Returns whether a return value may permit a call; unknown actions count as permitting."""
    code, _, _, value = instruction
    if code == RETURN_ACCUMULATOR:
        return True
    action = value & 0xFFFF0000
    if action == NOTIFY:
        return certificate["notifications"] != "refused"
    if action == TRACE:
        return certificate["traces"] != "refused"
    return action not in KNOWN_REFUSALS


def check(certificate, raw):
    require(certificate["version"] == 1, "the certificate has another version")
    digest = "sha256:" + hashlib.sha256(raw).hexdigest()
    require(certificate["filter"] == digest, f"the certificate is of {certificate['filter']}, not of {digest}")
    require(raw and len(raw) % 8 == 0, "the filter is not an array of struct sock_filter")
    program = list(struct.iter_unpack("<HBBI", raw))
    facts = [[Fact.read(fact) for fact in listed] for listed in certificate["facts"]]
    require(len(facts) == len(program), "the certificate is of a program of another length")
    everything = Fact([(0, ALL)], [(0, ALL)], frozenset(), None)
    require(any(everything.is_within(fact) for fact in facts[0]), "the facts of the first instruction leave calls out")
    claims = [(claim["name"], claim["reason"], [Fact.read(f) for f in claim["forbidden"]]) for claim in certificate["claims"]]
    require(claims, "the certificate claims nothing")
    for place, instruction in enumerate(program):
        for fact in facts[place]:
            if instruction[0] in (RETURN, RETURN_ACCUMULATOR) and may_permit(instruction, certificate):
                for name, _, forbidden in claims:
                    require(
                        not any(fact.meets(calls) for calls in forbidden),
                        f"instruction {place} may permit a call that {name} forbids",
                    )
            for target, following in successors(fact, place, instruction):
                require(target < len(program), f"instruction {place} leads out of the program")
                require(
                    following.is_contradictory() or any(following.is_within(listed) for listed in facts[target]),
                    f"a call gets from instruction {place} to {target} that the facts of {target} leave out",
                )
    return claims, len(program), sum(map(len, facts))


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: check.py CERTIFICATE FILTER")
    with open(sys.argv[1], encoding="utf-8") as file:
        certificate = json.load(file)
    with open(sys.argv[2], "rb") as file:
        raw = file.read()
    try:
        claims, instructions, facts = check(certificate, raw)
    except (Refused, KeyError, TypeError, ValueError, IndexError) as error:
        sys.exit(f"refused: {error}")
    print(f"proved of {instructions} instructions by {facts} facts:")
    for name, reason, _ in claims:
        print(f"  {name}: {reason}")


if __name__ == "__main__":
    main()
