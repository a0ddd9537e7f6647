"""`python -m btc_gui`: the same as the command `btc-gui`."""

from btc_gui.app import main

main()
