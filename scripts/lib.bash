# shellcheck shell=bash
# What the scripts here share. Source it.

# note says something to whoever watches, on stderr.
note() { printf '%s\n' "$*" >&2; }

# die says what is wrong and ends the script.
die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# have succeeds when all the named programs are there.
have() {
	local program
	for program; do
		command -v -- "$program" >/dev/null || return 1
	done
}

# cache_dir prints the folder for what can always be made again.
cache_dir() {
	echo "${CHEMIGRAM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/chemigram}"
}

# find_darktable prints the path of the darktable-cli to use: DARKTABLE_CLI, or
# the one on PATH, or a usual place on macOS. It fails when there is none.
find_darktable() {
	if [[ -n ${DARKTABLE_CLI:-} ]]; then
		command -v -- "$DARKTABLE_CLI"
		return
	fi
	command -v darktable-cli && return
	local app
	for app in /Applications/darktable.app "$HOME/Applications/darktable.app"; do
		[[ -x $app/Contents/MacOS/darktable-cli ]] && echo "$app/Contents/MacOS/darktable-cli" && return
	done
	return 1
}

# darktable_version PATH prints the version of a darktable-cli, as in 5.4.1, or
# nothing when it does not start.
darktable_version() {
	"$1" --version 2>/dev/null </dev/null | sed -nE '1,3s/.*darktable(-cli)? ([0-9]+\.[0-9]+[^ ]*).*/\2/p' | head -n 1
}

# at_least WANTED ACTUAL succeeds when version ACTUAL is WANTED or newer.
at_least() {
	[[ -n $2 && $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]
}
