#!/bin/bash
# A picture of a page as a browser shows it at first: screenshot.sh PAGE PICTURE
set -euo pipefail
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1600,1000 \
	--virtual-time-budget=2000 --screenshot="$PWD/$2" "file://$PWD/$1"
