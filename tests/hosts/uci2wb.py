"""Plays games of shogi in xboard between Sanban behind uci2wb, over USI and over UCI, and Sanban over CECP."""

import hosts
import xboard


def play():
    hosts.apt("xboard", "xboard")
    version, sanban = hosts.apt("uci2wb", "uci2wb"), hosts.engine()
    usi = xboard.game("shogi", "-fcp", f"uci2wb -s {sanban}", "-scp", sanban)
    uci = xboard.game("shogi", "-fcp", f"uci2wb {sanban}", "-scp", sanban)
    return version, f"USI: {usi}; UCI: {uci}"


hosts.main("uci2wb", play)
